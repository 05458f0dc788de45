package io.latchkey.ledger;

import static io.latchkey.ledger.Fires.JOB;
import static io.latchkey.ledger.Fires.claim;
import static io.latchkey.ledger.Fires.due;
import static io.latchkey.ledger.Fires.put;
import static io.latchkey.ledger.Fires.succeeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.election.Lease;
import io.latchkey.election.Term;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of two that would decide a fire at the same moment, one does. */
@Tag("slow")
class OneDecisionTest {
    private static final int RACES = 60;

    private LedgerFixture fixture;

    @BeforeEach
    void start() throws Exception {
        fixture = new LedgerFixture();
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void ofAnOutcomeAndARecoveryAtOnceOneStands() throws Exception {
        ZooKeeperClient one = fixture.zookeeper.client();
        ZooKeeperClient two = fixture.zookeeper.client();
        ZooKeeperFireLedger old = fixture.ledger(one);
        TermLedger first = old.open(fixture.takeTerm(one, "one"));
        first.load();
        first.write(List.of(put("a")));
        List<Claimed> fires = IntStream.range(0, RACES)
                .mapToObj(n -> claim(first, due("a", n)))
                .toList();
        TermLedger next = fixture.ledger(two).open(fixture.takeTerm(two, "two"));
        List<Held> seen = next.load().running();
        for (Claimed fire : fires) {
            Held record = Fires.find(seen, fire.id());
            CompletableFuture<Completion> outcome = old.complete(fire, succeeded(), null);
            boolean recovered = fire.id().slot().getEpochSecond() % 20 == 0
                    ? next.abandon(record, "gone") instanceof DecideResult.Decided
                    : next.claim(List.of(new ClaimRequest.Retake(record))).get(0) instanceof Claimed;
            boolean recorded = outcome.get(30, TimeUnit.SECONDS) instanceof Completion.Recorded;
            assertThat(recorded ^ recovered)
                    .as("%s: recorded %s", fire, recorded)
                    .isTrue();
        }
    }

    @Test
    void startAndReleaseAtOnceAreNeverBoth() throws Exception {
        Term term = InMemoryFireLedgerTest.term(1);
        RunningRecord record = RunningRecord.claimed(
                due("a", 0).id(), JOB, Fires.PLAIN, new Attempt(1, new Owner("one", "0x1", 1, 1), "n", Fires.NOON));
        for (int i = 0; i < 5_000; i++) {
            Claimed fire = new Claimed(new Held(record, 0), term);
            AtomicInteger won = new AtomicInteger();
            CompletableFuture<Void> release = CompletableFuture.runAsync(() -> {
                if (fire.tryRelease()) {
                    won.incrementAndGet();
                }
            });
            if (fire.tryStart(term)) {
                won.incrementAndGet();
            }
            release.get(30, TimeUnit.SECONDS);
            assertThat(won).hasValue(1);
        }
    }

    @Test
    void confirmedClaimIsAQuorumWriteForTheLease() throws Exception {
        ZooKeeperClient client = fixture.zookeeper.client();
        Lease unproven = new Lease(Duration.ofHours(1), Clock.systemUTC(), System::nanoTime);
        Term term = fixture.takeTerm(client, "one", unproven);
        TermLedger ledger = fixture.ledger(client).open(term);
        ledger.load();
        assertThat(term.mayStart()).isFalse();
        ledger.write(List.of(put("a")));
        assertThat(claim(ledger, due("a", 0)).tryStart(term)).isTrue();
    }
}
