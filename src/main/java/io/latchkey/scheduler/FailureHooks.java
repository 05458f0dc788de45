package io.latchkey.scheduler;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.latchkey.conf.Durations;
import io.latchkey.conf.RunPolicy;
import io.latchkey.jobs.OutputTail;
import io.latchkey.jobs.http.FireHeaders;
import io.latchkey.jobs.http.HttpAnswer;
import io.latchkey.jobs.http.HttpCall;
import io.latchkey.jobs.http.HttpCallException;
import io.latchkey.jobs.http.HttpCaller;
import io.latchkey.jobs.http.Template;
import io.latchkey.jobs.shell.Command;
import io.latchkey.jobs.shell.CommandRun;
import io.latchkey.jobs.shell.OutputLog;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.lifecycle.Threads;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Calls what a job asks to be called when a fire of it has failed for good: a command or a URL, once, by the instance that
 * wrote that outcome, after the outcome is durable. Best effort, each within half a minute, on threads of its own: if this
 * process dies in between, or too many wait, a call is lost, which the history is not. Safe for use by many threads.
 */
final class FailureHooks {
    private static final Logger log = LoggerFactory.getLogger(FailureHooks.class);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int AT_ONCE = 4;
    private static final int MOST_WAITING = 1000;
    private static final long IDLE_SECONDS = 10;

    private final Deadlines deadlines;
    private final Duration limit;
    private final ThreadPoolExecutor executor;
    private int open;

    FailureHooks(Threads threads, Deadlines deadlines) {
        this(threads, deadlines, LIMIT);
    }

    /** @param limit how long one call may take */
    FailureHooks(Threads threads, Deadlines deadlines, Duration limit) {
        this.deadlines = deadlines;
        this.limit = limit;
        this.executor = new ThreadPoolExecutor(
                AT_ONCE,
                AT_ONCE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                threads.factory("failure-hook"));
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Calls the hook of a fire, if it has one. Returns at once.
     *
     * @param failed the record with the outcome, which is durable
     */
    void call(RunPolicy policy, RunningRecord failed) {
        policy.onFailure().ifPresent(hook -> {
            synchronized (this) {
                open++;
            }
            try {
                executor.execute(() -> run(hook, failed));
            } catch (RejectedExecutionException e) {
                log.warn(
                        "Of the failure of {} nobody is told by its hook: {} others wait for theirs",
                        failed.id(),
                        MOST_WAITING,
                        e);
                done();
            }
        });
    }

    private void run(String hook, RunningRecord failed) {
        MDC.put("job", failed.job().toString());
        MDC.put("fire", failed.id().toString());
        MDC.put("term", Long.toString(failed.owner().term()));
        MDC.put("attempt", Integer.toString(failed.current().number()));
        ScheduledFuture<?> limiter = deadlines.interruptAfter(limit, Thread.currentThread());
        try {
            if (RunPolicy.isUrl(hook)) {
                post(hook, failed);
            } else {
                command(hook, failed);
            }
        } catch (InterruptedException e) {
            log.warn(
                    "The failure hook of job {} for {} took longer than {}; it was ended",
                    failed.job(),
                    failed.id(),
                    Durations.format(limit),
                    e);
        } catch (IOException | HttpCallException | RuntimeException e) {
            log.warn(
                    "The failure hook of job {} for {} could not be called: {}. It is not called again",
                    failed.job(),
                    failed.id(),
                    e.getMessage(),
                    e);
        } finally {
            limiter.cancel(false);
            MDC.remove("job");
            MDC.remove("fire");
            MDC.remove("term");
            MDC.remove("attempt");
            done();
        }
    }

    private void command(String hook, RunningRecord failed) throws IOException, InterruptedException {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("LATCHKEY_FIRE_ID", failed.id().toString());
        environment.put("LATCHKEY_JOB", failed.job().toString());
        environment.put("LATCHKEY_SCHEDULED_TIME", failed.slot().toString());
        environment.put("LATCHKEY_ATTEMPT", Integer.toString(failed.current().number()));
        environment.put("LATCHKEY_FENCING_TOKEN", Long.toString(failed.owner().token()));
        environment.put("LATCHKEY_INSTANCE", failed.owner().instance());
        Outcome outcome = failed.outcome();
        if (outcome != null) {
            environment.put("LATCHKEY_OUTCOME", outcome.kind().name());
            environment.put("LATCHKEY_ERROR", OutputTail.of(String.valueOf(outcome.error())));
            environment.put("LATCHKEY_OUTPUT", outcome.output() == null ? "" : outcome.output());
        }
        int code = CommandRun.run(
                "The failure hook of job " + failed.job() + " (" + failed.id() + ")",
                Command.line(hook, environment),
                new OutputLog());
        if (code != 0) {
            log.warn("The failure hook of job {} for {} ended with code {}", failed.job(), failed.id(), code);
        } else {
            log.info("The failure hook of job {} was called for {}", failed.job(), failed.id());
        }
    }

    private void post(String hook, RunningRecord failed) throws HttpCallException, InterruptedException {
        Map<String, String> headers = FireHeaders.of(
                failed.id().toString(),
                failed.slot(),
                failed.owner().token(),
                failed.current().number(),
                failed.job().toString());
        HttpAnswer answer = HttpCaller.call(HttpCall.postJson(Template.parse(hook), json(failed)), headers);
        if (answer.status() / 100 != 2) {
            log.warn("The failure hook of job {} for {} answered {}", failed.job(), failed.id(), answer.status());
        } else {
            log.info("The failure hook of job {} was called for {}", failed.job(), failed.id());
        }
    }

    private static String json(RunningRecord failed) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("fireId", failed.id().toString())
                .put("job", failed.job().toString())
                .put("scheduledTime", failed.slot().toString())
                .put("attempt", failed.current().number())
                .put("fencingToken", failed.owner().token())
                .put("instance", failed.owner().instance());
        Outcome outcome = failed.outcome();
        if (outcome != null) {
            json.put("outcome", outcome.kind().name())
                    .put("error", outcome.error())
                    .put("output", outcome.output());
        }
        return json.toString();
    }

    private synchronized void done() {
        open--;
        notifyAll();
    }

    /** Waits until all calls are made; false if that takes longer. */
    synchronized boolean awaitIdle(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (open > 0) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        return true;
    }
}
