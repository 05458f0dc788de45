package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.election.ReloadAnswer;
import io.latchkey.ledger.AuditRecord;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.ReloadCalls;
import io.latchkey.ledger.ReloadResult;
import io.latchkey.ledger.Request;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ClusterView;
import io.latchkey.view.ReloadView;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
            List<String> lines) {
        Result(ReloadResult result, String leader) {
            this(result.instance(), result.instance().equals(leader), result.outcome(), result.conf(), result.lines());
        }
    }

    @Override
    ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, InterruptedException, JsonProcessingException {
        ledger.requireRoot();
        if (ledger.cluster().instances().isEmpty()) {
            throw new CliException(
                    ExitCode.NO, "there is no instance to reload: one that starts reads its files anyway");
        }
        startWaiting();
        ReloadCalls calls = new ReloadCalls(ledger.nodes(), ledger::session, ledger.clock());
        AuditRecord filed = calls.file(Request.reload(allowEmpty, asker(), ledger.now()), Optional.empty());
        long call = Objects.requireNonNull(filed.call());
        if (patience().isZero() && !json()) {
            out().println("Called: each instance reloads as soon as it can.");
            return ExitCode.OK;
        }
        await(() -> ReloadView.settled(ReloadView.results(ledger.cluster(), call)));
        ClusterView cluster = ledger.cluster();
        List<ReloadResult> results = ReloadView.results(cluster, call);
        boolean agree = ReloadView.agree(results);
        if (ReloadView.settled(results)) {
            calls.answered(filed, ReloadView.answer(results, asker(), ledger.now()));
        }
        String leader =
                cluster.currentLeader().map(ClusterView.Leader::instance).orElse("");
        if (json()) {
            printJson(new View(
                    call,
                    agree,
                    results.stream().map(one -> new Result(one, leader)).toList()));
        } else {
            print(results, leader, agree);
        }
        return agree ? ExitCode.OK : ExitCode.NO;
    }

    private void print(List<ReloadResult> results, String leader, boolean agree) {
        int width = results.stream()
                .mapToInt(result -> Printable.text(result.instance()).length())
                .max()
                .orElse(0);
        for (ReloadResult result : results) {
            String name = Printable.text(result.instance());
            out().println(name
                    + " ".repeat(width - name.length() + 2)
                    + said(result)
                    + (result.instance().equals(leader) ? " (leads)" : ""));
            result.lines().forEach(line -> out().println("  " + Printable.text(line)));
        }
        if (!agree && results.size() > 1) {
            out().println("The instances do not have the same jobs, or not all of them are known to:"
                    + " `latchkey status` shows what each has.");
        }
    }

    private static String said(ReloadResult result) {
        String conf = Printable.text(String.valueOf(result.conf()));
        return switch (result.outcome()) {
            case ReloadAnswer.APPLIED -> "applied: conf " + conf + " is in force";
            case ReloadAnswer.UNCHANGED -> "unchanged: conf " + conf;
            case ReloadAnswer.REFUSED -> "refused: conf " + conf + " stays in force";
            default -> "has not answered yet; it reloads as soon as it can";
        };
    }
}
