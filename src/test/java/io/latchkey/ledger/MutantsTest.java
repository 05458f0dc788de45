package io.latchkey.ledger;

import static io.latchkey.ledger.UnguardedWriter.Guard.CURSOR_VERSION;
import static io.latchkey.ledger.UnguardedWriter.Guard.LATCH_NODE;
import static io.latchkey.ledger.UnguardedWriter.Guard.LEADER_VERSION;
import static io.latchkey.ledger.UnguardedWriter.Guard.RECORD_VERSION;
import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.election.Gate;
import io.latchkey.election.Lease;
import io.latchkey.election.Tenure;
import io.latchkey.election.Term;
import io.latchkey.ledger.UnguardedWriter.Guard;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Each guard of a leader's writes and starts, taken out: what it keeps from happening happens. And with the guard there it
 * does not, or the scene would prove nothing. {@code src/test/MUTANTS.md} is the list of all such tests.
 */
class MutantsTest {
    private static LedgerFixture fixture;
    private static ZooKeeperClient one;
    private static ZooKeeperClient two;
    private static int scenes;

    @BeforeAll
    static void start() throws Exception {
        fixture = new LedgerFixture();
        one = fixture.zookeeper.client();
        two = fixture.zookeeper.client();
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @Test
    void withoutTheCheckOfLeaderAnEarlierTermStillClaims() throws Exception {
        assertThat(laterSlotIsClaimedByTheEarlierTerm(Set.of())).isFalse();
        assertThat(laterSlotIsClaimedByTheEarlierTerm(Set.of(LEADER_VERSION))).isTrue();
    }

    @Test
    void withoutTheCheckOfLeaderAndTheCursorsVersionAFireStartsTwice() throws Exception {
        assertThat(sameSlotStartsUnderBothTerms(Set.of())).isFalse();
        assertThat(sameSlotStartsUnderBothTerms(Set.of(LEADER_VERSION)))
                .as("the cursor's version backs the check of /leader up")
                .isFalse();
        assertThat(sameSlotStartsUnderBothTerms(Set.of(CURSOR_VERSION))).isFalse();
        assertThat(sameSlotStartsUnderBothTerms(Set.of(LEADER_VERSION, CURSOR_VERSION)))
                .isTrue();
    }

    @Test
    void withoutTheCursorsVersionAPlaceSetByHandIsOverwritten() throws Exception {
        assertThat(placeSetByHandIsOverwritten(Set.of())).isFalse();
        assertThat(placeSetByHandIsOverwritten(Set.of(CURSOR_VERSION))).isTrue();
    }

    @Test
    void withoutTheCheckOfTheLatchNodeATermClaimsOnceLeaderIsMadeAnew() throws Exception {
        assertThat(claimsAfterLeaderWasMadeAnew(Set.of())).isFalse();
        assertThat(claimsAfterLeaderWasMadeAnew(Set.of(LEADER_VERSION))).isFalse();
        assertThat(claimsAfterLeaderWasMadeAnew(Set.of(LATCH_NODE))).isTrue();
    }

    @Test
    void withoutTheChecksOfLeaderAndLatchNodeOneThatHasLostBothStillClaims() throws Exception {
        assertThat(claimsWithoutLatchAfterANewTerm(Set.of())).isFalse();
        assertThat(claimsWithoutLatchAfterANewTerm(Set.of(LEADER_VERSION))).isFalse();
        assertThat(claimsWithoutLatchAfterANewTerm(Set.of(LATCH_NODE))).isFalse();
        assertThat(claimsWithoutLatchAfterANewTerm(Set.of(LEADER_VERSION, LATCH_NODE)))
                .isTrue();
    }

    @Test
    void withoutTheRecordsVersionAFireThatEndedIsAbandonedToo() throws Exception {
        assertThat(endedFireIsAbandonedToo(Set.of())).isFalse();
        assertThat(endedFireIsAbandonedToo(Set.of(RECORD_VERSION))).isTrue();
    }

    @Test
    void withoutTheLeaseAClaimStartsThoughTheSessionMayBeOver() throws Exception {
        assertThat(startsOnceTheLeaseIsOver(Set.of())).isFalse();
        assertThat(startsOnceTheLeaseIsOver(Set.of(Local.LEASE))).isTrue();
    }

    @Test
    void withoutTheGateAClaimStartsThoughTheTermIsOver() throws Exception {
        assertThat(startsOnceTheTermIsOver(Set.of())).isFalse();
        assertThat(startsOnceTheTermIsOver(Set.of(Local.GATE))).isTrue();
    }

    @Test
    void withoutGateAndLeaseAClaimStartsThoughTheSessionIsKnownToBeOver() throws Exception {
        assertThat(startsOnceTheSessionIsOver(Set.of())).isFalse();
        assertThat(startsOnceTheSessionIsOver(Set.of(Local.GATE))).isFalse();
        assertThat(startsOnceTheSessionIsOver(Set.of(Local.LEASE))).isFalse();
        assertThat(startsOnceTheSessionIsOver(Set.of(Local.GATE, Local.LEASE))).isTrue();
    }

    /** An earlier leader that knows of nothing, and its successor; each scene has a trigger of its own. */
    private static final class Scene {
        final String trigger = "t" + ++scenes;
        final ZooKeeperFireLedger earlierLedger = fixture.ledger(one);
        final ZooKeeperFireLedger nextLedger = fixture.ledger(two);
        final Term term;
        final TermLedger earlier;
        private final Set<Guard> out;

        Scene(Set<Guard> out) throws Exception {
            this.out = out;
            term = fixture.takeTerm(one, "one");
            earlier = earlierLedger.open(term, new UnguardedWriter(term, fixture.nodes, out));
            earlier.load();
            earlier.write(List.of(Fires.put(trigger)));
        }

        TermLedger successor() throws Exception {
            Term next = fixture.takeTerm(two, "two");
            TermLedger opened = nextLedger.open(next, new UnguardedWriter(next, fixture.nodes, out));
            opened.load();
            return opened;
        }

        ClaimResult claims(int slot) {
            return earlier.claim(List.of(Fires.due(trigger, slot))).get(0);
        }

        boolean starts(int slot) {
            return claims(slot) instanceof Claimed claimed && claimed.tryStart(term);
        }
    }

    private static boolean laterSlotIsClaimedByTheEarlierTerm(Set<Guard> out) throws Exception {
        Scene scene = new Scene(out);
        scene.successor();
        return scene.claims(0) instanceof Claimed;
    }

    private static boolean sameSlotStartsUnderBothTerms(Set<Guard> out) throws Exception {
        Scene scene = new Scene(out);
        TermLedger next = scene.successor();
        Claimed fire = Fires.claim(next, Fires.due(scene.trigger, 0));
        scene.nextLedger.complete(fire, Fires.succeeded(), null).get(30, TimeUnit.SECONDS);
        // Its record is history by now, so that no record stands in the way of another claim.
        next.fold();
        return scene.starts(0);
    }

    private static boolean placeSetByHandIsOverwritten(Set<Guard> out) throws Exception {
        Scene scene = new Scene(out);
        byte[] byHand = LedgerJson.write(Fires.due(scene.trigger, 7).after());
        one.curator().setData().forPath(fixture.cursor(scene.trigger), byHand);
        return scene.claims(0) instanceof Claimed;
    }

    private static boolean claimsAfterLeaderWasMadeAnew(Set<Guard> out) throws Exception {
        if (two.curator().checkExists().forPath(fixture.nodes.leader()) != null) {
            fixture.delete(two, fixture.nodes.leader());
        }
        Scene scene = new Scene(out);
        fixture.delete(two, scene.term.latchNode());
        fixture.delete(two, fixture.nodes.leader());
        scene.successor();
        return scene.claims(0) instanceof Claimed;
    }

    private static boolean claimsWithoutLatchAfterANewTerm(Set<Guard> out) throws Exception {
        Scene scene = new Scene(out);
        fixture.delete(two, scene.term.latchNode());
        scene.successor();
        return scene.claims(0) instanceof Claimed;
    }

    private static boolean endedFireIsAbandonedToo(Set<Guard> out) throws Exception {
        Scene scene = new Scene(Set.of());
        Claimed fire = Fires.claim(scene.earlier, Fires.due(scene.trigger, 0));
        Term next = fixture.takeTerm(two, "two");
        TermLedger successor = scene.nextLedger.open(next, new UnguardedWriter(next, fixture.nodes, out));
        Held seen = Fires.find(successor.load().running(), fire.id());
        scene.earlierLedger.complete(fire, Fires.succeeded(), null).get(30, TimeUnit.SECONDS);
        return successor.abandon(seen, "thought to be gone") instanceof DecideResult.Decided;
    }

    /** What is asked on this machine, before a start. */
    private enum Local {
        GATE,
        LEASE
    }

    /** A term and a claim of it, asking what is not taken out; the rest is told, but nobody asks it. */
    private static final class Start {
        private static final Duration SESSION = Duration.ofSeconds(10);
        private long nanos;
        private final Lease lease = new Lease(SESSION, Clock.systemUTC(), () -> nanos);
        private final Gate gate = new Gate();
        private final Term asked;
        private final Claimed claim;

        Start(Set<Local> out) throws Exception {
            lease.confirmedWrite(0);
            gate.open();
            Lease endless = new Lease(SESSION, Clock.systemUTC(), () -> 0);
            endless.confirmedWrite(0);
            Gate openForEver = new Gate();
            openForEver.open();
            Tenure tenure = new Tenure(1, 1, 1, "/latchkey/latch/own", "one", Fires.NOON);
            asked = new Term(
                    tenure,
                    fixture.nodes,
                    one.session(),
                    out.contains(Local.GATE) ? openForEver : gate,
                    out.contains(Local.LEASE) ? endless : lease,
                    why -> {});
            RunningRecord record = RunningRecord.claimed(
                    Fires.due("local", 0).id(),
                    Fires.JOB,
                    Fires.PLAIN,
                    new Attempt(1, new Owner("one", "0x1", 1, 1), "n", Fires.NOON));
            claim = new Claimed(new Held(record, 0), asked);
        }

        boolean starts() {
            return claim.tryStart(asked);
        }
    }

    private static boolean startsOnceTheLeaseIsOver(Set<Local> out) throws Exception {
        Start start = new Start(out);
        start.nanos = Start.SESSION.toNanos();
        return start.starts();
    }

    private static boolean startsOnceTheTermIsOver(Set<Local> out) throws Exception {
        Start start = new Start(out);
        start.gate.close("another term began");
        return start.starts();
    }

    private static boolean startsOnceTheSessionIsOver(Set<Local> out) throws Exception {
        Start start = new Start(out);
        start.gate.close("the session is over");
        start.lease.end();
        return start.starts();
    }
}
