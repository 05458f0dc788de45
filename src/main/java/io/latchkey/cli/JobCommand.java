package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerSnapshots;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ConfView;
import io.latchkey.view.FireView;
import io.latchkey.view.JobEntry;
import io.latchkey.view.JobsView;
import io.latchkey.view.LedgerView;
import io.latchkey.view.OutcomeView;
import io.latchkey.view.Redaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.quartz.JobKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "job",
        description = "Show one job: what the configuration of this host says of it, when its triggers fire next, what"
                + " runs, and how it ended lately.")
final class JobCommand extends OperatorCommand {
    private static final int NEXT = 3;
    private static final int LATELY = 5;

    @Parameters(paramLabel = "JOB", description = "group.name, or its name where only one job has it.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String job;

    @Option(names = "--json", description = "The same as JSON.")
    private boolean json;

    @Override
    ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, JsonProcessingException, InterruptedException {
        ledger.requireRoot();
        JobKey key = JobArgument.ofLedgerOrConf(ledger, job);
        JobCatalog catalog = JobArgument.catalog(ledger).orElseGet(() -> JobCatalog.of(List.of(), List.of()));
        LedgerView view = new LedgerView(
                new LedgerSnapshots(ledger.nodes()).read(ledger.session()),
                catalog,
                new Redaction(ledger.settings().http().showData()));
        JobEntry entry = view.job(key.getGroup(), key.getName())
                .orElseThrow(() -> new CliException(ExitCode.NO, "job " + Printable.name(key) + " is gone"));
        if (json) {
            printJson(entry);
        } else {
            print(key, entry, view.outcomes(), ledger.now());
        }
        return ExitCode.OK;
    }

    private void print(JobKey key, JobEntry entry, List<OutcomeView> outcomes, Instant now) {
        out().println(Printable.name(key) + (entry.state().paused() ? " (paused)" : ""));
        ConfView conf = entry.conf();
        if (conf == null) {
            out().println("  not in the configuration of this host");
        } else {
            print(conf, now);
        }
        for (JobsView.Trigger trigger : entry.state().triggers()) {
            if (conf == null
                    || conf.triggers().stream().noneMatch(one -> one.trigger().equals(trigger.trigger()))) {
                out().println("  trigger  " + Printable.name(trigger.key())
                        + (trigger.next() == null ? ", finished" : ", next " + Times.relative(trigger.next(), now)));
            }
        }
        for (FireView fire : entry.state().running()) {
            out().println("  running  " + FireText.where(fire, now));
        }
        outcomes.stream()
                .filter(outcome -> outcome.job().equals(entry.state().job()))
                .limit(LATELY)
                .forEach(outcome -> out().println("  ended    " + Times.relative(outcome.at(), now) + ": "
                        + outcome.kind() + ", took " + Times.took(Duration.ofMillis(outcome.ranMillis()))
                        + (OutcomeText.note(outcome).isEmpty() ? "" : "; " + OutcomeText.note(outcome))));
    }

    private void print(ConfView conf, Instant now) {
        if (conf.description() != null) {
            out().println("  " + Printable.firstLine(conf.description()));
        }
        out().println("  class    " + Printable.text(conf.type()) + (conf.recover() ? ", recovers" : "")
                + (conf.concurrent() ? "" : ", one run at a time"));
        conf.data()
                .forEach((name, value) -> out().println("  data     " + Printable.text(name) + " = "
                        + Printable.firstLine(String.valueOf(value))));
        for (ConfView.Trigger trigger : conf.triggers()) {
            out().println("  trigger  " + Printable.text(trigger.trigger()) + ": " + Printable.text(trigger.schedule())
                    + (trigger.zone() == null ? "" : " (" + Printable.text(trigger.zone()) + ")"));
            trigger.next().stream()
                    .limit(NEXT)
                    .forEach(next -> out().println("    next   " + Times.relative(next, now)));
        }
    }
}
