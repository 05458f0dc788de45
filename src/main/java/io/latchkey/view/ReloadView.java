package io.latchkey.view;

import io.latchkey.election.ReloadAnswer;
import io.latchkey.ledger.AuditRecord;
import io.latchkey.ledger.ReloadResult;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** What the instances answered to a call to reload. */
public final class ReloadView {
    private ReloadView() {}

    /** Each instance there is, with its answer to a call or to a later one: who has answered that has answered this. */
    public static List<ReloadResult> results(ClusterView cluster, long call) {
        return cluster.instances().stream()
                .map(instance -> result(instance, call))
                .toList();
    }

    private static ReloadResult result(ClusterView.Instance instance, long call) {
        ReloadAnswer answer = instance.reload();
        return answer == null || answer.call() < call
                ? new ReloadResult(instance.id(), ReloadResult.NO_ANSWER, instance.conf(), List.of())
                : new ReloadResult(instance.id(), answer.outcome(), instance.conf(), answer.lines());
    }

    /** Whether all there are have answered, and there are any. */
    public static boolean settled(List<ReloadResult> results) {
        return !results.isEmpty() && results.stream().allMatch(ReloadResult::answered);
    }

    /** Whether some instance refused. */
    public static boolean refused(List<ReloadResult> results) {
        return results.stream().anyMatch(result -> result.outcome().equals(ReloadAnswer.REFUSED));
    }

    /** Whether all answered, none refused, and all have the same jobs now. */
    public static boolean agree(List<ReloadResult> results) {
        return results.stream().allMatch(ReloadResult::answered)
                && !refused(results)
                && results.stream().map(ReloadResult::conf).distinct().count() <= 1;
    }

    /**
     * What goes on record of a settled call.
     *
     * @param by the instance or person that saw it settled
     */
    public static AuditRecord.Answer answer(List<ReloadResult> results, String by, Instant at) {
        return new AuditRecord.Answer(
                refused(results) ? AuditRecord.Verdict.REFUSED : AuditRecord.Verdict.DONE,
                null,
                Objects.requireNonNull(by),
                at,
                results);
    }
}
