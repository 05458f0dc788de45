package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.latchkey.conf.QuartzSettings;
import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.Window;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.listeners.JobListenerSupport;
import org.quartz.spi.ClassLoadHelper;
import org.quartz.spi.SchedulerPlugin;

/** What quartz.properties plugs in. */
class QuartzExtensionsTest {
    private static final List<String> seen = new CopyOnWriteArrayList<>();

    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
        seen.clear();
    }

    @Test
    void listenersAndPluginsSeeTheRunAndShutdownHooksAreLeftOut() throws Exception {
        lab.quartz = new QuartzSettings(
                Map.of(
                        "org.quartz.jobListener.mine.class", Listener.class.getName(),
                        "org.quartz.jobListener.mine.greeting", "hello",
                        "org.quartz.plugin.hook.class", "org.quartz.plugins.management.ShutdownHookPlugin",
                        "org.quartz.plugin.mine.class", Plugin.class.getName(),
                        "org.quartz.threadPool.threadPriority", "3",
                        "org.quartz.threadPool.makeThreadsDaemons", "true",
                        "org.quartz.context.key.shared", "value"),
                List.of());
        JobKey job = lab.addJob("one", TestJobs.Quick.class);
        lab.addTrigger("once", job, new Schedule.Simple(Window.OPEN, 0, Duration.ZERO), Misfire.ONCE);
        lab.lead();

        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> seen.contains("hello ran test.one value 3"));
        lab.stop();
        assertThat(seen).contains("plugin initialized", "plugin refused", "plugin started", "plugin shut down");
    }

    @Test
    void unusableClassIsNamedWithItsKeyAndTheRemedy() {
        QuartzSettings missing =
                new QuartzSettings(Map.of("org.quartz.jobListener.x.class", "com.example.Nowhere"), List.of());
        assertThatThrownBy(() -> TermScheduler.check(missing, getClass().getClassLoader()))
                .isInstanceOf(SchedulerException.class)
                .hasMessageContaining("org.quartz.jobListener.x.class")
                .hasMessageContaining("com.example.Nowhere")
                .hasMessageContaining("jobs/");
    }

    /** Notes runs. */
    public static class Listener extends JobListenerSupport {
        private String greeting = "";

        public void setGreeting(String greeting) {
            this.greeting = greeting;
        }

        @Override
        public String getName() {
            return "mine";
        }

        @Override
        public void jobWasExecuted(JobExecutionContext context, JobExecutionException exception) {
            try {
                seen.add(greeting + " ran " + context.getJobDetail().getKey() + " "
                        + context.getScheduler().getContext().get("shared") + " "
                        + Thread.currentThread().getPriority());
            } catch (SchedulerException e) {
                seen.add(e.toString());
            }
        }
    }

    /** Notes its life. */
    public static class Plugin implements SchedulerPlugin {
        @Override
        public void initialize(String name, Scheduler scheduler, ClassLoadHelper loadHelper) {
            seen.add("plugin initialized");
            try {
                scheduler.shutdown();
            } catch (SchedulerException e) {
                seen.add("plugin refused");
            }
        }

        @Override
        public void start() {
            seen.add("plugin started");
        }

        @Override
        public void shutdown() {
            seen.add("plugin shut down");
        }
    }
}
