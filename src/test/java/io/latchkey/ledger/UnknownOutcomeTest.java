package io.latchkey.ledger;

import static io.latchkey.ledger.Fires.claim;
import static io.latchkey.ledger.Fires.due;
import static io.latchkey.ledger.Fires.failed;
import static io.latchkey.ledger.Fires.put;
import static io.latchkey.ledger.Fires.succeeded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.election.Term;
import io.latchkey.testing.TcpProxy;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The server applied a write and its reply was lost, on a real connection. */
@Tag("slow")
class UnknownOutcomeTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private LedgerFixture fixture;
    private TcpProxy proxy;
    private ZooKeeperClient cut;
    private ZooKeeperClient direct;
    private ZooKeeperFireLedger ledger;
    private Term term;
    private TermLedger leader;

    @BeforeEach
    void start() throws Exception {
        fixture = new LedgerFixture();
        proxy = fixture.zookeeper.viaProxy();
        cut = fixture.zookeeper.client(proxy);
        direct = fixture.zookeeper.client();
        ledger = fixture.ledger(cut);
        term = fixture.takeTerm(cut, "one");
        leader = ledger.open(term);
        leader.load();
        leader.write(List.of(put("a")));
    }

    @AfterEach
    void stop() {
        proxy.heal();
        fixture.close();
    }

    private boolean exists(FireId id) throws Exception {
        return direct.curator().checkExists().forPath(fixture.running(id)) != null;
    }

    private CompletableFuture<ClaimResult> claimWithReplyLost(FireId id) {
        proxy.dropReplies();
        CompletableFuture<ClaimResult> result = CompletableFuture.supplyAsync(
                () -> leader.claim(List.of(due("a", 0))).get(0));
        await().atMost(LONG).until(() -> exists(id));
        assertThat(result).isNotDone();
        return result;
    }

    @Test
    void claimAppliedWithItsReplyLostIsOursOnce() throws Exception {
        FireId id = due("a", 0).id();
        CompletableFuture<ClaimResult> result = claimWithReplyLost(id);
        proxy.heal();
        assertThat(result.get(60, TimeUnit.SECONDS)).isInstanceOf(Claimed.class);
        Claimed fire = (Claimed) result.get();
        assertThat(new LedgerReader(fixture.nodes, direct.session()).running()).containsExactly(fire.record());
        assertThat(direct.curator().checkExists().forPath(fixture.cursor("a")).getVersion())
                .isEqualTo(1);
        assertThat(fire.tryStart(term)).isTrue();
        assertThat(ledger.complete(fire, succeeded(), null).get(60, TimeUnit.SECONDS))
                .isEqualTo(new Completion.Recorded());
        claim(leader, due("a", 1));
    }

    @Test
    void claimGivenUpAndThenFoundToStandIsReleased() throws Exception {
        ZooKeeperTermLedger impatient = ledger.open(term, new FencedWriter(term, Duration.ofMillis(1)));
        impatient.load();
        FireId id = due("a", 0).id();
        proxy.dropReplies();
        assertThat(impatient.claim(List.of(due("a", 0))).get(0)).isInstanceOf(ClaimResult.GivenUp.class);
        assertThat(exists(id)).as("it was applied").isTrue();
        assertThat(state(id)).isEqualTo(RunningRecord.State.CLAIMED);
        proxy.heal();
        await().atMost(LONG).until(() -> state(id) == RunningRecord.State.RELEASED);
    }

    private RunningRecord.State state(FireId id) throws Exception {
        byte[] data = direct.curator().getData().forPath(fixture.running(id));
        return LedgerJson.read(data, RunningRecord.class, fixture.running(id)).state();
    }

    @Test
    void claimWhoseSessionIsLostIsGivenUpAndRecoveryDecides() throws Exception {
        FireId id = due("a", 0).id();
        CompletableFuture<ClaimResult> result = claimWithReplyLost(id);
        fixture.zookeeper.expire(term.session());
        proxy.heal();
        assertThat(result.get(60, TimeUnit.SECONDS)).isInstanceOf(ClaimResult.GivenUp.class);

        TermLedger next = fixture.ledger(direct).open(fixture.takeTerm(direct, "two"));
        LedgerState state = next.load();
        Held record = Fires.find(state.running(), id);
        assertThat(state.live()).doesNotContain(record.record().owner().incarnation());
        assertThat(next.abandon(record, "its instance is gone")).isInstanceOf(DecideResult.Decided.class);
    }

    @Test
    void outcomeAppliedWithItsReplyLostIsRecordedOnce() throws Exception {
        Claimed fire = claim(leader, due("a", 0));
        proxy.dropReplies();
        CompletableFuture<Completion> done = ledger.complete(fire, succeeded(), null);
        await().atMost(LONG)
                .until(() -> new LedgerReader(fixture.nodes, direct.session())
                        .running()
                        .isEmpty());
        assertThat(done).isNotDone();
        proxy.heal();
        assertThat(done.get(60, TimeUnit.SECONDS)).isEqualTo(new Completion.Recorded());
        leader.fold();
        assertThat(new LedgerReader(fixture.nodes, direct.session()).history(Fires.JOB))
                .hasSize(1);
    }

    @Test
    void outcomeOfALostSessionIsRecordedOnTheNextUnlessRecoveryWasFirst() throws Exception {
        leader.write(List.of(put("b")));
        Claimed kept = claim(leader, due("a", 0));
        Claimed decided = claim(leader, due("b", 0));
        proxy.cut();
        fixture.zookeeper.expire(term.session());
        TermLedger next = fixture.ledger(direct).open(fixture.takeTerm(direct, "two"));
        next.abandon(Fires.find(next.load().running(), decided.id()), "its instance is gone");
        proxy.heal();
        CompletableFuture<Completion> first = ledger.complete(kept, succeeded(), null);
        CompletableFuture<Completion> second = ledger.complete(decided, succeeded(), null);
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(new Completion.Recorded());
        assertThat(second.get(60, TimeUnit.SECONDS)).isInstanceOf(Completion.Overtaken.class);
    }

    @Test
    void retryOfALostSessionIsRecordedOnTheNextUnlessRecoveryWasFirst() throws Exception {
        leader.write(List.of(put("b")));
        Claimed kept = claim(leader, due("a", 0));
        Claimed decided = claim(leader, due("b", 0));
        proxy.cut();
        fixture.zookeeper.expire(term.session());
        TermLedger next = fixture.ledger(direct).open(fixture.takeTerm(direct, "two"));
        claim(next, new ClaimRequest.Retake(Fires.find(next.load().running(), decided.id())));
        proxy.heal();
        CompletableFuture<Completion> first = ledger.retry(kept, failed("boom"), Retry.at(Fires.NOON), null);
        CompletableFuture<Completion> second = ledger.retry(decided, failed("boom"), Retry.at(Fires.NOON), null);
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(new Completion.Recorded());
        assertThat(second.get(60, TimeUnit.SECONDS)).isInstanceOf(Completion.Overtaken.class);
        assertThat(Fires.find(next.running(), kept.id()).record().retry()).contains(Retry.at(Fires.NOON));
    }

    @Test
    void releaseIsGoodOnTheSessionThatClaimedAlone() throws Exception {
        Claimed fire = claim(leader, due("a", 0));
        assertThat(fire.tryRelease()).isTrue();
        proxy.cut();
        fixture.zookeeper.expire(term.session());
        proxy.heal();
        assertThat(ledger.release(fire).get(60, TimeUnit.SECONDS)).isInstanceOf(Completion.GivenUp.class);
    }
}
