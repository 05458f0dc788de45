package io.latchkey.jobs.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.JobPersistenceException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.simpl.CascadingClassLoadHelper;
import org.quartz.simpl.RAMJobStore;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.SchedulerSignaler;

/** Our trigger inside Quartz's own store and under its own scheduler. */
@SuppressWarnings("JavaUtilDate") // Quartz's interface speaks in Date.
class CronTriggerInStoreTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    /** The evening before the clocks go back, far enough ahead that nothing here is a misfire. */
    private static final Instant EVENING = Instant.parse("2040-10-27T20:00:00Z");

    private static final List<Instant> RUNS = new CopyOnWriteArrayList<>();

    /** Notes the slot it runs for. */
    @DisallowConcurrentExecution
    public static final class NotingJob implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            RUNS.add(context.getScheduledFireTime().toInstant());
        }
    }

    @BeforeEach
    void forgetRuns() {
        RUNS.clear();
    }

    @Test
    void storeFiresARhythmThroughBothPassesOfTheHour() throws Exception {
        assertThat(firesInStore("0 0/30 * * * ?", 18))
                .startsWith(Instant.parse("2040-10-27T20:00:00Z"))
                .endsWith(Instant.parse("2040-10-28T04:30:00Z"))
                .contains(
                        Instant.parse("2040-10-28T00:00:00Z"),
                        Instant.parse("2040-10-28T00:30:00Z"),
                        Instant.parse("2040-10-28T01:00:00Z"),
                        Instant.parse("2040-10-28T01:30:00Z"));
    }

    @Test
    void storeFiresAFixedTimeOnceInTheSecondPass() throws Exception {
        assertThat(firesInStore("0 30 2 * * ?", 2))
                .containsExactly(Instant.parse("2040-10-28T01:30:00Z"), Instant.parse("2040-10-29T01:30:00Z"));
    }

    @Test
    void storeDropsATriggerWhoseEndHasCome() throws Exception {
        RAMJobStore store = store();
        JobDetail job = JobBuilder.newJob(NotingJob.class).withIdentity("j").build();
        OperableTrigger trigger = trigger("0 0 22 * * ?", EVENING, EVENING.plusSeconds(1));
        trigger.computeFirstFireTime(null);
        store.storeJobAndTrigger(job, trigger);
        assertThat(fireNext(store)).isEqualTo(EVENING);
        assertThat(store.acquireNextTriggers(Long.MAX_VALUE, 1, 0)).isEmpty();
        assertThat(store.retrieveTrigger(trigger.getKey())).isNull();
    }

    @Test
    void storeResumesFromAPlantedCursor() throws Exception {
        RAMJobStore store = store();
        OperableTrigger trigger = trigger("0 0 * * * ?", EVENING, null);
        trigger.setPreviousFireTime(Date.from(EVENING.plus(Duration.ofHours(3))));
        trigger.setNextFireTime(Date.from(EVENING.plus(Duration.ofHours(4))));
        store.storeJobAndTrigger(
                JobBuilder.newJob(NotingJob.class).withIdentity("j").build(), trigger);
        assertThat(fireNext(store)).isEqualTo(EVENING.plus(Duration.ofHours(4)));
        assertThat(fireNext(store)).isEqualTo(EVENING.plus(Duration.ofHours(5)));
    }

    @Test
    void schedulerRunsItEverySecondWithoutAHole() throws SchedulerException {
        Properties properties = new Properties();
        properties.setProperty(StdSchedulerFactory.PROP_SCHED_INSTANCE_NAME, "cron-in-store");
        properties.setProperty("org.quartz.threadPool.threadCount", "2");
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        Scheduler scheduler = new StdSchedulerFactory(properties).getScheduler();
        try {
            scheduler.start();
            Trigger trigger = trigger("* * * * * ?", Instant.now(), null);
            scheduler.scheduleJob(
                    JobBuilder.newJob(NotingJob.class).withIdentity("j").build(), trigger);
            await().atMost(Duration.ofSeconds(30)).until(() -> RUNS.size() >= 3);
        } finally {
            scheduler.shutdown(true);
        }
        List<Instant> runs = List.copyOf(RUNS);
        for (int i = 1; i < runs.size(); i++) {
            assertThat(runs.get(i)).isEqualTo(runs.get(0).plusSeconds(i));
        }
    }

    private static List<Instant> firesInStore(String expression, int count) throws Exception {
        RAMJobStore store = store();
        OperableTrigger trigger = trigger(expression, EVENING, null);
        trigger.computeFirstFireTime(null);
        store.storeJobAndTrigger(
                JobBuilder.newJob(NotingJob.class).withIdentity("j").build(), trigger);
        List<Instant> fires = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fires.add(fireNext(store));
        }
        return fires;
    }

    /** What Quartz's thread does: acquire, fire, complete. */
    private static Instant fireNext(RAMJobStore store) throws JobPersistenceException {
        List<OperableTrigger> acquired = store.acquireNextTriggers(Long.MAX_VALUE, 1, 0);
        var bundle = store.triggersFired(acquired).get(0).getTriggerFiredBundle();
        OperableTrigger fired = acquired.get(0);
        store.triggeredJobComplete(fired, bundle.getJobDetail(), fired.executionComplete(null, null));
        return bundle.getScheduledFireTime().toInstant();
    }

    private static OperableTrigger trigger(String expression, Instant start, @Nullable Instant end) {
        return (OperableTrigger) TriggerBuilder.newTrigger()
                .withIdentity("t")
                .forJob("j")
                .startAt(Date.from(start))
                .endAt(end == null ? null : Date.from(end))
                .withSchedule(LatchkeyCronTrigger.builder(CronSchedule.parse(expression), BERLIN))
                .build();
    }

    private static RAMJobStore store() throws SchedulerException {
        CascadingClassLoadHelper classes = new CascadingClassLoadHelper();
        classes.initialize();
        RAMJobStore store = new RAMJobStore();
        store.initialize(classes, new SilentSignaler());
        store.schedulerStarted();
        return store;
    }

    private static final class SilentSignaler implements SchedulerSignaler {
        @Override
        public void notifyTriggerListenersMisfired(Trigger trigger) {
            throw new AssertionError("nothing here may misfire: " + trigger);
        }

        @Override
        public void notifySchedulerListenersFinalized(Trigger trigger) {}

        @Override
        public void notifySchedulerListenersJobDeleted(JobKey jobKey) {}

        @Override
        public void signalSchedulingChange(long candidateNewNextFireTime) {}

        @Override
        public void notifySchedulerListenersError(String string, SchedulerException jpe) {
            throw new AssertionError(string, jpe);
        }
    }
}
