package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.election.ReloadAnswer;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.ReloadCall;
import io.latchkey.ledger.ReloadCalls;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ClusterView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "reload",
        description =
                "Have every instance, leader and standbys, read its own conf directory again: all of it is checked and"
                        + " brought into force, or nothing changes there. Exits 0 if all have the same jobs then, 1 if"
                        + " not.")
final class ReloadCommand extends RequestCommand {
    private static final String NO_ANSWER = "no answer";

    @Option(names = "--allow-empty", description = "Take files that register no job: all jobs stop.")
    private boolean allowEmpty;

    /**
     * What {@code --json} prints.
     *
     * @param agree whether all instances answered, none refused, and all have the same jobs now
     */
    private record View(long call, boolean agree, List<Result> instances) {}

    /**
     * What became of it on one instance.
     *
     * @param conf digest of what is in force there, null if unknown
     * @param outcome applied, unchanged, refused or no answer
     */
    private record Result(
            String instance,
            boolean leads,
            String outcome,
            @Nullable String conf,
            List<String> lines) {}

    @Override
    ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, InterruptedException, JsonProcessingException {
        ledger.requireRoot();
        if (ledger.cluster().instances().isEmpty()) {
            throw new CliException(
                    ExitCode.NO, "there is no instance to reload: one that starts reads its files anyway");
        }
        startWaiting();
        ReloadCall call = new ReloadCalls(ledger.nodes(), ledger::session, ledger.clock()).call(asker(), allowEmpty);
        if (patience().isZero() && !json()) {
            out().println("Called: each instance reloads as soon as it can.");
            return ExitCode.OK;
        }
        boolean all = await(() -> results(ledger.cluster(), call).stream()
                .noneMatch(result -> result.outcome().equals(NO_ANSWER)));
        List<Result> results = results(ledger.cluster(), call);
        boolean agree = all
                && results.stream().noneMatch(result -> result.outcome().equals(ReloadAnswer.REFUSED))
                && results.stream().map(Result::conf).distinct().count() <= 1;
        if (json()) {
            printJson(new View(call.number(), agree, results));
        } else {
            print(results, agree);
        }
        return agree ? ExitCode.OK : ExitCode.NO;
    }

    private static List<Result> results(ClusterView cluster, ReloadCall call) {
        String leader =
                cluster.currentLeader().map(ClusterView.Leader::instance).orElse("");
        List<Result> results = new ArrayList<>();
        for (ClusterView.Instance instance : cluster.instances()) {
            ReloadAnswer answer = instance.reload();
            // Who has answered a later call has answered this one.
            boolean answered = answer != null && answer.call() >= call.number();
            results.add(new Result(
                    instance.id(),
                    instance.id().equals(leader),
                    answered && answer != null ? answer.outcome() : NO_ANSWER,
                    instance.conf(),
                    answered && answer != null ? answer.lines() : List.of()));
        }
        return results;
    }

    private void print(List<Result> results, boolean agree) {
        int width = results.stream()
                .mapToInt(result -> Printable.text(result.instance()).length())
                .max()
                .orElse(0);
        for (Result result : results) {
            String name = Printable.text(result.instance());
            out().println(name
                    + " ".repeat(width - name.length() + 2)
                    + said(result)
                    + (result.leads() ? " (leads)" : ""));
            result.lines().forEach(line -> out().println("  " + Printable.text(line)));
        }
        if (!agree) {
            out().println("The instances do not have the same jobs, or not all of them are known to:"
                    + " `latchkey status` shows what each has.");
        }
    }

    private static String said(Result result) {
        String conf = Printable.text(String.valueOf(result.conf()));
        return switch (result.outcome()) {
            case ReloadAnswer.APPLIED -> "applied: conf " + conf + " is in force";
            case ReloadAnswer.UNCHANGED -> "unchanged: conf " + conf;
            case ReloadAnswer.REFUSED -> "refused: conf " + conf + " stays in force";
            default -> "has not answered yet; it reloads as soon as it can";
        };
    }
}
