package io.latchkey;

import static io.latchkey.Scene.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.example.jobs.ProbeJob;
import com.example.jobs.StampJob;
import com.example.jobs.StampJob.Stamp;
import io.latchkey.jobs.FireContext;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Outcome.Kind;
import io.latchkey.ledger.PlantedLedger;
import io.latchkey.ledger.Request;
import io.latchkey.ledger.RunInfo;
import io.latchkey.testing.LogCapture;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;

/** What jobs may rely on when the leader changes: their data, pauses, requests, recovery, and never two at once. */
@Tag("slow")
class JobsAcrossTermsTest {
    private static final String ALL = "MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY";
    private static final String ONCE = "MISFIRE_INSTRUCTION_FIRE_ONCE_NOW";
    private static final String YEARLY = "0 0 0 1 1 ?";

    @TempDir
    private Path dir;

    private static String probe(String name, String type, String more, String trigger) {
        return """
                <job><name>%1$s</name><group>ops</group><job-class>com.example.jobs.%2$s</job-class>%3$s
                 <job-data-map><entry><key>probe</key><value>%1$s</value></entry></job-data-map></job>
                <trigger>%4$s</trigger>
                """.formatted(name, type, more, trigger);
    }

    @Test
    void persistedJobDataGoesOnWhereTheLastLeaderLeftIt() throws Exception {
        Queue<Integer> counts = new ConcurrentLinkedQueue<>();
        ProbeJob.put("counter", context -> {
            JobDataMap data = context.getJobDetail().getJobDataMap();
            int count = data.containsKey("count") ? data.getInt("count") + 1 : 1;
            data.put("count", count);
            data.put("half", count / 2.0);
            data.put("even", count % 2 == 0);
            counts.add(count);
        });
        Path conf = ServiceInstance.conf(
                dir, probe("counter", "ProbeJob$Single", "", ServiceInstance.cron("counter", ALL, "* * * * * ?")));
        try (Scene scene = new Scene()) {
            ServiceInstance a = scene.lead(conf, "a");
            ServiceInstance b = scene.start(conf, "b");
            patiently().until(() -> counts.size() >= 2);
            a.resign();
            patiently().until(b::leads);
            int before = counts.size();
            patiently().until(() -> counts.size() >= before + 2);
            // A run whose completion is not known to be written is none of the data's.
            patiently().until(() -> scene.outcomes("counter", Kind.SUCCEEDED) >= before + 2);
            scene.kill(b);
            patiently().until(a::leads);
            int between = counts.size();
            patiently().until(() -> counts.size() >= between + 2);
            List<Integer> seen = List.copyOf(counts);
            long lost = scene.outcomes("counter", Kind.ABANDONED);
            for (int i = 1; i < seen.size(); i++) {
                assertThat(seen.get(i) - seen.get(i - 1)).as("counts %s", seen).isBetween(lost == 0 ? 1 : 0, 1);
            }
        }
    }

    @Test
    void aPauseSurvivesTheLeaderAndAResumeCatchesUp() throws Exception {
        String log = "paused";
        Path conf = ServiceInstance.conf(
                dir,
                ServiceInstance.stampJob("job", log, ServiceInstance.cron("job", ONCE, "0/2 * * * * ?"))
                        + ServiceInstance.stampJob(
                                "other", "not-paused", ServiceInstance.cron("other", ONCE, "* * * * * ?")));
        try (Scene scene = new Scene()) {
            ServiceInstance a = scene.lead(conf, "a", "scheduler.misfire-threshold=1s");
            patiently().until(() -> !StampJob.of(log).isEmpty());
            scene.submit(request(Request.Kind.PAUSE));
            patiently().until(() -> scene.ledger().paused().jobs().contains(new JobKey("job", "ops")));
            scene.kill(a);
            Instant killed = Instant.now();
            scene.lead(conf, "b", "scheduler.misfire-threshold=1s");
            patiently()
                    .until(() -> StampJob.of("not-paused").stream()
                            .anyMatch(run -> run.scheduled().isAfter(killed.plusSeconds(5))));
            assertThat(StampJob.of(log)).noneMatch(run -> run.scheduled().isAfter(killed));
            scene.submit(request(Request.Kind.RESUME));
            patiently()
                    .until(() -> StampJob.of(log).stream()
                                    .filter(run -> run.instance().equals("b"))
                                    .count()
                            >= 2);
            List<Stamp> resumed = StampJob.of(log).stream()
                    .filter(run -> run.instance().equals("b"))
                    .toList();
            assertThat(resumed.get(0).catchUp()).isTrue();
            assertThat(resumed.get(0).missed()).isGreaterThanOrEqualTo(2);
            assertThat(resumed.subList(1, resumed.size())).noneMatch(Stamp::catchUp);
            assertThat(StampJob.of(log).stream().map(Stamp::fireId)).doesNotHaveDuplicates();
        }
    }

    private static Request request(Request.Kind kind) {
        return new Request("", kind, new JobKey("job", "ops"), null, Map.of(), "the test", Instant.now());
    }

    @Test
    void aJobsOwnTriggerJobIsDurableWhenItReturnsAndRunsOnce() throws Exception {
        Queue<String> ran = new ConcurrentLinkedQueue<>();
        Queue<Long> durable = new ConcurrentLinkedQueue<>();
        CountDownLatch asked = new CountDownLatch(1);
        try (Scene scene = new Scene()) {
            ProbeJob.put("caller", context -> {
                JobDataMap data = new JobDataMap(Map.of("order", "17"));
                context.getScheduler().triggerJob(new JobKey("called", "ops"), data);
                durable.add(scene.ledger().requests().size()
                        + scene.ledger().running().stream()
                                .filter(record ->
                                        record.id().trigger().getGroup().equals(Request.GROUP))
                                .count()
                        + scene.history("called").size());
                asked.countDown();
            });
            ProbeJob.put(
                    "called",
                    context -> ran.add(context.getMergedJobDataMap().getString("order") + " "
                            + FireContext.of(context).instance()));
            String shot = """
                    <simple><name>caller-t</name><group>ops</group><job-name>caller</job-name><job-group>ops</job-group>
                    <repeat-count>0</repeat-count><repeat-interval>0</repeat-interval></simple>""";
            Path conf = ServiceInstance.conf(
                    dir,
                    probe("caller", "ProbeJob", "", shot)
                            + probe(
                                    "called",
                                    "ProbeJob",
                                    "<recover>true</recover>",
                                    ServiceInstance.cron("called", ONCE, YEARLY)));
            ServiceInstance a = scene.lead(conf, "a");
            asked.await();
            scene.kill(a);
            scene.lead(conf, "b");
            patiently().until(() -> scene.outcomes("called", Kind.SUCCEEDED) >= 1);
            assertThat(durable)
                    .as("request, claim or outcome, once it returned")
                    .allMatch(count -> count > 0);
            assertThat(scene.ledger().requests()).isEmpty();
            assertThat(ran).allMatch(run -> run.startsWith("17 "));
            long recovered = scene.outcomes("called", Kind.RECOVERED);
            assertThat(scene.outcomes("called", Kind.SUCCEEDED)).isEqualTo(1);
            assertThat((long) ran.size()).isBetween(1L, 1 + recovered);
        }
    }

    @Test
    void aRequestMadeWhileNobodyLeadsWaitsForALeader() throws Exception {
        String log = "requested";
        Path conf = ServiceInstance.conf(
                dir, ServiceInstance.stampJob("job", log, ServiceInstance.cron("job", ONCE, YEARLY)));
        try (Scene scene = new Scene()) {
            scene.planted();
            scene.submit(Request.trigger(new JobKey("job", "ops"), Map.of("who", "me"), "the test", Instant.now()));
            scene.lead(conf, "a");
            patiently().until(() -> scene.outcomes("job", Kind.SUCCEEDED) == 1);
            assertThat(StampJob.of(log))
                    .singleElement()
                    .satisfies(run -> assertThat(run.fireId()).contains(Request.GROUP));
            assertThat(scene.ledger().requests()).isEmpty();
        }
    }

    @Test
    void changesThatWouldDieWithTheTermAreRefusedWithTheRemedy() throws Exception {
        Map<String, String> refused = new ConcurrentHashMap<>();
        CountDownLatch tried = new CountDownLatch(1);
        ProbeJob.put("changer", context -> {
            Scheduler scheduler = context.getScheduler();
            JobKey self = context.getJobDetail().getKey();
            Map<String, Change> changes = Map.of(
                    "scheduleJob",
                    () -> scheduler.scheduleJob(
                            JobBuilder.newJob(StampJob.class)
                                    .withIdentity("new")
                                    .build(),
                            TriggerBuilder.newTrigger().startNow().build()),
                    "deleteJob",
                    () -> scheduler.deleteJob(self),
                    "unscheduleJob",
                    () -> scheduler.unscheduleJob(context.getTrigger().getKey()),
                    "rescheduleJob",
                    () -> scheduler.rescheduleJob(
                            context.getTrigger().getKey(),
                            TriggerBuilder.newTrigger().startNow().build()),
                    "pauseAll",
                    scheduler::pauseAll,
                    "shutdown",
                    scheduler::shutdown,
                    "standby",
                    scheduler::standby,
                    "clear",
                    scheduler::clear);
            changes.forEach((name, change) -> {
                try {
                    change.make();
                } catch (SchedulerException e) {
                    refused.put(name, String.valueOf(e.getMessage()));
                }
            });
            tried.countDown();
        });
        String shot = """
                <simple><name>changer-t</name><group>ops</group><job-name>changer</job-name><job-group>ops</job-group>
                <repeat-count>0</repeat-count><repeat-interval>0</repeat-interval></simple>""";
        Path conf = ServiceInstance.conf(dir, probe("changer", "ProbeJob", "", shot));
        try (Scene scene = new Scene()) {
            scene.lead(conf, "a");
            tried.await();
            patiently().until(() -> scene.outcomes("changer", Kind.SUCCEEDED) == 1);
            assertThat(refused.keySet())
                    .containsExactlyInAnyOrder(
                            "scheduleJob",
                            "deleteJob",
                            "unscheduleJob",
                            "rescheduleJob",
                            "pauseAll",
                            "shutdown",
                            "standby",
                            "clear");
            assertThat(refused.get("scheduleJob")).contains("job files");
            assertThat(refused.get("pauseAll")).contains("latchkey command");
        }
    }

    private interface Change {
        void make() throws SchedulerException;
    }

    @Test
    void anInFlightFireOfADeadInstanceIsRunAgainAsTheSameFireIfItsJobAsksForIt() throws Exception {
        Map<String, Object> seen = new ConcurrentHashMap<>();
        ProbeJob.put("again", context -> {
            FireContext fire = FireContext.of(context);
            seen.put("id", fire.fireId());
            seen.put("attempt", fire.attempt());
            seen.put("recovering", context.isRecovering() && fire.isRecovering());
            seen.put("slot", fire.scheduledTime());
            seen.put("trigger", context.getRecoveringTriggerKey());
            seen.put("group", context.getTrigger().getKey().getGroup());
            seen.put(
                    "millis",
                    context.getMergedJobDataMap()
                            .getString(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS));
            seen.put("scheduled", context.getScheduledFireTime());
        });
        ProbeJob.put("never", context -> seen.put("never", true));
        Path conf = ServiceInstance.conf(
                dir,
                probe("again", "ProbeJob", "<recover>true</recover>", ServiceInstance.cron("again", ONCE, YEARLY))
                        + probe(
                                "never",
                                "ProbeJob",
                                "<recover>true</recover>",
                                ServiceInstance.cron("never", ONCE, YEARLY))
                        + probe("gone", "ProbeJob", "", ServiceInstance.cron("gone", ONCE, YEARLY)));
        ProbeJob.put("gone", context -> seen.put("gone", true));
        Instant slot = Instant.now().minusSeconds(100).truncatedTo(ChronoUnit.SECONDS);
        try (Scene scene = new Scene();
                LogCapture logs = LogCapture.of("io.latchkey.scheduler")) {
            PlantedLedger planted = scene.planted();
            planted.leftAt(Scene.catalog(conf), slot.minusSeconds(1), slot);
            TriggerSpec again = Scene.trigger(conf, "again-t");
            planted.claimed(again, slot, new RunInfo(true, false, Missed.NONE, Map.of()), 1);
            planted.claimed(Scene.trigger(conf, "never-t"), slot, new RunInfo(true, false, Missed.NONE, Map.of()), 3);
            planted.claimed(Scene.trigger(conf, "gone-t"), slot, new RunInfo(false, false, Missed.NONE, Map.of()), 1);
            scene.lead(conf, "a");
            patiently().until(() -> scene.outcomes("again", Kind.SUCCEEDED) == 1);

            assertThat(seen)
                    .containsEntry("id", "ops.again-t@" + slot)
                    .containsEntry("attempt", 2)
                    .containsEntry("recovering", true)
                    .containsEntry("slot", slot)
                    .containsEntry("trigger", new TriggerKey("again-t", "ops"))
                    .containsEntry("group", Scheduler.DEFAULT_RECOVERY_GROUP)
                    .containsEntry("millis", String.valueOf(slot.toEpochMilli()))
                    .containsEntry("scheduled", Date.from(slot))
                    .doesNotContainKey("never")
                    .doesNotContainKey("gone");
            assertThat(scene.history("again").stream()
                            .map(entry ->
                                    entry.attempt() + " " + entry.outcome().kind()))
                    .containsExactlyInAnyOrder("1 RECOVERED", "2 SUCCEEDED");
            assertThat(scene.outcomes("never", Kind.ABANDONED)).isEqualTo(1);
            assertThat(scene.outcomes("gone", Kind.ABANDONED)).isEqualTo(1);
            assertThat(logs.messages(Level.WARN))
                    .anyMatch(line -> line.contains("ops.never-t@") && line.contains("3 attempts were made"))
                    .anyMatch(line -> line.contains("ops.gone-t@") && line.contains("does not request recovery"));
        }
    }

    @Test
    void whatALivingLeaderWasRunningWhenItWasKilledIsDecidedOnce() throws Exception {
        Semaphore started = new Semaphore(0);
        CountDownLatch end = new CountDownLatch(1);
        Queue<String> attempts = new ConcurrentLinkedQueue<>();
        ProbeJob.Probe holds = context -> {
            FireContext fire = FireContext.of(context);
            attempts.add(context.getJobDetail().getKey().getName() + "#" + fire.attempt() + " " + fire.instance());
            started.release();
            if (fire.instance().equals("a")) {
                end.await();
            }
        };
        ProbeJob.put("yes", holds);
        ProbeJob.put("no", holds);
        String shot = """
                <simple><name>%1$s-t</name><group>ops</group><job-name>%1$s</job-name><job-group>ops</job-group>
                <repeat-count>0</repeat-count><repeat-interval>0</repeat-interval></simple>""";
        Path conf = ServiceInstance.conf(
                dir,
                probe("yes", "ProbeJob", "<recover>true</recover>", shot.formatted("yes"))
                        + probe("no", "ProbeJob", "", shot.formatted("no")));
        try (Scene scene = new Scene()) {
            ServiceInstance a = scene.lead(conf, "a");
            started.acquire(2);
            scene.kill(a);
            scene.lead(conf, "b");
            patiently().until(() -> scene.outcomes("yes", Kind.SUCCEEDED) == 1);
            patiently().until(() -> scene.outcomes("no", Kind.ABANDONED) == 1);
            end.countDown();
            assertThat(attempts).containsExactlyInAnyOrder("yes#1 a", "no#1 a", "yes#2 b");
            assertThat(scene.outcomes("yes", Kind.RECOVERED)).isEqualTo(1);
            assertThat(scene.history("no")).hasSize(1);
        } finally {
            end.countDown();
        }
    }

    @Test
    void aJobThatMayNotOverlapWaitsForItsRunOnTheOldLeaderAndSeesItsData() throws Exception {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        CountDownLatch end = new CountDownLatch(1);
        ProbeJob.put("alone", context -> {
            JobDataMap data = context.getJobDetail().getJobDataMap();
            String instance = FireContext.of(context).instance();
            events.add("start " + instance + " " + data.get("left"));
            if (instance.equals("a")) {
                end.await();
            }
            data.put("left", "by " + instance);
            events.add("end " + instance);
        });
        String log = "not-alone";
        Path conf = ServiceInstance.conf(
                dir,
                probe("alone", "ProbeJob$Single", "", ServiceInstance.cron("alone", ONCE, "* * * * * ?"))
                        + ServiceInstance.stampJob("other", log, ServiceInstance.cron("other", ONCE, "* * * * * ?")));
        try (Scene scene = new Scene()) {
            ServiceInstance a = scene.lead(conf, "a");
            ServiceInstance b = scene.start(conf, "b");
            patiently().until(() -> !events.isEmpty());
            a.resign();
            patiently().until(b::leads);
            Instant led = Instant.now();
            patiently()
                    .until(() -> StampJob.of(log).stream()
                            .anyMatch(run -> run.scheduled().isAfter(led.plusSeconds(3))));
            assertThat(events).containsExactly("start a null");
            end.countDown();
            patiently().until(() -> events.size() >= 4);
            assertThat(events).startsWith("start a null", "end a", "start b by a", "end b");
            HistoryEntry first = scene.history("alone").stream()
                    .filter(entry -> entry.outcome().kind() == Kind.SUCCEEDED)
                    .findFirst()
                    .orElseThrow();
            assertThat(first.owner().instance()).isEqualTo("a");
            assertThat(scene.outcomes("alone", Kind.ABANDONED)).isZero();
        } finally {
            end.countDown();
        }
    }
}
