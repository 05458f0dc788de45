package io.latchkey.drill;

import static org.quartz.SimpleScheduleBuilder.simpleSchedule;

import io.latchkey.conf.Durations;
import io.latchkey.jobs.FireContext;
import io.latchkey.jobs.Misfire;
import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.retry.RetryForever;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.ScheduleBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.listeners.JobListenerSupport;

/**
 * The way it is usually done: a latch whose listener starts Quartz, and sets it on standby. A program that the drill runs
 * in place of an instance of this service, with the same jobs and the same settings.
 */
public final class TextbookService {
    private static final String LATCH = "/latchkey/latch";

    private volatile long token;

    private TextbookService() {}

    /**
     * Runs until it is killed.
     *
     * @param args as {@code bin/latchkey run} takes them: the last one is the configuration directory
     */
    public static void main(String[] args) throws Exception {
        Threads threads = new Threads(new Faults());
        threads.start("parent-watch", TextbookService::endWithParent);
        new TextbookService().run(Path.of(args[args.length - 1]), threads);
    }

    private void run(Path conf, Threads threads) throws Exception {
        Properties settings = new Properties();
        try (Reader in = Files.newBufferedReader(conf.resolve("latchkey.properties"))) {
            settings.load(in);
        }
        String id = settings.getProperty("instance.id");
        Scheduler scheduler = scheduler(settings, id, conf);
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(settings.getProperty("zookeeper.connect"))
                .sessionTimeoutMs((int) Durations.parse(settings.getProperty("zookeeper.session-timeout"))
                        .toMillis())
                .connectionTimeoutMs((int) Durations.parse(settings.getProperty("zookeeper.connection-timeout"))
                        .toMillis())
                .ensembleTracker(false)
                .retryPolicy(new RetryForever(500))
                .build();
        client.start();
        LeaderLatch latch = new LeaderLatch(client, LATCH, id);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                try {
                    // Only for the run log: who started what as whose successor.
                    token = client.checkExists().forPath(latch.getOurPath()).getCzxid();
                    scheduler.start();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void notLeader() {
                try {
                    scheduler.standby();
                } catch (SchedulerException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        latch.start();
        Runtime.getRuntime().addShutdownHook(threads.factory("stop").newThread(() -> {
            try {
                latch.close(LeaderLatch.CloseMode.NOTIFY_LEADER);
                scheduler.shutdown(true);
                client.close();
            } catch (IOException | SchedulerException e) {
                throw new IllegalStateException(e);
            } finally {
                Runtime.getRuntime().halt(0);
            }
        }));
    }

    private Scheduler scheduler(Properties settings, String id, Path conf) throws SchedulerException {
        Properties quartz = new Properties();
        quartz.setProperty("org.quartz.scheduler.instanceName", id);
        quartz.setProperty("org.quartz.threadPool.threadCount", settings.getProperty("scheduler.threads"));
        quartz.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        quartz.setProperty(
                "org.quartz.jobStore.misfireThreshold",
                Long.toString(Durations.parse(settings.getProperty("scheduler.misfire-threshold"))
                        .toMillis()));
        Scheduler scheduler = new StdSchedulerFactory(quartz).getScheduler();
        scheduler.getListenerManager().addJobListener(new JobListenerSupport() {
            @Override
            public String getName() {
                return "fire-context";
            }

            @Override
            public void jobToBeExecuted(JobExecutionContext context) {
                Instant slot = context.getScheduledFireTime().toInstant();
                context.put(FireContext.FIRE_ID, context.getTrigger().getKey() + "@" + slot);
                context.put(FireContext.INSTANCE, id);
                context.put(FireContext.ATTEMPT, 1);
                context.put(FireContext.TERM, token);
                context.put(FireContext.FENCING_TOKEN, token);
            }
        });
        Date next = Date.from(Instant.ofEpochSecond((Instant.now().getEpochSecond() / 60 + 1) * 60 - 60));
        for (DrillTrigger trigger : DrillJobs.always()) {
            schedule(scheduler, trigger, conf, next);
        }
        return scheduler;
    }

    private static void schedule(Scheduler scheduler, DrillTrigger trigger, Path conf, Date start)
            throws SchedulerException {
        var job = JobBuilder.newJob(trigger.job().type())
                .withIdentity(trigger.job().name(), DrillJobs.GROUP)
                .usingJobData(DrillJob.RUN_LOG, conf.resolveSibling("run.log").toString())
                .usingJobData(
                        DrillJob.WORK_MILLIS, Long.toString(trigger.job().work().toMillis()))
                .usingJobData(DrillJob.FAILING, "0")
                .usingJobData(
                        DrillKillerJob.MARKER, conf.resolveSibling("killer").toString())
                .storeDurably()
                .build();
        scheduler.addJob(job, true);
        scheduler.scheduleJob(TriggerBuilder.newTrigger()
                .withIdentity(trigger.name(), DrillJobs.GROUP)
                .forJob(job)
                .startAt(start)
                .withSchedule(schedule(trigger))
                .build());
    }

    private static ScheduleBuilder<?> schedule(DrillTrigger trigger) {
        if (trigger.kind() == DrillTrigger.Kind.CRON) {
            CronScheduleBuilder cron = CronScheduleBuilder.cronSchedule("0/" + trigger.every() + " * * * * ?");
            return switch (trigger.misfire()) {
                case ALL -> cron.withMisfireHandlingInstructionIgnoreMisfires();
                case ONCE -> cron.withMisfireHandlingInstructionFireAndProceed();
                case NOTHING -> cron.withMisfireHandlingInstructionDoNothing();
            };
        }
        SimpleScheduleBuilder simple =
                simpleSchedule().withIntervalInSeconds(trigger.every()).repeatForever();
        return trigger.misfire() == Misfire.ALL
                ? simple.withMisfireHandlingInstructionIgnoreMisfires()
                : simple.withMisfireHandlingInstructionNextWithRemainingCount();
    }

    private static void endWithParent() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }
}
