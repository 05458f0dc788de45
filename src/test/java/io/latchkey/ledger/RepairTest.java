package io.latchkey.ledger;

import static io.latchkey.ledger.Fires.claim;
import static io.latchkey.ledger.Fires.due;
import static io.latchkey.ledger.Fires.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.latchkey.election.LeaderRecord;
import io.latchkey.election.Term;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RepairTest {

    @Test
    void leaderIsNotPutBackWhileThereAreInstances() throws Exception {
        try (LedgerFixture fixture = new LedgerFixture()) {
            ZooKeeperClient client = fixture.zookeeper.client();
            Term term = fixture.takeTerm(client, "one");
            fixture.delete(client, fixture.nodes.leader());
            Repair repair = new Repair(client.session(), fixture.nodes, Clock.systemUTC());
            assertThat(repair.repair(OptionalLong.empty())).isEqualTo(new Repair.Result.Instances(List.of("one")));
            fixture.delete(client, term.latchNode());
            assertThat(repair.repair(OptionalLong.empty()))
                    .as("one that is out of the latch could still have a claim under way")
                    .isEqualTo(new Repair.Result.Instances(List.of("one")));
            fixture.delete(client, fixture.nodes.instance("one"));
            assertThat(repair.repair(OptionalLong.of(5000))).isEqualTo(new Repair.Result.Repaired(1, 5001, true));
            assertThat(leader(fixture, client).tokenFloor()).isEqualTo(5000);
            assertThat(repair.repair(OptionalLong.of(10)))
                    .as("no lower floor than there is")
                    .isInstanceOf(Repair.Result.Nothing.class);
            assertThat(repair.repair(OptionalLong.of(9000))).isEqualTo(new Repair.Result.Repaired(1, 9001, false));
        }
    }

    @Test
    void tokensRiseAboveThoseOfTheRecordsThatAreLeft() throws Exception {
        try (LedgerFixture fixture = new LedgerFixture()) {
            ZooKeeperClient client = fixture.zookeeper.client();
            Term term = fixture.takeTerm(client, "one");
            TermLedger ledger = fixture.ledger(client).open(term);
            ledger.load();
            ledger.write(List.of(put("a")));
            claim(ledger, due("a", 0));
            ended(fixture, client, term);
            Repair.Result result =
                    new Repair(client.session(), fixture.nodes, Clock.systemUTC()).repair(OptionalLong.empty());
            assertThat(((Repair.Result.Repaired) result).nextTerm()).isEqualTo(term.number() + 1);
            assertThat(((Repair.Result.Repaired) result).nextToken()).isGreaterThan(term.token());
            assertThat(leader(fixture, client).tokenFloor()).isGreaterThanOrEqualTo(term.token());
            assertThat(leader(fixture, client).term()).isEqualTo(term.number());
        }
    }

    @Test
    void termsGoOnFromTheHistoryWhereNothingRuns() throws Exception {
        try (LedgerFixture fixture = new LedgerFixture()) {
            ZooKeeperClient client = fixture.zookeeper.client();
            ZooKeeperFireLedger ledger = fixture.ledger(client);
            Term term = fixture.takeTerm(client, "one");
            TermLedger opened = ledger.open(term);
            opened.load();
            opened.write(List.of(put("a")));
            ledger.complete(claim(opened, due("a", 0)), Fires.succeeded(), null).get(30, TimeUnit.SECONDS);
            opened.fold();
            ended(fixture, client, term);
            new Repair(client.session(), fixture.nodes, Clock.systemUTC()).repair(OptionalLong.empty());
            assertThat(leader(fixture, client).term()).isEqualTo(term.number());
            assertThat(leader(fixture, client).tokenFloor()).isEqualTo(term.token());
        }
    }

    private static void ended(LedgerFixture fixture, ZooKeeperClient client, Term term) throws Exception {
        fixture.delete(client, fixture.nodes.leader());
        fixture.delete(client, term.latchNode());
        fixture.delete(client, fixture.nodes.instance(term.instanceId()));
    }

    @Test
    void exportNamesWhatItLeavesOutAndRefusesANewerVersions() throws Exception {
        try (LedgerFixture fixture = new LedgerFixture()) {
            ZooKeeperClient client = fixture.zookeeper.client();
            TermLedger term = fixture.ledger(client).open(fixture.takeTerm(client, "one"));
            term.load();
            term.write(List.of(put("a"), put("b")));
            client.curator().setData().forPath(fixture.cursor("b"), "hello".getBytes(StandardCharsets.UTF_8));
            LedgerExport export = new LedgerExport(client.session(), fixture.nodes, Clock.systemUTC());
            List<String> leftOut = new ArrayList<>();
            StringWriter lines = new StringWriter();
            assertThat(export.export(lines, leftOut::add)).isEqualTo(1);
            assertThat(leftOut).singleElement().asString().startsWith(fixture.cursor("b") + " ");
            client.curator().setData().forPath(fixture.cursor("b"), "{\"format\":99}".getBytes(StandardCharsets.UTF_8));
            StringWriter none = new StringWriter();
            assertThatThrownBy(() -> export.export(none, leftOut::add))
                    .isInstanceOf(FormatTooNewException.class)
                    .hasMessageContaining(fixture.cursor("b") + " is of format 99");
            assertThat(none.toString()).isEmpty();
        }
    }

    @Test
    void ledgerMovesToAnotherEnsemble() throws Exception {
        StringWriter lines = new StringWriter();
        Cursor cursor;
        RunningRecord inFlight;
        try (LedgerFixture fixture = new LedgerFixture()) {
            ZooKeeperClient client = fixture.zookeeper.client();
            ZooKeeperFireLedger ledger = fixture.ledger(client);
            TermLedger term = ledger.open(fixture.takeTerm(client, "one"));
            term.load();
            term.write(List.of(put("a/b")));
            ledger.complete(claim(term, due("a/b", 0)), Fires.succeeded(), Map.of("n", 5L))
                    .get(30, TimeUnit.SECONDS);
            term.fold();
            inFlight = claim(term, due("a/b", 1)).record();
            cursor = due("a/b", 1).after();
            new LedgerExport(client.session(), fixture.nodes, Clock.systemUTC()).export(lines, what -> {});
        }
        try (LedgerFixture fixture = new LedgerFixture()) {
            ZooKeeperClient client = fixture.zookeeper.client();
            LedgerExport export = new LedgerExport(client.session(), fixture.nodes, Clock.systemUTC());
            assertThat(export.importFrom(new StringReader(lines.toString()))).isEqualTo(4);
            assertThat(leader(fixture, client).tokenFloor())
                    .isGreaterThanOrEqualTo(inFlight.owner().token());
            LedgerState state =
                    fixture.ledger(client).open(fixture.takeTerm(client, "two")).load();
            assertThat(state.cursors()).containsEntry(cursor.trigger(), cursor);
            assertThat(state.running()).extracting(Held::record).containsExactly(inFlight);
            assertThat(state.jobData()).containsEntry(Fires.JOB, Map.of("n", 5L));
            assertThat(new LedgerReader(fixture.nodes, client.session()).history(Fires.JOB))
                    .hasSize(1);
        }
    }

    private static LeaderRecord leader(LedgerFixture fixture, ZooKeeperClient client) throws Exception {
        byte[] data = client.curator().getData().forPath(fixture.nodes.leader());
        return Json.read(data, LeaderRecord.class, LeaderRecord.FORMAT, fixture.nodes.leader());
    }
}
