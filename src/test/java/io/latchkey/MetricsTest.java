package io.latchkey;

import static io.latchkey.Scene.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.jobs.FailJob;
import io.latchkey.ledger.Request;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quartz.JobKey;

/** Two instances, the leader cut off and back again, as Prometheus sees them; each test looks at some of the scrapes. */
@Tag("slow")
class MetricsTest {
    /** A name that would end its label and begin a sample of its own. */
    private static final String HOSTILE = "x\"} 1\nlatchkey_leading 7\\";

    private static final String LEADING = "latchkey_leading";

    private static Scene scene;
    private static ServiceInstance a;
    private static Scrape leader;
    private static Scrape standby;
    private static Scrape cutOff;
    private static Duration scrapeWhileCutOff;
    private static Scrape successor;
    private static Scrape back;

    @BeforeAll
    static void changeOfLeader(@TempDir Path dir) throws Exception {
        scene = new Scene();
        Path conf = ServiceInstance.conf(
                dir.resolve("conf"),
                ServiceInstance.stampJob(
                                "tick",
                                "metrics-tick",
                                ServiceInstance.every(
                                        "tick",
                                        "MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT",
                                        Duration.ofSeconds(1)))
                        + failing(HOSTILE, "<entry><key>how</key><value>RuntimeException</value></entry>")
                        + failing("again", """
                            <entry><key>how</key><value>RuntimeException</value></entry>
                            <entry><key>latchkey.retries</key><value>3</value></entry>
                            <entry><key>latchkey.retry-backoff</key><value>1h</value></entry>
                            <entry><key>latchkey.retry-backoff-max</key><value>1h</value></entry>
                            """));
        String[] console = {"http.enabled=true", "http.port=0", "zookeeper.session-timeout=8s"};
        a = scene.lead(conf, "a", console);
        ServiceInstance b = scene.start(conf, "b", console);
        scene.submit(Request.trigger(new JobKey("tick", "ops"), Map.of(), "the test", Instant.now()));
        // There is no metric of its pauses before the first.
        System.gc();
        leader = scrape(
                a,
                now -> now.value("latchkey_fires_total{outcome=\"failed\"}") >= 1
                        && now.value("latchkey_retries_waiting") == 1
                        && now.value("latchkey_requests_total{kind=\"trigger\",verdict=\"done\"}") == 1
                        && now.value("latchkey_fires_total{outcome=\"succeeded\"}") >= 3
                        && now.value("latchkey_terms_seen_total") >= 1);
        double term = leader.value("latchkey_term");
        standby = scrape(b, now -> now.value("latchkey_term") == term);
        scene.kill(a);
        long from = System.nanoTime();
        cutOff = Scrape.of(a);
        scrapeWhileCutOff = Duration.ofNanos(System.nanoTime() - from);
        cutOff = scrape(a, now -> now.value("latchkey_leaderless_seconds") > 3 && now.value(LEADING) == 0);
        successor = scrape(
                b,
                now -> now.value(LEADING) == 1
                        && now.value("latchkey_term") > term
                        && now.value("latchkey_claims_total{result=\"claimed\"}") > 0);
        scene.heal(a);
        back = scrape(a, now -> now.value("latchkey_leaderless_seconds") == 0 && now.value("latchkey_term") > term);
    }

    private static String failing(String name, String data) {
        return """
            <job><name><![CDATA[%1$s]]></name><group>ops</group><job-class>%2$s</job-class>
             <job-data-map>%3$s</job-data-map></job>
            <trigger><simple><name>fail-%4$d</name><group>ops</group><job-name><![CDATA[%1$s]]></job-name>
             <job-group>ops</job-group><repeat-count>0</repeat-count><repeat-interval>0</repeat-interval></simple></trigger>
            """.formatted(name, FailJob.class.getName(), data, name.length());
    }

    private interface Expected {
        boolean by(Scrape now);
    }

    private static Scrape scrape(ServiceInstance instance, Expected expected) {
        Scrape[] seen = new Scrape[1];
        try {
            patiently().pollInterval(Duration.ofMillis(200)).until(() -> {
                seen[0] = Scrape.of(instance);
                return expected.by(seen[0]);
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("not so in the end:\n" + seen[0].text(), e);
        }
        return seen[0];
    }

    @AfterAll
    static void end() {
        scene.close();
    }

    @Test
    void oneLeadsAndBothKnowTheTerm() {
        assertThat(leader.value(LEADING)).isEqualTo(1);
        assertThat(leader.value("latchkey_role{role=\"leading\"}")).isEqualTo(1);
        assertThat(leader.value("latchkey_lease_remaining_seconds")).isBetween(0.0, 4.0);
        assertThat(leader.value("latchkey_pool_threads")).isEqualTo(10);
        assertThat(leader.value("latchkey_terms_taken_total")).isPositive();
        assertThat(standby.value(LEADING)).isZero();
        assertThat(standby.value("latchkey_role{role=\"standby\"}")).isEqualTo(1);
        assertThat(standby.value("latchkey_lease_remaining_seconds")).isNaN();
        assertThat(standby.value("latchkey_pool_threads")).isZero();
        assertThat(standby.value("latchkey_terms_taken_total")).isZero();
        assertThat(standby.value("latchkey_leaderless_seconds")).isZero();
    }

    @Test
    void eachFireIsCountedOnceUnderItsOutcome() {
        double claimed = leader.value("latchkey_claims_total{result=\"claimed\"}");
        double ended = sum(leader, "latchkey_fires_total") - leader.value("latchkey_skipped_slots_total");
        // The attempt that waits for its retry is claimed and has no outcome; the last ones may run still.
        assertThat(ended).isBetween(claimed - 4, claimed - 1);
        assertThat(leader.value("latchkey_retries_total")).isEqualTo(1);
        assertThat(leader.value("latchkey_retries_waiting")).isEqualTo(1);
        assertThat(leader.value("latchkey_start_lateness_seconds_count")).isPositive();
        assertThat(leader.value("latchkey_claim_seconds_count")).isPositive();
        assertThat(leader.value("latchkey_zookeeper_write_seconds_count")).isPositive();
        assertThat(leader.value("latchkey_job_run_seconds_count{job_group=\"ops\",job_name=\"tick\"}"))
                .isGreaterThanOrEqualTo(3);
    }

    private static double sum(Scrape scrape, String name) {
        return scrape.samples().entrySet().stream()
                .filter(sample -> sample.getKey().startsWith(name + "{"))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    @Test
    void aJobsNameCannotForgeASample() {
        assertThat(leader.samples())
                .containsKey("latchkey_job_fires_total{job_group=\"ops\","
                        + "job_name=\"x\\\"} 1?latchkey_leading 7\\\\\",outcome=\"failed\"}");
        assertThat(leader.text().lines().filter(line -> line.startsWith(LEADING + " ")))
                .containsExactly(LEADING + " 1.0");
    }

    @Test
    void aLeaderThatIsCutOffIsScrapedAtOnceAndSaysWhyItsGateClosed() {
        assertThat(scrapeWhileCutOff).isLessThan(Duration.ofSeconds(20));
        assertThat(cutOff.value("latchkey_zookeeper_connected")).isZero();
        assertThat(cutOff.value("latchkey_zookeeper_events_total{event=\"suspended\"}"))
                .isPositive();
        assertThat(sum(cutOff, "latchkey_gate_closures_total")).isEqualTo(cutOff.value("latchkey_terms_taken_total"));
        // Whichever was noticed first on a busy machine; never a failure or a plan of its own.
        assertThat(cutOff.value("latchkey_gate_closures_total{cause=\"connection\"}")
                        + cutOff.value("latchkey_gate_closures_total{cause=\"latch\"}")
                        + cutOff.value("latchkey_gate_closures_total{cause=\"session\"}")
                        + cutOff.value("latchkey_gate_closures_total{cause=\"lease\"}"))
                .isPositive();
    }

    @Test
    void theSuccessorCountsItsTermAndTheOneBefore() {
        assertThat(successor.value("latchkey_terms_taken_total")).isPositive();
        assertThat(successor.value("latchkey_terms_seen_total")).isGreaterThanOrEqualTo(2);
        assertThat(successor.value("latchkey_term_conflicts_total")).isZero();
        assertThat(back.value("latchkey_zookeeper_connected")).isEqualTo(1);
        assertThat(back.value("latchkey_without_leader_seconds_total")).isGreaterThan(3);
    }

    @Test
    void openMetricsComesWhereItIsAccepted() throws Exception {
        HttpResponse<String> open = Scrape.get(a, "application/openmetrics-text;version=1.0.0;q=0.5,text/plain");

        assertThat(open.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/openmetrics-text");
        assertThat(open.body()).endsWith("# EOF\n");
        assertThat(Scrape.get(a, "*/*").headers().firstValue("Content-Type").orElseThrow())
                .startsWith("text/plain; version=0.0.4");
    }

    @Test
    void everyMetricThatRulesDashboardAndReadmeNameIsThere() throws Exception {
        Set<String> there = new TreeSet<>(leader.names());
        there.addAll(standby.names());

        assertThat(MonitoringFiles.metricsOf("latchkey-alerts.yml"))
                .hasSizeGreaterThan(10)
                .isSubsetOf(there);
        assertThat(MonitoringFiles.metricsIn(Path.of("README.md")))
                .hasSizeGreaterThan(10)
                .isSubsetOf(there);
        assertThat(MonitoringFiles.metricsOf("latchkey-dashboard.json"))
                .hasSizeGreaterThan(15)
                .isSubsetOf(there);
    }
}
