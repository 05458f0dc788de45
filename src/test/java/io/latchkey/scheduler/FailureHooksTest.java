package io.latchkey.scheduler;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.latchkey.conf.RunPolicy;
import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.Window;
import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Owner;
import io.latchkey.ledger.RunInfo;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.testing.LogCapture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quartz.JobKey;

class FailureHooksTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Lab lab = new Lab();

    @TempDir
    Path dir;

    @AfterEach
    void close() {
        lab.close();
    }

    private String line() {
        return "printf '%s|' \"$LATCHKEY_JOB\" \"$LATCHKEY_FIRE_ID\" \"$LATCHKEY_SCHEDULED_TIME\""
                + " \"$LATCHKEY_ATTEMPT\" \"$LATCHKEY_OUTCOME\" \"$LATCHKEY_ERROR\" >> " + dir + "/told";
    }

    private String told() throws Exception {
        Path file = dir.resolve("told");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private FireId failsOnce(Map<String, String> data) {
        Map<String, String> all = new java.util.HashMap<>(data);
        all.put("how", "JobExecutionException");
        JobKey job = lab.addJob("fails", TestJobs.Fails.class, false, Map.copyOf(all));
        Instant start = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        lab.addTrigger(
                "once", job, new Schedule.Simple(Window.from(start), 0, Duration.ZERO), Misfire.ONCE, start, start);
        return new FireId(Lab.trigger("once"), start);
    }

    private static RunningRecord failed(String error) {
        Instant slot = Instant.parse("2026-11-29T12:00:00Z");
        return RunningRecord.claimed(
                        new FireId(Lab.trigger("t"), slot),
                        Lab.job("j"),
                        new RunInfo(false, false, Missed.NONE, Map.of()),
                        new Attempt(2, new Owner("one", "0x1", 1, 77), "n", slot))
                .done(Outcome.failed(Outcome.Kind.FAILED, slot, Duration.ZERO, error)
                        .saying("last line"));
    }

    @Test
    void commandIsCalledOnceWhenTheLastAttemptHasFailed() throws Exception {
        FireId id = failsOnce(
                Map.of("latchkey.retries", "1", "latchkey.retry-backoff", "10ms", "latchkey.on-failure", line()));
        lab.lead();

        await().atMost(LONG).until(() -> !told().isEmpty());
        assertThat(lab.scheduler().awaitIdle(LONG)).isTrue();
        assertThat(told()).isEqualTo("test.fails|" + id + "|" + id.slot() + "|2|FAILED|as told|");
        assertThat(lab.ledger.ended(Outcome.Kind.FAILED)).containsExactly(id);
    }

    @Test
    void fireThatIsAbandonedHasFailedForGood() throws Exception {
        JobKey job = lab.addJob("left", TestJobs.Quick.class, false, Map.of("latchkey.on-failure", line()));
        Instant slot = Instant.now().minusSeconds(5).truncatedTo(ChronoUnit.MILLIS);
        FireId id = new FireId(Lab.trigger("gone"), slot);
        lab.ledger.plant(RunningRecord.claimed(
                id,
                job,
                new RunInfo(false, false, Missed.NONE, Map.of()),
                new Attempt(1, new Owner("elsewhere", "0xdead", 7, 70), "n", slot)));
        lab.lead();

        await().atMost(LONG).until(() -> !told().isEmpty());
        assertThat(told()).startsWith("test.left|" + id + "|" + slot + "|1|ABANDONED|its instance elsewhere is gone");
    }

    @Test
    void successIsNotTold() throws Exception {
        JobKey job = lab.addJob("works", TestJobs.Quick.class, false, Map.of("latchkey.on-failure", line()));
        lab.addTrigger("often", job, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.ONCE);
        lab.lead();

        await().atMost(LONG)
                .until(() -> lab.ledger.ended(Outcome.Kind.SUCCEEDED).size() > 2);
        assertThat(lab.scheduler().awaitIdle(Duration.ZERO) || told().isEmpty()).isTrue();
        assertThat(told()).isEmpty();
    }

    @Test
    void urlIsPostedTheFireAsJson() throws Exception {
        List<String> posted = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/alert", exchange -> {
            posted.add(exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getFirst("Idempotency-Key") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            Deadlines deadlines = new Deadlines(lab.threads);
            FailureHooks hooks = new FailureHooks(lab.threads, deadlines);
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/alert";
            hooks.call(RunPolicy.DEFAULT.with("on-failure", url), failed("a \"bad\" thing ${env:HOME}"));
            assertThat(hooks.awaitIdle(LONG)).isTrue();
        } finally {
            server.stop(0);
        }
        assertThat(posted)
                .containsExactly("POST test.t@2026-11-29T12:00:00Z {\"fireId\":\"test.t@2026-11-29T12:00:00Z\","
                        + "\"job\":\"test.j\",\"scheduledTime\":\"2026-11-29T12:00:00Z\",\"attempt\":2,"
                        + "\"fencingToken\":77,\"instance\":\"one\",\"outcome\":\"FAILED\","
                        + "\"error\":\"a \\\"bad\\\" thing ${env:HOME}\",\"output\":\"last line\"}");
    }

    @Test
    void hookThatTakesTooLongIsEndedAndOneThatFailsIsSaid() throws Exception {
        try (LogCapture log = LogCapture.of(FailureHooks.class)) {
            Deadlines deadlines = new Deadlines(lab.threads);
            FailureHooks impatient = new FailureHooks(lab.threads, deadlines, Duration.ofMillis(300));
            impatient.call(RunPolicy.DEFAULT.with("on-failure", "sleep 300"), failed("boom"));
            assertThat(impatient.awaitIdle(LONG)).isTrue();
            FailureHooks hooks = new FailureHooks(lab.threads, deadlines);
            hooks.call(RunPolicy.DEFAULT.with("on-failure", "exit 3"), failed("boom"));
            hooks.call(RunPolicy.DEFAULT.with("on-failure", "http://127.0.0.1:1/"), failed("boom"));

            assertThat(hooks.awaitIdle(LONG)).isTrue();
            assertThat(log.messages())
                    .anyMatch(line -> line.contains("took longer than 300ms; it was ended"))
                    .anyMatch(line -> line.contains("ended with code 3"))
                    .anyMatch(line -> line.contains("could not be called: POST http://127.0.0.1:1/: no connection"));
        }
    }
}
