package io.latchkey.ledger;

import static io.latchkey.ledger.Fires.JOB;
import static io.latchkey.ledger.Fires.NOON;
import static io.latchkey.ledger.Fires.claim;
import static io.latchkey.ledger.Fires.due;
import static io.latchkey.ledger.Fires.dueSkipping;
import static io.latchkey.ledger.Fires.failed;
import static io.latchkey.ledger.Fires.find;
import static io.latchkey.ledger.Fires.put;
import static io.latchkey.ledger.Fires.skip;
import static io.latchkey.ledger.Fires.slot;
import static io.latchkey.ledger.Fires.succeeded;
import static io.latchkey.ledger.Fires.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.election.Term;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;

/** What every {@link FireLedger} does. */
abstract class FireLedgerContract {
    abstract FireLedger ledger() throws Exception;

    /** Takes a term: from now on those before it are over. */
    abstract Term takeTerm() throws Exception;

    abstract void deleteCursorByHand(String name) throws Exception;

    abstract void deleteRecordByHand(FireId id) throws Exception;

    abstract List<HistoryEntry> history(JobKey job) throws Exception;

    private TermLedger lead() throws Exception {
        TermLedger term = ledger().open(takeTerm());
        term.load();
        return term;
    }

    private TermLedger leadWith(String... triggers) throws Exception {
        TermLedger term = lead();
        for (String name : triggers) {
            assertThat(term.write(List.of(put(name)))).isEqualTo(new WriteResult.Written(Map.of()));
        }
        return term;
    }

    private Completion complete(Claimed fire) throws Exception {
        return ledger().complete(fire, succeeded(), null).get(30, TimeUnit.SECONDS);
    }

    @Test
    void claimMovesTheCursorAndLeavesARecord() throws Exception {
        Claimed fire = claim(leadWith("a"), due("a", 0));
        LedgerState next = ledger().open(takeTerm()).load();
        assertThat(next.cursors().get(trigger("a"))).isEqualTo(due("a", 0).after());
        Held held = find(next.running(), fire.id());
        assertThat(held).isEqualTo(new Held(fire.record(), fire.version()));
        assertThat(held.record().state()).isEqualTo(RunningRecord.State.CLAIMED);
        assertThat(held.record().current().number()).isEqualTo(1);
    }

    @Test
    void everyClaimHasANonceOfItsOwn() throws Exception {
        TermLedger term = leadWith("a");
        assertThat(claim(term, due("a", 0)).record().current().nonce())
                .isNotEqualTo(claim(term, due("a", 1)).record().current().nonce());
    }

    @Test
    void revokedTermCanWriteNothing() throws Exception {
        TermLedger old = leadWith("a");
        Claimed fire = claim(old, due("a", 0));
        takeTermAndLoad();
        assertThat(old.claim(List.of(due("a", 1))).get(0)).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(old.write(List.of(put("b")))).isInstanceOf(WriteResult.Fenced.class);
        assertThat(old.abandon(new Held(fire.record(), fire.version()), "test"))
                .isInstanceOf(DecideResult.Fenced.class);
    }

    @Test
    void revokedTermsGateIsClosedWhenTheRefusedClaimReturns() throws Exception {
        Term term = takeTerm();
        TermLedger old = ledger().open(term);
        old.load();
        old.write(List.of(put("a")));
        takeTermAndLoad();
        assertThat(term.gate().isOpen()).isTrue();
        old.claim(List.of(due("a", 0)));
        assertThat(term.gate().isOpen()).isFalse();
    }

    private TermLedger takeTermAndLoad() throws Exception {
        return lead();
    }

    @Test
    void outcomeIsRecordedWhoeverLeads() throws Exception {
        Claimed fire = claim(leadWith("a"), due("a", 0));
        TermLedger next = lead();
        assertThat(complete(fire)).isEqualTo(new Completion.Recorded());
        next.fold();
        assertThat(history(JOB)).extracting(HistoryEntry::id).containsExactly(fire.id());
        assertThat(next.running()).isEmpty();
    }

    @Test
    void ofOutcomeAndRecoveryTheFirstStands() throws Exception {
        Claimed first = claim(leadWith("a"), due("a", 0));
        TermLedger next = lead();
        Held seen = find(next.running(), first.id());
        assertThat(complete(first)).isEqualTo(new Completion.Recorded());
        assertThat(next.abandon(seen, "gone")).isInstanceOf(DecideResult.Overtaken.class);
        assertThat(next.claim(List.of(new ClaimRequest.Retake(seen))).get(0))
                .isInstanceOf(ClaimResult.AlreadyDecided.class);

        Claimed second = claim(next, due("a", 1));
        assertThat(next.abandon(find(next.running(), second.id()), "gone")).isInstanceOf(DecideResult.Decided.class);
        assertThat(complete(second)).isInstanceOf(Completion.Overtaken.class);
        next.fold();
        assertThat(history(JOB))
                .extracting(e -> e.outcome().kind())
                .containsExactlyInAnyOrder(Outcome.Kind.SUCCEEDED, Outcome.Kind.ABANDONED);
    }

    @Test
    void recoveryIsTheNextAttemptAndTheFormerIsInHistoryAsRecovered() throws Exception {
        Claimed first = claim(leadWith("a"), due("a", 0));
        TermLedger next = lead();
        Claimed second = claim(next, new ClaimRequest.Retake(find(next.running(), first.id())));
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.record().current().number()).isEqualTo(2);
        assertThat(second.record().earlier()).containsExactly(first.record().current());
        assertThat(complete(first)).isInstanceOf(Completion.Overtaken.class);
        assertThat(history(JOB)).as("while the second runs").singleElement().satisfies(e -> {
            assertThat(e.attempt() + " " + e.outcome().kind()).isEqualTo("1 RECOVERED");
            assertThat(e.outcome().at())
                    .as("ended when it was taken over")
                    .isEqualTo(second.record().current().claimed());
        });
        assertThat(complete(second)).isEqualTo(new Completion.Recorded());
        next.fold();
        assertThat(history(JOB))
                .extracting(e -> e.attempt() + " " + e.outcome().kind())
                .containsExactlyInAnyOrder("1 RECOVERED", "2 SUCCEEDED");
    }

    @Test
    void releasedFireIsRetakenAsTheSameAttempt() throws Exception {
        Claimed first = claim(leadWith("a"), due("a", 0));
        assertThat(first.tryRelease()).isTrue();
        assertThat(first.tryStart(first.term())).isFalse();
        assertThat(ledger().release(first).get(30, TimeUnit.SECONDS)).isEqualTo(new Completion.Recorded());
        TermLedger next = lead();
        Held released = find(next.running(), first.id());
        assertThat(released.record().state()).isEqualTo(RunningRecord.State.RELEASED);
        Claimed again = claim(next, new ClaimRequest.Retake(released));
        assertThat(again.record().current().number()).isEqualTo(1);
        assertThat(again.record().earlier()).isEmpty();
        assertThat(again.tryStart(again.term())).isTrue();
        assertThat(again.tryRelease()).isFalse();
        assertThat(again.tryStart(again.term())).isFalse();
    }

    @Test
    void failedAttemptIsKeptAndTheNextOneWaitsForWhoeverLeadsThen() throws Exception {
        Claimed first = claim(leadWith("a"), due("a", 0));
        TermLedger next = lead();
        Retry retry = new Retry(NOON.plusSeconds(11), NOON.plusSeconds(60));
        assertThat(ledger().retry(first, failed("boom"), retry, Map.of("rows", 3))
                        .get(30, TimeUnit.SECONDS))
                .as("written by whoever ran it, leader or not")
                .isEqualTo(new Completion.Recorded());
        Held waiting = find(next.running(), first.id());
        assertThat(waiting.record().retry()).contains(retry);
        assertThat(waiting.record().current().number()).isEqualTo(2);
        assertThat(waiting.record().failures()).isEqualTo(1);
        assertThat(next.jobData(JOB)).contains(Map.of("rows", 3));
        next.fold();
        assertThat(history(JOB))
                .as("what became of the first attempt; the fire has no outcome yet")
                .extracting(e -> e.attempt() + " " + e.outcome().kind() + " " + (e.retried() != null))
                .containsExactly("1 FAILED true");

        Claimed second = claim(next, new ClaimRequest.Retake(waiting));
        assertThat(second.record().current().number()).isEqualTo(2);
        assertThat(second.record().retry()).isEmpty();
        assertThat(ledger().retry(second, failed("again"), retry, null).get(30, TimeUnit.SECONDS))
                .isEqualTo(new Completion.Recorded());
        Claimed third = claim(next, new ClaimRequest.Retake(find(next.running(), first.id())));
        assertThat(complete(third)).isEqualTo(new Completion.Recorded());
        next.fold();
        assertThat(history(JOB))
                .extracting(e -> e.attempt() + " " + e.outcome().kind() + " "
                        + e.outcome().error() + " " + (e.retried() != null))
                .containsExactlyInAnyOrder("1 FAILED boom true", "2 FAILED again true", "3 SUCCEEDED null false");
    }

    @Test
    void ofARetryAndARecoveryOneStands() throws Exception {
        Claimed first = claim(leadWith("a"), due("a", 0));
        TermLedger next = lead();
        Held seen = find(next.running(), first.id());
        Retry retry = Retry.at(NOON);
        assertThat(ledger().retry(first, failed("boom"), retry, null).get(30, TimeUnit.SECONDS))
                .isEqualTo(new Completion.Recorded());
        assertThat(next.claim(List.of(new ClaimRequest.Retake(seen))).get(0))
                .isInstanceOf(ClaimResult.AlreadyDecided.class);
        assertThat(next.abandon(seen, "gone")).isInstanceOf(DecideResult.Overtaken.class);

        Claimed second = claim(next, new ClaimRequest.Retake(find(next.running(), first.id())));
        Claimed recovered = claim(lead(), new ClaimRequest.Retake(find(next.running(), first.id())));
        assertThat(ledger().retry(second, failed("late"), retry, null).get(30, TimeUnit.SECONDS))
                .isInstanceOf(Completion.Overtaken.class);
        assertThat(recovered.record().current().number()).isEqualTo(3);
        assertThat(recovered.record().failures()).isEqualTo(1);
        assertThat(recovered.record().earlier()).hasSize(2);
    }

    @Test
    void claimKnownNeverToHaveStartedIsRetakenAsIfGivenBack() throws Exception {
        Claimed first = claim(leadWith("a"), due("a", 0));
        TermLedger next = lead();
        Held unanswered = find(next.running(), first.id());
        Held asReleased = new Held(unanswered.record().released(), unanswered.version());
        Claimed again = claim(next, new ClaimRequest.Retake(asReleased));
        assertThat(again.record().current().number()).isEqualTo(1);
        assertThat(again.record().earlier()).isEmpty();
        assertThat(next.claim(List.of(new ClaimRequest.Retake(asReleased))).get(0))
                .as("the release of it, should it come late")
                .isInstanceOf(ClaimResult.AlreadyDecided.class);
    }

    @Test
    void claimStartsUnderItsOwnTermAlone() throws Exception {
        Claimed fire = claim(leadWith("a"), due("a", 0));
        Term later = takeTerm();
        assertThat(fire.tryStart(later)).isFalse();
        fire.term().over("test");
        assertThat(fire.tryStart(fire.term())).isFalse();
        assertThat(fire.tryRelease()).isTrue();
    }

    @Test
    void fireWithARecordIsNotClaimedAgainButItsTriggerGoesOn() throws Exception {
        TermLedger term = leadWith("a");
        claim(term, due("a", 0));
        deleteCursorByHand("a");
        TermLedger next = lead();
        next.write(List.of(put("a")));
        assertThat(next.claim(List.of(due("a", 0))).get(0)).isInstanceOf(ClaimResult.AlreadyDecided.class);
        claim(next, due("a", 1));
    }

    @Test
    void slotThatIsHistoryIsNotClaimedAgainThoughItsCursorWasSetBack() throws Exception {
        TermLedger term = leadWith("a");
        complete(claim(term, due("a", 0)));
        complete(claim(term, due("a", 1)));
        term.fold();
        term.write(List.of(put("a")));
        for (int n = 0; n < 2; n++) {
            assertThat(term.claim(List.of(due("a", n))).get(0)).isInstanceOf(ClaimResult.AlreadyDecided.class);
        }
        claim(term, due("a", 2));
    }

    @Test
    void deletedCursorDropsItsOwnFireAlone() throws Exception {
        TermLedger term = leadWith("a", "b", "c");
        claim(term, due("b", 0));
        deleteCursorByHand("b");
        List<ClaimResult> results = term.claim(List.of(due("a", 0), due("b", 1), due("c", 0)));
        assertThat(results.get(0)).isInstanceOf(Claimed.class);
        assertThat(results.get(1))
                .isEqualTo(new ClaimResult.CursorConflict(due("b", 1).id(), null, slot(0)));
        assertThat(results.get(2)).isInstanceOf(Claimed.class);
        term.write(List.of(new CursorWrite.Put(due("b", 0).after(), Optional.empty())));
        claim(term, due("b", 1));
    }

    @Test
    void deletedRecordOvertakesItsOwnOutcomeAlone() throws Exception {
        TermLedger term = leadWith("a", "b");
        Claimed a = claim(term, due("a", 0));
        Claimed b = claim(term, due("b", 0));
        deleteRecordByHand(a.id());
        assertThat(complete(a)).isInstanceOf(Completion.Overtaken.class);
        assertThat(complete(b)).isEqualTo(new Completion.Recorded());
    }

    @Test
    void skippedSlotsAreOnRecordWithTheirNumber() throws Exception {
        TermLedger term = leadWith("a", "b");
        claim(term, dueSkipping("a", 5));
        term.write(List.of(new CursorWrite.Put(due("b", 7).after(), Optional.of(skip("b", 8)))));
        term.fold();
        assertThat(history(JOB)).extracting(e -> e.outcome().kind()).containsOnly(Outcome.Kind.SKIPPED);
        assertThat(history(JOB)).extracting(e -> e.outcome().count()).containsExactlyInAnyOrder(5L, 8L);
    }

    @Test
    void persistedDataIsThereForTheNextLeader() throws Exception {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("count", 7L);
        data.put("note", "ü");
        Claimed fire = claim(leadWith("a"), due("a", 0));
        ledger().complete(fire, succeeded(), data).get(30, TimeUnit.SECONDS);
        TermLedger next = ledger().open(takeTerm());
        assertThat(next.load().jobData().get(JOB)).isEqualTo(data);
        assertThat(next.jobData(JOB)).contains(data);
        assertThat(next.jobData(new JobKey("other"))).isEmpty();
    }

    @Test
    void lateOutcomeThatIsOvertakenKeepsNoData() throws Exception {
        Claimed fire = claim(leadWith("a"), due("a", 0));
        TermLedger next = lead();
        next.abandon(find(next.running(), fire.id()), "gone");
        ledger().complete(fire, succeeded(), Map.of("x", 1)).get(30, TimeUnit.SECONDS);
        assertThat(next.jobData(JOB).map(Map::size).orElse(0)).isZero();
    }

    @Test
    void requestIsConsumedWithItsClaim() throws Exception {
        TermLedger term = lead();
        String name = ledger().submit(Request.trigger(JOB, Map.of("k", "v"), "test", NOON));
        Request request = term.requests().get(0);
        assertThat(request.seq()).isEqualTo(name);
        ClaimRequest.Requested asked =
                new ClaimRequest.Requested(request, new RunInfo(true, false, Missed.NONE, request.data()));
        Claimed fire = claim(term, asked);
        assertThat(fire.record().info().data()).isEqualTo(Map.of("k", "v"));
        assertThat(term.requests()).isEmpty();
        assertThat(term.claim(List.of(asked)).get(0)).isInstanceOf(ClaimResult.AlreadyDecided.class);
    }

    @Test
    void pauseOutlivesTheTerm() throws Exception {
        TermLedger term = lead();
        ledger().submit(new Request("", Request.Kind.PAUSE, JOB, null, Map.of(), "test", NOON));
        Paused paused = new Paused(false, Set.of(JOB), Set.of());
        term.answer(term.requests().get(0), Optional.of(paused));
        LedgerState next = ledger().open(takeTerm()).load();
        assertThat(next.paused()).isEqualTo(paused);
        assertThat(next.requests()).isEmpty();
    }

    @Test
    void holdOutlivesTheTermAndAFormerOneCannotSetIt() throws Exception {
        TermLedger term = lead();
        OnHold onHold = new OnHold(JOB, NOON, NOON, new OnHold.Waiting(Fires.slot(0), Fires.slot(3), 4, 1));
        Paused held = Paused.NOTHING.holding(Map.of(trigger("a"), onHold));
        assertThat(term.pause(held)).isInstanceOf(WriteResult.Written.class);
        assertThat(term.pause(held)).isInstanceOf(WriteResult.Written.class);
        TermLedger next = ledger().open(takeTerm());
        assertThat(next.load().paused()).isEqualTo(held);
        assertThat(term.pause(Paused.NOTHING)).isInstanceOf(WriteResult.Fenced.class);
    }

    @Test
    void cursorIsDeletedAndKnownSlotsAreNot() throws Exception {
        TermLedger term = leadWith("a");
        Claimed fire = claim(term, due("a", 3));
        complete(fire);
        term.fold();
        term.write(List.of(new CursorWrite.Delete(trigger("a"))));
        TermLedger next = ledger().open(takeTerm());
        assertThat(next.load().cursors()).isEmpty();
        assertThat(next.latestSlots(List.of(JOB))).containsEntry(trigger("a"), slot(3));
        next.forget(JOB);
        assertThat(history(JOB)).isEmpty();
    }

    @Test
    void ownersLiveByTheirIncarnation() throws Exception {
        Claimed fire = claim(leadWith("a"), due("a", 0));
        assertThat(lead().liveIncarnations()).contains(fire.record().owner().incarnation());
    }
}
