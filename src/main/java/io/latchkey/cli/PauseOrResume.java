package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Paused;
import io.latchkey.ledger.Request;
import io.latchkey.lifecycle.ExitCode;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What {@code pause} and {@code resume} share: what is meant, and how the answer is told. */
abstract class PauseOrResume extends RequestCommand {
    private final Request.Kind kind;

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private What what;

    /** One of the three. */
    static final class What {
        @Parameters(arity = "0..1", paramLabel = "JOB", description = "A job: group.name, or its name.")
        private @Nullable String job;

        @Option(names = "--trigger", paramLabel = "TRIGGER", description = "One trigger: group.name, or its name.")
        private @Nullable String trigger;

        @Option(names = "--all", description = "Everything.")
        @SuppressWarnings("UnusedVariable") // picocli asks for one of the three: without the others it is this
        private boolean all;
    }

    PauseOrResume(Request.Kind kind) {
        this.kind = kind;
    }

    @Override
    ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, JsonProcessingException, InterruptedException {
        ledger.requireRoot();
        JobKey job = what.job == null ? null : JobArgument.ofLedgerOrConf(ledger, what.job);
        TriggerKey trigger = what.trigger == null ? null : JobArgument.trigger(ledger, what.trigger);
        String name = job != null ? Printable.name(job) : trigger != null ? Printable.name(trigger) : "everything";
        Request filed = file(ledger, new Request("", kind, job, trigger, Map.of(), asker(), ledger.now()));
        say("Filed: " + (kind == Request.Kind.PAUSE ? "pause " : "resume ") + name);
        if (!awaitAnswer(ledger, filed)) {
            sayUnanswered(ledger, filed);
            return end(ledger, filed, ExitCode.OK);
        }
        answered(name, ledger.reader().paused(), job, trigger);
        return end(ledger, filed, ExitCode.OK);
    }

    private void answered(String name, Paused now, @Nullable JobKey job, @Nullable TriggerKey trigger) {
        boolean one = job != null || trigger != null;
        if (kind == Request.Kind.PAUSE) {
            say("Paused: " + name + ". What runs already goes on; later leaders keep the pause.");
        } else if (one && now.all()) {
            say("Resumed: " + name + ", but everything is paused still: `latchkey resume --all` goes on.");
        } else {
            say("Resumed: " + name + ". What came due meanwhile is decided by the misfire instructions.");
        }
    }
}
