package io.latchkey;

import static io.latchkey.Scene.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.jobs.ProbeJob;
import io.latchkey.jobs.FireContext;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Retry;
import io.latchkey.ledger.RunningRecord;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fire that fails is tried again as often as its job says, whoever leads meanwhile and however the last leader went. */
@Tag("slow")
class RetriesAcrossInstancesTest {
    private final Queue<String> ran = new ConcurrentLinkedQueue<>();
    private final Queue<Instant> started = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path dir;

    /** One fire of a job, due at once, that may not overlap. */
    private Path conf(String name, String more, String... data) throws Exception {
        StringBuilder entries = new StringBuilder();
        for (int i = 0; i < data.length; i += 2) {
            entries.append("<entry><key>latchkey.%s</key><value>%s</value></entry>".formatted(data[i], data[i + 1]));
        }
        return ServiceInstance.conf(dir, """
            <job><name>%1$s</name><group>ops</group><job-class>com.example.jobs.ProbeJob$Single</job-class>%2$s
             <job-data-map><entry><key>probe</key><value>%1$s</value></entry>%3$s</job-data-map></job>
            <trigger><simple><name>%1$s-t</name><group>ops</group><job-name>%1$s</job-name><job-group>ops</job-group>
             <repeat-count>0</repeat-count><repeat-interval>0</repeat-interval></simple></trigger>
            """.formatted(name, more, entries));
    }

    private FireContext noted(org.quartz.JobExecutionContext context) {
        FireContext fire = FireContext.of(context);
        started.add(Instant.now());
        ran.add(fire.attempt() + " on " + fire.instance());
        return fire;
    }

    private static Retry waiting(Scene scene) {
        List<RunningRecord> found = new java.util.ArrayList<>();
        patiently().until(() -> {
            scene.ledger().running().stream()
                    .filter(record -> record.retry().isPresent())
                    .forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0).retry().orElseThrow();
    }

    private static List<String> history(Scene scene, String job) throws Exception {
        return scene.history(job).stream()
                .map(entry -> entry.attempt() + " " + entry.outcome().kind() + " on "
                        + entry.owner().instance() + (entry.retried() == null ? "" : ", tried again"))
                .toList();
    }

    @Test
    void retryThatWaitsWhenItsLeaderIsKilledIsMadeByTheNextAtItsTime() throws Exception {
        ProbeJob.put("killed", context -> {
            if (noted(context).attempt() == 1) {
                throw new IllegalStateException("as told");
            }
        });
        Path conf = conf("killed", "", "retries", "1", "retry-backoff", "6s");
        try (Scene scene = new Scene()) {
            ServiceInstance a = scene.lead(conf, "a");
            scene.start(conf, "b");
            Retry retry = waiting(scene);
            scene.kill(a);

            patiently().until(() -> scene.outcomes("killed", Outcome.Kind.SUCCEEDED) == 1);
            assertThat(ran).containsExactly("1 on a", "2 on b");
            assertThat(started).last().satisfies(at -> assertThat(at).isAfterOrEqualTo(retry.notBefore()));
            assertThat(history(scene, "killed")).containsExactly("1 FAILED on a, tried again", "2 SUCCEEDED on b");
        }
    }

    @Test
    void attemptsByRecoveryAndByRetryShareOneCapAndALateRetryOfTheDeadIsRefused() throws Exception {
        CountDownLatch cut = new CountDownLatch(1);
        ProbeJob.put("capped", context -> {
            if (noted(context).attempt() == 1) {
                cut.await();
            }
            throw new IllegalStateException("as told");
        });
        Path conf = conf("capped", "<recover>true</recover>", "retries", "2", "retry-backoff", "100ms");
        try (Scene scene = new Scene()) {
            ServiceInstance a = scene.lead(conf, "a");
            scene.start(conf, "b");
            patiently().until(() -> !ran.isEmpty());
            scene.kill(a);
            // It fails, and cannot say so.
            cut.countDown();

            patiently().until(() -> scene.outcomes("capped", Outcome.Kind.RECOVERED) == 1);
            scene.heal(a);
            patiently()
                    .until(() -> scene.history("capped").stream()
                            .anyMatch(entry -> entry.attempt() == 3 && entry.retried() == null));
            assertThat(ran).containsExactly("1 on a", "2 on b", "3 on b");
            assertThat(history(scene, "capped"))
                    .containsExactlyInAnyOrder(
                            "1 RECOVERED on a, tried again", "2 FAILED on b, tried again", "3 FAILED on b");
        }
    }

    @Test
    void failureOfADrainingLeaderIsRetriedByItsSuccessorAndByTheOneAfterALostSession() throws Exception {
        CountDownLatch handedOver = new CountDownLatch(1);
        ProbeJob.put("drains", context -> {
            int attempt = noted(context).attempt();
            if (attempt == 1) {
                handedOver.await();
            }
            if (attempt <= 2) {
                throw new IllegalStateException("as told");
            }
        });
        Path conf = conf("drains", "", "retries", "2", "retry-backoff", "2s");
        try (Scene scene = new Scene()) {
            ServiceInstance a = scene.lead(conf, "a");
            ServiceInstance b = scene.start(conf, "b");
            patiently().until(() -> !ran.isEmpty());
            a.resign();
            patiently().until(b::leads);
            handedOver.countDown();
            patiently().until(() -> ran.size() == 2);
            waiting(scene);
            scene.zookeeper().expire(b.term().session());

            patiently().until(() -> scene.outcomes("drains", Outcome.Kind.SUCCEEDED) == 1);
            assertThat(ran).startsWith("1 on a", "2 on b").hasSize(3);
            assertThat(history(scene, "drains"))
                    .startsWith("1 FAILED on a, tried again", "2 FAILED on b, tried again")
                    .hasSize(3);
        }
    }
}
