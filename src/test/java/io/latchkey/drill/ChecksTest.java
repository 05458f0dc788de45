package io.latchkey.drill;

import static io.latchkey.drill.EvidenceBuilder.FROM;
import static io.latchkey.drill.EvidenceBuilder.TO;
import static io.latchkey.drill.EvidenceBuilder.trigger;
import static io.latchkey.drill.EvidenceBuilder.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.ledger.Outcome;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A drill that cannot fail proves nothing: each check is given evidence of what it is there for. */
class ChecksTest {
    private static final DrillTrigger ALL = trigger("cron-all");
    private static final DrillTrigger ONCE = trigger("cron-once");
    private static final DrillTrigger NOTHING = trigger("cron-nothing");
    private static final DrillTrigger RECOVER = trigger("cron-all-recover");
    private static final DrillTrigger SINGLE = trigger("single-all");
    private static final Instant SLOT = FROM.plusSeconds(30);

    @Test
    void nothingIsFoundWhereAllIsWell() {
        assertThat(whole().violations()).isEmpty();
    }

    @Test
    void anAttemptThatStartedTwiceIsFound() {
        assertFound(whole().start(ALL, SLOT, 1, "b", 2, SLOT.plusSeconds(1)), Violation.Kind.DUPLICATE);
    }

    @Test
    void aRunThatIsNotDueIsFound() {
        assertFound(
                whole().ran(trigger("calendar-once-recover"), SLOT.plusSeconds(1), 1, "a", 1),
                Violation.Kind.DUPLICATE);
    }

    @Test
    void aFireWithoutOutcomeIsLostTheFirstAndTheLastToo() {
        assertFound(whole().forget(ALL, SLOT), Violation.Kind.LOST);
        assertFound(whole().forget(ALL, FROM), Violation.Kind.LOST);
        assertFound(whole().forget(ALL, TO.minusSeconds(1)), Violation.Kind.LOST);
    }

    @Test
    void aFireThatRanButHasNoOutcomeIsLost() {
        EvidenceBuilder doctored = whole();
        doctored.decisions.removeIf(decision ->
                decision.fire().slot().equals(SLOT) && decision.fire().trigger().equals(ALL.name()));
        assertFound(doctored, Violation.Kind.LOST);
    }

    @Test
    void anOutcomeWithoutItsRunIsFound() {
        EvidenceBuilder doctored = whole();
        doctored.lines.removeIf(
                line -> line.fire().slot().equals(SLOT) && line.fire().trigger().equals(ALL.name()));
        assertFound(doctored, Violation.Kind.LOST);
    }

    @Test
    void twoOutcomesOfOneFireAreFound() {
        assertFound(
                whole().decided(ALL, SLOT, 2, "b", Outcome.Kind.ABANDONED, SLOT.plusSeconds(20))
                        .aDiedAt(SLOT),
                Violation.Kind.DUPLICATE);
    }

    @Test
    void aSkipThatCoversAFireThatRanIsFound() {
        EvidenceBuilder doctored = whole().forget(ONCE, SLOT);
        doctored.decisions.add(skipped(ONCE, SLOT, 3, SLOT.plusSeconds(5)));
        assertFound(doctored, Violation.Kind.DUPLICATE);
    }

    @Test
    void aSkipAfterTheThresholdIsRight() {
        EvidenceBuilder gap = whole();
        for (int i = 0; i < 3; i++) {
            gap.forget(NOTHING, SLOT.minusSeconds(i));
        }
        gap.decisions.add(skipped(NOTHING, SLOT, 3, SLOT.plusSeconds(1)));
        assertThat(gap.violations()).isEmpty();
    }

    @Test
    void aSkipBeforeTheThresholdIsFound() {
        EvidenceBuilder early = whole().forget(NOTHING, SLOT);
        early.decisions.add(skipped(NOTHING, SLOT, 1, SLOT.plusSeconds(1)));
        assertFound(early, Violation.Kind.UNEXPLAINED);
    }

    @Test
    void aSkipUnderIgnoreMisfiresIsFound() {
        EvidenceBuilder doctored = whole().forget(ALL, SLOT);
        doctored.decisions.add(skipped(ALL, SLOT, 1, SLOT.plusSeconds(20)));
        assertFound(doctored, Violation.Kind.UNEXPLAINED);
    }

    @Test
    void aLatestSlotThatIsSkippedThoughItHadToRunForAllIsFound() {
        EvidenceBuilder gap = whole();
        for (int i = 0; i < 3; i++) {
            gap.forget(ONCE, SLOT.minusSeconds(i));
        }
        gap.decisions.add(skipped(ONCE, SLOT, 3, SLOT.plusMillis(500)));
        assertFound(gap, Violation.Kind.UNEXPLAINED);
    }

    @Test
    void aFireInFlightAtTheKillMayBeAbandoned() {
        EvidenceBuilder killed = whole().forget(ALL, SLOT)
                .start(ALL, SLOT, 1, "a", 1, SLOT.plusMillis(5))
                .decided(ALL, SLOT, 1, "a", Outcome.Kind.ABANDONED, SLOT.plusSeconds(4));
        takeover(killed);
        assertThat(killed.violations()).isEmpty();
    }

    @Test
    void anAbandonedFireWhoseOwnerLivedIsFound() {
        assertFound(
                whole().forget(ALL, SLOT)
                        .start(ALL, SLOT, 1, "a", 1, SLOT.plusMillis(5))
                        .decided(ALL, SLOT, 1, "a", Outcome.Kind.ABANDONED, SLOT.plusSeconds(4)),
                Violation.Kind.UNEXPLAINED);
    }

    @Test
    void anAbandonedFireThatHadEndedLongBeforeIsFound() {
        EvidenceBuilder killed = whole().forget(ALL, SLOT.minusSeconds(20))
                .start(ALL, SLOT.minusSeconds(20), 1, "a", 1, SLOT.minusMillis(19_995))
                .end(ALL, SLOT.minusSeconds(20), 1, "a", 1, SLOT.minusMillis(19_900))
                .decided(ALL, SLOT.minusSeconds(20), 1, "a", Outcome.Kind.ABANDONED, SLOT.plusSeconds(4));
        takeover(killed);
        assertFound(killed, Violation.Kind.UNEXPLAINED);
    }

    @Test
    void anAbandonedFireThatAsksForRecoveryIsFound() {
        EvidenceBuilder killed = whole().forget(RECOVER, SLOT)
                .start(RECOVER, SLOT, 1, "a", 1, SLOT.plusMillis(5))
                .decided(RECOVER, SLOT, 1, "a", Outcome.Kind.ABANDONED, SLOT.plusSeconds(4));
        takeover(killed);
        assertFound(killed, Violation.Kind.UNEXPLAINED);
    }

    @Test
    void aRecoveryAfterTheOwnersDeathIsRight() {
        EvidenceBuilder killed = recovered();
        takeover(killed);
        assertThat(killed.violations()).isEmpty();
    }

    @Test
    void aRecoveryWhileTheOwnerLivesIsFound() {
        EvidenceBuilder alive = recovered();
        // As in a takeover, but that the session of "a" goes on.
        takeover(alive);
        alive.aDiedAt(TO);
        assertFound(alive, Violation.Kind.RECOVERY);
    }

    @Test
    void aFailureThatIsNotTriedAgainOrNoFailingJobsIsFound() {
        assertFound(
                whole().forget(ALL, SLOT)
                        .start(ALL, SLOT, 1, "a", 1, SLOT.plusMillis(5))
                        .end(ALL, SLOT, 1, "a", 1, SLOT.plusMillis(9))
                        .decided(ALL, SLOT, 1, "a", Outcome.Kind.FAILED, SLOT.plusMillis(9))
                        .ran(ALL, SLOT, 2, "a", 1),
                Violation.Kind.UNEXPLAINED);
        EvidenceBuilder given = whole();
        given.decisions.replaceAll(
                d -> d.kind() != Outcome.Kind.FAILED || !d.fire().slot().equals(SLOT)
                        ? d
                        : new Decision(d.fire(), d.kind(), d.at(), d.count(), d.owner(), d.claimed(), false));
        assertThat(given.violations())
                .extracting(Violation::kind)
                .contains(Violation.Kind.UNEXPLAINED, Violation.Kind.RECOVERY, Violation.Kind.DUPLICATE);
    }

    @Test
    void aRetryBeforeTheFailedAttemptHasEndedIsFound() {
        DrillTrigger failing = trigger("failing");
        assertFound(
                whole().forget(failing, SLOT)
                        .start(failing, SLOT, 1, "a", 1, SLOT.plusMillis(5))
                        .ran(failing, SLOT, 2, "a", 1)
                        .decided(failing, SLOT, 1, "a", Outcome.Kind.FAILED, SLOT.plusMillis(900)),
                Violation.Kind.RECOVERY);
    }

    @Test
    void aStartUnderAnOldTokenIsFound() {
        EvidenceBuilder doctored = whole();
        takeover(doctored);
        doctored.forget(ALL, SLOT.plusSeconds(20))
                .start(ALL, SLOT.plusSeconds(20), 1, "a", 1, SLOT.plusMillis(20_005))
                .decided(ALL, SLOT.plusSeconds(20), 1, "a", Outcome.Kind.SUCCEEDED, SLOT.plusSeconds(21));
        assertFound(doctored, Violation.Kind.TOKEN);
    }

    @Test
    void aTokenThatFellWithTheTermAndATermWithTwoLeadersAreFound() {
        assertFound(withSecondTerm(2, 99), Violation.Kind.TOKEN);
        assertFound(withSecondTerm(1, 102), Violation.Kind.TOKEN);
    }

    /** After a takeover, its starts say another term and token than they were started under. */
    private static EvidenceBuilder withSecondTerm(long term, long token) {
        EvidenceBuilder doctored = whole();
        takeover(doctored);
        doctored.lines.replaceAll(line -> line.term() != 2
                ? line
                : new RunLine(
                        line.phase(),
                        line.at(),
                        line.instance(),
                        line.pid(),
                        line.job(),
                        line.fire(),
                        term,
                        token,
                        line.note()));
        return doctored;
    }

    @Test
    void aLeaderNodeThatWentBackIsFound() {
        EvidenceBuilder doctored = whole();
        doctored.leaders.add(new Sightings.LeaderSeen(FROM, "a", 5, 100));
        doctored.leaders.add(new Sightings.LeaderSeen(SLOT, "b", 6, 99));
        assertFound(doctored, Violation.Kind.TOKEN);
    }

    @Test
    void runsOfANonConcurrentJobThatOverlapAreFound() {
        EvidenceBuilder doctored = whole();
        takeover(doctored);
        doctored.forget(SINGLE, SLOT)
                .start(SINGLE, SLOT, 1, "a", 1, SLOT.plusMillis(5))
                .end(SINGLE, SLOT, 1, "a", 1, SLOT.plusMillis(4500))
                .decided(SINGLE, SLOT, 1, "a", Outcome.Kind.INTERRUPTED, SLOT.plusMillis(4500));
        doctored.processes.removeIf(life -> life.pid() == 1);
        assertFound(doctored, Violation.Kind.OVERLAP);
    }

    @Test
    void anOverlapAfterAFreezeIsMeasured() {
        EvidenceBuilder frozen = whole();
        takeover(frozen);
        Instant last = SLOT.plusSeconds(2);
        frozen.forget(SINGLE, last)
                .start(SINGLE, last, 1, "a", 1, last.plusMillis(5))
                .end(SINGLE, last, 1, "a", 1, last.plusMillis(2500))
                .decided(SINGLE, last, 1, "a", Outcome.Kind.ABANDONED, last.plusMillis(2100));
        frozen.tries.clear();
        FaultTry.Cut cut = new FaultTry.Cut("a", SLOT.plusMillis(3100), SLOT.plusMillis(4490), FaultTry.Cut.How.FROZEN);
        frozen.fault(FaultKind.FREEZE_LONG, SLOT.plusMillis(3100), List.of(cut), List.of(), true);

        Findings findings = Checks.judge(frozen.evidence());

        assertThat(findings.violations()).isEmpty();
        assertThat(findings.measured()).anyMatch(line -> line.contains("after a freeze, for 0.5 s"));
    }

    @Test
    void anOverlapAfterASessionsForcedEndIsMeasuredWithinTheLeaseAndFoundBeyond() {
        Findings soon = Checks.judge(withRunAcrossForcedEnd(900).evidence());
        assertThat(soon.violations()).isEmpty();
        assertThat(soon.measured()).anyMatch(line -> line.contains("ended from outside, for 0.9 s"));
        assertFound(withRunAcrossForcedEnd(1900), Violation.Kind.OVERLAP);
    }

    /** The session of "a" ends two seconds after a slot; "b" starts the next run at once, "a" goes on for a while. */
    private static EvidenceBuilder withRunAcrossForcedEnd(long overlapMillis) {
        EvidenceBuilder forced = whole();
        takeover(forced);
        Instant last = SLOT.plusSeconds(2);
        Instant next = SLOT.plusMillis(4005);
        forced.forget(SINGLE, last)
                .start(SINGLE, last, 1, "a", 1, last.plusMillis(5))
                .end(SINGLE, last, 1, "a", 1, next.plusMillis(overlapMillis))
                .decided(SINGLE, last, 1, "a", Outcome.Kind.ABANDONED, next.minusMillis(5));
        forced.forget(SINGLE, SLOT.plusSeconds(4))
                .start(SINGLE, SLOT.plusSeconds(4), 1, "b", 2, next)
                .end(SINGLE, SLOT.plusSeconds(4), 1, "b", 2, next.plusMillis(1950))
                .decided(SINGLE, SLOT.plusSeconds(4), 1, "b", Outcome.Kind.SUCCEEDED, next.plusMillis(1950));
        forced.tries.clear();
        Instant ended = next.minusMillis(50);
        FaultTry.Cut cut = new FaultTry.Cut("a", ended, ended, FaultTry.Cut.How.SESSION_ENDED);
        forced.fault(FaultKind.SESSION_EXPIRED, ended, List.of(cut), List.of(), true);
        return forced;
    }

    @Test
    void aStartByOneThatIsCutOffIsFoundOnceItsLeaseIsOver() {
        FaultTry.Cut long5 = new FaultTry.Cut("a", SLOT, SLOT.plusSeconds(5), FaultTry.Cut.How.NETWORK);
        FaultTry.Cut short1 = new FaultTry.Cut("a", SLOT, SLOT.plusSeconds(1), FaultTry.Cut.How.NETWORK);
        assertFound(whole().fault(FaultKind.CUT_ALL, SLOT, List.of(long5), List.of(), false), Violation.Kind.CUT);
        assertThat(whole().fault(FaultKind.CUT_ALL, SLOT, List.of(short1), List.of(), false)
                        .violations())
                .isEmpty();
    }

    @Test
    void aTakeoverThatTookTooLongIsFound() {
        assertFound(whole().fault(FaultKind.KILL_LEADER, SLOT, List.of(), List.of(), true), Violation.Kind.SLOW);
    }

    @Test
    void whatAnOperatorsHandDeletedIsNotTheServicesLossButDroppedSlotsAreOnRecord() {
        FaultTry.HandDeletion record = new FaultTry.HandDeletion(ALL.name(), SLOT, SLOT, SLOT);
        FaultTry.HandDeletion cursor = new FaultTry.HandDeletion(ONCE.name(), null, SLOT, SLOT.plusSeconds(2));
        EvidenceBuilder deleted = whole().forget(ALL, SLOT)
                .forget(ONCE, SLOT)
                .forget(ONCE, SLOT.plusSeconds(1))
                .fault(FaultKind.CURSOR_DELETED, SLOT, List.of(), List.of(record, cursor), false);
        assertFound(deleted, Violation.Kind.LOST);
        deleted.decisions.add(skipped(ONCE, SLOT.plusSeconds(1), 2, SLOT.plusSeconds(2)));
        assertThat(deleted.violations()).isEmpty();
        assertFound(deleted.forget(ALL, SLOT.plusSeconds(1)), Violation.Kind.LOST);
        assertFound(deleted.forget(ONCE, SLOT.plusSeconds(9)), Violation.Kind.LOST);
    }

    @Test
    void aFaultKindThatNeverHadAnEffectFailsTheDrill() {
        Report report = Report.of(1, List.of(FaultKind.KILL_LEADER), whole().evidence(), List.of());
        assertThat(report.holds()).isFalse();
        assertThat(report.violations()).extracting(Violation::kind).containsOnly(Violation.Kind.DRILL);
    }

    @Test
    void theReportIsReadable() {
        EvidenceBuilder killed = whole();
        takeover(killed);
        Report report = Report.of(7, List.of(FaultKind.KILL_LEADER), killed.evidence(), List.of());
        assertThat(report.text()).contains("leader killed (-9)", "4.0 s", "Every promise held. Seed 7.");
        assertThat(HtmlReport.of(report))
                .contains("<svg", "a, term 1", "b, term 2", "<td>4.0 s</td><td>5.5 s</td>")
                .doesNotContain("NaN");
    }

    private static EvidenceBuilder recovered() {
        return whole().forget(RECOVER, SLOT)
                .start(RECOVER, SLOT, 1, "a", 1, SLOT.plusMillis(5))
                .decided(RECOVER, SLOT, 1, "a", Outcome.Kind.RECOVERED, SLOT.plusMillis(4010))
                .start(RECOVER, SLOT, 2, "b", 2, SLOT.plusMillis(4020))
                .end(RECOVER, SLOT, 2, "b", 2, SLOT.plusMillis(4320))
                .decided(RECOVER, SLOT, 2, "b", Outcome.Kind.SUCCEEDED, SLOT.plusMillis(4320));
    }

    /** "a" is killed shortly after {@link #SLOT}; all from four seconds later on is by "b", in the next term. */
    private static void takeover(EvidenceBuilder evidence) {
        Instant later = SLOT.plusSeconds(4);
        evidence.lines.replaceAll(line -> line.fire().slot().isBefore(later) || line.term() > 1
                ? line
                : new RunLine(line.phase(), line.at(), "b", 2, line.job(), line.fire(), 2, 102, line.note()));
        evidence.decisions.replaceAll(d -> d.fire().slot().isBefore(later) || d.kind() != Outcome.Kind.SUCCEEDED
                ? d
                : new Decision(d.fire(), d.kind(), d.at(), d.count(), EvidenceBuilder.B, d.claimed(), d.again()));
        evidence.aDiedAt(later.minusMillis(50));
        evidence.fault(FaultKind.KILL_LEADER, SLOT.plusMillis(5), List.of(), List.of(), true);
    }

    private static Decision skipped(DrillTrigger trigger, Instant last, long count, Instant at) {
        RunLine.Fire fire = new RunLine.Fire(trigger.name(), last, 1);
        return new Decision(fire, Outcome.Kind.SKIPPED, at, count, EvidenceBuilder.A, at, false);
    }

    private static void assertFound(EvidenceBuilder doctored, Violation.Kind kind) {
        assertThat(doctored.violations()).extracting(Violation::kind).contains(kind);
    }
}
