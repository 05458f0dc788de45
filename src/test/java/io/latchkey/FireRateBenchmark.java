package io.latchkey;

import static io.latchkey.Scene.patiently;

import com.example.jobs.LateJob;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How many fires a second a leader starts and how late, with a claim for each, on an embedded server. Not one of the tests
 * that a build runs: {@code mvn test-compile surefire:test -Dtest=FireRateBenchmark}.
 */
class FireRateBenchmark {
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final Duration MEASURED = Duration.ofSeconds(20);
    private static final int JOBS = 100;

    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(ints = {100, 1000})
    void firesEvenlySpread(int perSecond) throws Exception {
        measure(perSecond, 1000.0 / perSecond, "spread");
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1000})
    void firesAllAtOnceEverySecond(int perSecond) throws Exception {
        measure(perSecond, 0, "at once");
    }

    private void measure(int perSecond, double apart, String how) throws Exception {
        StringBuilder jobs = new StringBuilder();
        for (int i = 0; i < JOBS; i++) {
            jobs.append("<job><name>j%d</name><group>ops</group><job-class>com.example.jobs.LateJob</job-class></job>\n"
                    .formatted(i));
        }
        Instant begin = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 15);
        for (int i = 0; i < perSecond; i++) {
            jobs.append("""
                    <trigger><simple><name>t%d</name><group>ops</group><job-name>j%d</job-name><job-group>ops</job-group>
                    <start-time>%s</start-time><repeat-count>-1</repeat-count><repeat-interval>1000</repeat-interval></simple></trigger>
                    """.formatted(i, i % JOBS, begin.plusMillis(Math.round(i * apart))));
        }
        Path conf = ServiceInstance.conf(dir.resolve("conf"), jobs.toString());
        try (ServiceInstance instance = ServiceInstance.start(
                conf,
                "a",
                "embedded",
                "data.dir=" + dir.resolve("data"),
                "scheduler.threads=50",
                "zookeeper.session-timeout=10s")) {
            patiently().until(instance::leads);
            await(begin.plus(WARM_UP));
            LateJob.reset();
            Instant from = Instant.now();
            await(from.plus(MEASURED));
            int[] late = LateJob.millis();
            double seconds = Duration.between(from, Instant.now()).toMillis() / 1000.0;
            Arrays.sort(late);
            System.out.printf(
                    "BENCHMARK %d fires a second, %s: achieved %.1f/s, late by p50 %d ms, p99 %d ms, most %d ms%n",
                    perSecond,
                    how,
                    late.length / seconds,
                    late[late.length / 2],
                    late[late.length * 99 / 100],
                    late[late.length - 1]);
        }
    }

    private static void await(Instant instant) {
        patiently().until(() -> !Instant.now().isBefore(instant));
    }
}
