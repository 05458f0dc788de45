package io.latchkey.ledger;

import static io.latchkey.ledger.Fires.JOB;
import static io.latchkey.ledger.Fires.claim;
import static io.latchkey.ledger.Fires.due;
import static io.latchkey.ledger.Fires.put;
import static io.latchkey.ledger.Fires.succeeded;
import static io.latchkey.ledger.Fires.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.latchkey.election.Term;
import io.latchkey.testing.LogCapture;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.ZNodes;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quartz.TriggerKey;

/** What people do to znodes, and what names and numbers do to limits. */
class OperatorsHandsTest {
    private LedgerFixture fixture;
    private ZooKeeperClient client;
    private ZooKeeperFireLedger ledger;
    private TermLedger leader;

    @BeforeEach
    void start() throws Exception {
        fixture = new LedgerFixture();
        client = fixture.zookeeper.client();
        ledger = fixture.ledger(client, new LedgerSettings(50, 400));
        leader = lead();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private TermLedger lead() throws Exception {
        TermLedger term = ledger.open(fixture.takeTerm(client, "one"));
        term.load();
        return term;
    }

    private void set(String path, String data) throws Exception {
        client.curator().setData().forPath(path, data.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void garbageInOneCursorTouchesNoOther() throws Exception {
        leader.write(List.of(put("a"), put("b")));
        set(fixture.cursor("b"), "hello");
        TermLedger next = ledger.open(fixture.takeTerm(client, "one"));
        LedgerState state = next.load();
        assertThat(state.cursors()).containsOnlyKeys(trigger("a"));
        assertThat(state.malformed()).containsOnlyKeys(trigger("b"));
        assertThat(next.write(List.of(put("b")))).isEqualTo(new WriteResult.Written(Map.of()));
        claim(next, due("b", 0));
    }

    /** One name that cannot be decoded would end every takeover, on each instance in turn. */
    @Test
    void nodesWithNamesThatAreNobodysStandInNobodysWay() throws Exception {
        leader.write(List.of(put("a")));
        claim(leader, due("a", 0));
        String group = ZNodes.parentOf(fixture.cursor("a"));
        byte[] cursor = client.curator().getData().forPath(fixture.cursor("a"));
        List<String> running = client.curator().getChildren().forPath(fixture.nodes.running());
        byte[] record = client.curator().getData().forPath(fixture.nodes.running() + "/" + running.get(0));
        // The second means "a", as the real one does.
        for (String path : List.of(
                group + "/%zz",
                group + "/%61",
                fixture.nodes.triggers() + "/%zz/a",
                fixture.nodes.jobs() + "/ops/%zz",
                fixture.nodes.history() + "/ops/%zz",
                fixture.nodes.requests() + "/%zz")) {
            client.curator().create().creatingParentsIfNeeded().forPath(path, cursor);
        }
        client.curator().create().forPath(fixture.nodes.running() + "/copy", record);
        TermLedger next = ledger.open(fixture.takeTerm(client, "one"));
        LedgerState state = next.load();
        assertThat(state.cursors()).containsOnlyKeys(trigger("a"));
        assertThat(state.malformed()).isEmpty();
        assertThat(state.running()).hasSize(1);
        claim(next, due("a", 1));
        LedgerReader reader = new LedgerReader(fixture.nodes, client.session());
        assertThat(reader.jobs()).hasSize(1);
        reader.histories();
        new LedgerSnapshots(fixture.nodes).read(client.session());
    }

    @Test
    void newerFormatIsNotReadPast() throws Exception {
        leader.write(List.of(put("a"), put("b")));
        set(fixture.cursor("b"), "{\"format\":2}");
        TermLedger next = ledger.open(fixture.takeTerm(client, "one"));
        assertThatThrownBy(next::load)
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining(fixture.cursor("b"));
    }

    @Test
    void newerRecordOfAnyKindIsFoundBeforeJoining() throws Exception {
        ledger.requireKnownFormats();
        ZNodes nodes = fixture.nodes;
        for (String path : List.of(
                nodes.trigger("ops", "a"),
                nodes.running("ops.a@2026-11-29T12:00:00Z"),
                nodes.paused(),
                nodes.job("ops", "job"),
                nodes.history("ops", "job"),
                nodes.request("request-1"))) {
            client.curator().create().creatingParentsIfNeeded().forPath(path, "hello".getBytes(StandardCharsets.UTF_8));
            ledger.requireKnownFormats();
            set(path, "{\"format\":99}");
            assertThatThrownBy(() -> ledger.requireKnownFormats())
                    .isInstanceOf(FormatTooNewException.class)
                    .hasMessageContaining(path + " is of format 99");
            fixture.delete(client, path);
        }
    }

    @Test
    void newerRecordMetDuringATermEndsIt() throws Exception {
        Term term = fixture.takeTerm(client, "one");
        TermLedger met = ledger.open(term);
        met.load();
        assertThat(met.write(List.of(put("a"), put("b")))).isEqualTo(new WriteResult.Written(Map.of()));
        set(fixture.cursor("a"), "{\"format\":99}");
        List<ClaimResult> results = met.claim(List.of(due("a", 0), due("b", 0)));
        assertThat(results.get(0)).isInstanceOf(ClaimResult.GivenUp.class);
        assertThat(results.get(1)).as("claimed in the same batch").isInstanceOf(Claimed.class);
        assertThat(term.gate().isClosedForGood()).isTrue();
        assertThat(term.gate().reason()).contains(fixture.cursor("a") + " is of format 99");
    }

    @Test
    void damagedRequestIsSaidOnceForEachStateOfItsNode() throws Exception {
        String path = fixture.nodes.request("request-1");
        client.curator().create().forPath(path, "hello".getBytes(StandardCharsets.UTF_8));
        try (LogCapture log = LogCapture.of(LedgerLoader.class)) {
            assertThat(leader.requests()).isEmpty();
            assertThat(leader.requests()).isEmpty();
            assertThat(log.messages(Level.ERROR))
                    .containsExactly(
                            path + " is damaged: it is not JSON (character 1). It is left out; look at it with the"
                                    + " ZooKeeper CLI, and delete it");
            set(path, "{}");
            assertThat(leader.requests()).isEmpty();
            assertThat(log.messages(Level.ERROR)).hasSize(2);
        }
    }

    @Test
    void cursorChangedByHandDropsThatFireAndGoesOnFromThere() throws Exception {
        leader.write(List.of(put("a"), put("b")));
        Cursor byHand = due("a", 4).after();
        set(fixture.cursor("a"), new String(LedgerJson.write(byHand), StandardCharsets.UTF_8));
        List<ClaimResult> results = leader.claim(List.of(due("a", 0), due("b", 0)));
        assertThat(results.get(0))
                .isEqualTo(new ClaimResult.CursorConflict(due("a", 0).id(), byHand, null));
        assertThat(results.get(1)).isInstanceOf(Claimed.class);
        claim(leader, due("a", 5));
    }

    @Test
    void deletedParentsAreMadeAgain() throws Exception {
        leader.write(List.of(put("a")));
        fixture.delete(client, fixture.nodes.running());
        Claimed fire = claim(leader, due("a", 0));
        fixture.delete(client, fixture.nodes.jobs());
        assertThat(ledger.complete(fire, succeeded(), Map.of("k", 1)).get(30, TimeUnit.SECONDS))
                .isEqualTo(new Completion.Recorded());
        assertThat(leader.jobData(JOB)).contains(Map.of("k", 1));
    }

    @Test
    void deletedHistoryBeginsAnewAndDoublesNothing() throws Exception {
        leader.write(List.of(put("a")));
        ledger.complete(claim(leader, due("a", 0)), succeeded(), null).get(30, TimeUnit.SECONDS);
        leader.fold();
        fixture.delete(client, fixture.nodes.history("ops", "job"));
        ledger.complete(claim(leader, due("a", 1)), succeeded(), null).get(30, TimeUnit.SECONDS);
        leader.fold();
        assertThat(new LedgerReader(fixture.nodes, client.session()).history(JOB))
                .extracting(HistoryEntry::id)
                .containsExactly(due("a", 1).id());
        assertThat(lead().claim(List.of(due("a", 0))).get(0)).isInstanceOf(ClaimResult.AlreadyDecided.class);
        assertThat(new LedgerReader(fixture.nodes, client.session()).jobs()).hasSize(1);
    }

    @Test
    void longAndOddNamesWork() throws Exception {
        String odd = "täglich/早 100% @home.x " + "n".repeat(150);
        leader.write(List.of(put(odd)));
        Claimed fire = claim(leader, due(odd, 0));
        LedgerState state = ledger.open(fixture.takeTerm(client, "one")).load();
        assertThat(state.cursors()).containsOnlyKeys(trigger(odd));
        assertThat(state.running().get(0).record().id()).isEqualTo(fire.id());
    }

    @Test
    void nameBeyondTheLimitIsRefusedClearlyAndTheRestGoesOn() throws Exception {
        String tooLong = "x".repeat(300);
        WriteResult result = leader.write(List.of(put(tooLong), put("a")));
        assertThat(((WriteResult.Written) result).failed()).containsOnlyKeys(trigger(tooLong));
        assertThat(((WriteResult.Written) result).failed().get(new TriggerKey(tooLong, "ops")))
                .contains("255");
        claim(leader, due("a", 0));
    }

    @Test
    void largeBatchIsSplitAndRecordsBeyondTheLimitAreRefused() throws Exception {
        List<CursorWrite> cursors = new ArrayList<>();
        List<ClaimRequest> due = new ArrayList<>();
        for (int i = 0; i < 405; i++) {
            cursors.add(put("t" + i));
            due.add(due("t" + i, 0));
        }
        assertThat(leader.write(cursors)).isEqualTo(new WriteResult.Written(Map.of()));
        List<ClaimResult> results = leader.claim(due);
        assertThat(results.subList(0, 400)).allMatch(r -> r instanceof Claimed);
        assertThat(results.subList(400, 405))
                .allSatisfy(r -> assertThat(((ClaimResult.Refused) r).why()).contains("limit is 400"));
        Claimed first = (Claimed) results.get(0);
        ledger.complete(first, succeeded(), null).get(30, TimeUnit.SECONDS);
        leader.fold();
        claim(leader, due("t400", 0));
    }

    @Test
    void oneMissingRecordLeavesNoOtherOutcomeOver() throws Exception {
        List<Claimed> fires = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            leader.write(List.of(put("t" + i)));
            fires.add(claim(leader, due("t" + i, 0)));
        }
        fixture.delete(client, fixture.running(fires.get(30).id()));
        List<CompletableFuture<Completion>> ends = fires.stream()
                .map(fire -> ledger.complete(fire, succeeded(), null))
                .toList();
        for (int i = 0; i < ends.size(); i++) {
            Completion end = ends.get(i).get(30, TimeUnit.SECONDS);
            assertThat(end).isInstanceOf(i == 30 ? Completion.Overtaken.class : Completion.Recorded.class);
        }
        leader.fold();
        assertThat(leader.running()).isEmpty();
        assertThat(new LedgerReader(fixture.nodes, client.session()).history(JOB))
                .hasSize(50);
    }

    @Test
    void laterRunsDataIsNotCoveredByAnEarlierOne() throws Exception {
        leader.write(List.of(put("a"), put("b")));
        Claimed gone = claim(leader, due("b", 0));
        fixture.delete(client, fixture.running(gone.id()));
        CompletableFuture<Completion> last = CompletableFuture.completedFuture(new Completion.Recorded());
        for (int i = 0; i < 40; i++) {
            Claimed fire = claim(leader, due("a", i));
            if (i == 20) {
                var unused = ledger.complete(gone, succeeded(), null);
            }
            last = ledger.complete(fire, succeeded(), Map.of("run", i));
        }
        assertThat(last.get(30, TimeUnit.SECONDS)).isEqualTo(new Completion.Recorded());
        assertThat(leader.jobData(JOB)).contains(Map.of("run", 39));
    }

    @Test
    void orphanKeepsItsPlaceUntilItIsDeleted() throws Exception {
        leader.write(List.of(put("a")));
        claim(leader, due("a", 0));
        Cursor orphan = due("a", 0).after().orphaned(Fires.NOON);
        leader.write(List.of(new CursorWrite.Put(orphan, Optional.empty())));
        assertThat(ledger.open(fixture.takeTerm(client, "one")).load().cursors().get(trigger("a")))
                .isEqualTo(orphan);
    }
}
