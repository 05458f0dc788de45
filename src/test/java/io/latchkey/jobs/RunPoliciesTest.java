package io.latchkey.jobs;

import static io.latchkey.jobs.Loading.job;
import static io.latchkey.jobs.Loading.loadText;
import static io.latchkey.jobs.Loading.problems;
import static io.latchkey.jobs.Loading.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.conf.JobsSettings;
import io.latchkey.conf.RunPolicy;
import io.latchkey.conf.RunPolicy.LeadershipLost;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

class RunPoliciesTest {
    private static final JobKey JOB = new JobKey("j");
    private static final TriggerKey TRIGGER = new TriggerKey("t");

    @TempDir
    Path dir;

    private static String data(String... keysAndValues) {
        StringBuilder map = new StringBuilder("<job-data-map>");
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.append(
                    "<entry><key>%s</key><value>%s</value></entry>".formatted(keysAndValues[i], keysAndValues[i + 1]));
        }
        return map + "</job-data-map>";
    }

    private static String jobWith(String... keysAndValues) {
        return job("j").replace("</job>", data(keysAndValues) + "</job>");
    }

    @Test
    void triggerGoesOverJobAndJobOverConf() throws Exception {
        loadText(
                dir,
                jobWith("latchkey.timeout", "1m", "latchkey.retries", "2", "latchkey.on-leadership-lost", "continue")
                        + trigger("simple", data("latchkey.retries", "5")));
        RunPolicy defaults = RunPolicy.DEFAULT.with("timeout", "1h").with("retry-backoff", "3s");
        JobCatalog catalog = JobsLoader.load(
                new JobsSettings(List.of("jobs.xml"), ZoneOffset.UTC, List.of(), defaults), dir, Loading.CLOCK);

        RunPolicy run = catalog.runs(JOB, TRIGGER);
        assertThat(run.timeout()).contains(Duration.ofMinutes(1));
        assertThat(run.retries()).isEqualTo(5);
        assertThat(run.retryBackoff()).isEqualTo(Duration.ofSeconds(3));
        assertThat(run.onLeadershipLost()).isEqualTo(LeadershipLost.CONTINUE);
        assertThat(catalog.runs(JOB, new TriggerKey("asked for")).retries()).isEqualTo(2);
        assertThat(catalog.runs(new JobKey("gone"), TRIGGER)).isEqualTo(defaults);
    }

    @Test
    void badValueIsAProblemAtItsJobOrTrigger() {
        assertThat(problems(
                        dir,
                        jobWith("latchkey.timeout", "30") + "\n" + trigger("simple", data("latchkey.retries", "lots"))))
                .contains(
                        "jobs.xml:3:1: job DEFAULT.j: job data key \"latchkey.timeout\" with \"30\" has no unit",
                        "write 30s for seconds",
                        "jobs.xml:4:10: trigger DEFAULT.t: job data key \"latchkey.retries\" with \"lots\" is not a"
                                + " whole number",
                        "write digits only");
    }

    @Test
    void misspelledKeyIsAProblem() {
        assertThat(problems(dir, jobWith("latchkey.retrys", "3")))
                .contains("there is no job data key \"latchkey.retrys\"", "did you mean \"latchkey.retries\"?");
        assertThat(problems(dir, jobWith("latchkey.onLeadershipLost", "continue")))
                .contains("did you mean \"latchkey.on-leadership-lost\"?");
    }

    @Test
    void badHookIsNotRepeated() {
        assertThat(problems(dir, jobWith("latchkey.on-failure", "https:///secret-token")))
                .contains("job data key \"latchkey.on-failure\" is no URL")
                .doesNotContain("secret-token");
        assertThat(problems(dir, jobWith("latchkey.on-failure", "https://h/${env:1X}")))
                .contains("job data key \"latchkey.on-failure\" refers to \"1X\", no name of a variable");
    }
}
