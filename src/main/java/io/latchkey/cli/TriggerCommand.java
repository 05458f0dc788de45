package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Request;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.lifecycle.ExitCode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.quartz.JobKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "trigger",
        description = "Run a job now, once, beside its schedule. The wish is durable: whoever leads runs it, a later"
                + " leader too; a paused job as well.")
final class TriggerCommand extends RequestCommand {
    /** A claim holds the data too, in one transaction of 64 KiB. */
    private static final int MAX_DATA_BYTES = 16 * 1024;

    @Parameters(paramLabel = "JOB", description = "group.name, or its name where only one job has it.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String job;

    @Option(
            names = "--data",
            paramLabel = "KEY=VALUE",
            description = "Job data for this run, over the job's own. May be repeated.")
    private Map<String, String> data = new LinkedHashMap<>();

    @Override
    void checkUsage() throws CliException {
        super.checkUsage();
        if (data.containsKey("")) {
            throw new CliException(
                    ExitCode.CONFIG,
                    "--data has a value without a key: give it as KEY=VALUE, such as --data region=eu");
        }
        int bytes = data.entrySet().stream()
                .mapToInt(entry -> (entry.getKey() + entry.getValue()).getBytes(StandardCharsets.UTF_8).length)
                .sum();
        if (bytes > MAX_DATA_BYTES) {
            throw new CliException(
                    ExitCode.CONFIG,
                    "--data takes " + bytes + " bytes; the limit is " + MAX_DATA_BYTES
                            + ". Put it into a file and pass its name");
        }
    }

    @Override
    ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, JsonProcessingException, InterruptedException {
        ledger.requireRoot();
        JobKey key = JobArgument.ofLedgerOrConf(ledger, job);
        String name = Printable.name(key);
        Request filed = file(ledger, Request.trigger(key, data, asker(), ledger.now()));
        say("Filed: run " + name + " now");
        if (!awaitAnswer(ledger, filed)) {
            sayUnanswered(ledger, filed);
            return end(ledger, filed, ExitCode.OK);
        }
        Optional<String> fate = fate(ledger, key, filed.fireId());
        say(fate.orElse("The leader has dropped it: its configuration has no such job. See the leader's log."));
        return end(ledger, filed, fate.isPresent() ? ExitCode.OK : ExitCode.NO);
    }

    private static Optional<String> fate(OperatorLedger ledger, JobKey job, FireId id) throws LedgerException {
        Optional<RunningRecord> running = ledger.reader().running().stream()
                .filter(record -> record.id().equals(id))
                .findFirst();
        if (running.isPresent()) {
            return running.map(
                    record -> "It runs on " + Printable.text(record.owner().instance()) + "; `latchkey history "
                            + Printable.name(job) + "` will show how it ends.");
        }
        return ledger.reader().history(job).stream()
                .filter(entry -> entry.id().equals(id))
                .reduce((earlier, later) -> later)
                .map(TriggerCommand::ended);
    }

    private static String ended(HistoryEntry entry) {
        String error = entry.outcome().error();
        return "It ran on " + Printable.text(entry.owner().instance()) + ": "
                + entry.outcome().kind() + ", took "
                + Times.took(entry.outcome().ran()) + (error == null ? "." : ": " + Printable.firstLine(error));
    }
}
