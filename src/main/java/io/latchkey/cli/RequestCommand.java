package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.conf.Durations;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Request;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ActionView;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** A command that asks something of instances: files that, durably, and waits a little for the answer. */
abstract class RequestCommand extends OperatorCommand {
    private static final long LOOK_AGAIN_MILLIS = 50;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "How long to wait for an answer (default: 10s; 0s: not at all).")
    private String wait = "10s";

    @Option(names = "--json", description = "What became of it, as JSON.")
    private boolean json;

    private long deadline;

    /** Something to look at until it is so. */
    interface Condition {
        boolean holds() throws CliException, LedgerException, InterruptedException;
    }

    @Override
    void checkUsage() throws CliException {
        patience();
    }

    /** How long the user will wait. */
    final Duration patience() throws CliException {
        try {
            return Durations.parse(wait);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.CONFIG, "--wait " + Printable.text(wait) + " " + e.getMessage(), e);
        }
    }

    /**
     * Files a request and waits.
     *
     * @return the request under its name; from then on, {@link #await} waits what is left of the time
     */
    final Request file(OperatorLedger ledger, Request request) throws CliException, LedgerException {
        startWaiting();
        return request.named(ledger.requests().file(request, Optional.empty()).seq());
    }

    /** From now on, {@link #await} waits what is left of the time. */
    final void startWaiting() throws CliException {
        deadline = System.nanoTime() + patience().toNanos();
    }

    /** Waits for a condition; false if the time was up before. */
    final boolean await(Condition condition) throws CliException, LedgerException, InterruptedException {
        while (!condition.holds()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        }
        return true;
    }

    final boolean awaitAnswer(OperatorLedger ledger, Request filed)
            throws CliException, LedgerException, InterruptedException {
        return await(() -> !ledger.reader().waits(filed.seq()));
    }

    final boolean json() {
        return json;
    }

    /** Something for people. */
    final void say(String line) {
        if (!json) {
            out().println(line);
        }
    }

    /** The end of the command: for programs, all of it at once. */
    final ExitCode end(OperatorLedger ledger, Request filed, ExitCode code)
            throws LedgerException, JsonProcessingException {
        if (json) {
            printJson(new Answered(
                    ActionView.read(ledger.reader(), filed.seq()).orElseGet(() -> ActionView.asked(filed))));
        }
        return code;
    }

    /** The fields of {@code --json}: those of the API's answer. */
    private record Answered(ActionView action) {}

    /** Why there is no answer yet. */
    final void sayUnanswered(OperatorLedger ledger, Request filed) throws CliException, InterruptedException {
        say(ledger.cluster()
                .currentLeader()
                .map(leader -> "No answer from " + Printable.text(leader.instance()) + ", which leads, within "
                        + Durations.format(Durations.parse(wait)) + "; the request " + filed.seq()
                        + " stays and is answered when it can be.")
                .orElse("Nobody leads now: the request " + filed.seq() + " stays, and the next leader answers it."));
    }

    /** Who asks, for the leader's log. */
    static String asker() {
        String user = System.getProperty("user.name", "somebody");
        try {
            return Printable.text(user + "@" + InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            return Printable.text(user);
        }
    }
}
