package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.RunPolicy;
import io.latchkey.jobs.shell.ShellData;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quartz.Job;
import org.quartz.JobKey;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/**
 * Makes shell jobs of the lines of crontabs, in the group {@value #GROUP}.
 *
 * <p>Names do not depend on where a line stands: the job's comes from its command, the trigger's from that and the schedule.
 * So lines that run the same command are triggers of one job. Lines that run the same command with other variables or
 * options are jobs of their own, told apart by these.
 *
 * <p>As with cron a command is run by SHELL ({@code /bin/sh} unless set), in HOME.
 */
final class CrontabReader {
    static final String GROUP = "crontab";

    /** Hands the input over whatever the shell is, and ends as the command does. */
    private static final String WITH_INPUT = "printf %s \"$1\" | \"$2\" -c \"$3\"";

    private static final String SH = "/bin/sh";

    private final Entries entries;
    private final ZoneId zone;
    private final Report report;
    private final List<Planned> planned = new ArrayList<>();

    /** A line and the job it makes, but for the job's final name. */
    private record Planned(CrontabLine line, String name, Map<String, @Nullable String> data) {
        /** What tells it apart from another job of the same command. */
        String variant() {
            CrontabOptions options = line.options();
            return line.environment() + "|" + options.data() + "|" + options.recover() + "|" + options.concurrent()
                    + (named() ? "|" + line.command() + "|" + line.input() : "");
        }

        boolean named() {
            return line.options().name() != null;
        }
    }

    /** @param zone of lines without CRON_TZ above */
    CrontabReader(Entries entries, ZoneId zone, Report report) {
        this.entries = entries;
        this.zone = zone;
        this.report = report;
    }

    /** Takes the lines of one file. */
    void read(List<CrontabLine> lines) {
        for (CrontabLine line : lines) {
            String own = line.options().name();
            planned.add(new Planned(line, own != null ? own : CrontabNames.of(line), data(line)));
        }
    }

    /** Registers the jobs of all files that were read. */
    void register() {
        Map<String, Map<String, Planned>> variants = new LinkedHashMap<>();
        planned.forEach(line -> variants.computeIfAbsent(line.name(), name -> new LinkedHashMap<>())
                .putIfAbsent(line.variant(), line));
        Map<JobKey, Planned> jobs = new HashMap<>();
        Map<TriggerKey, Planned> triggers = new HashMap<>();
        for (Planned line : planned) {
            Map<String, Planned> same = variants.getOrDefault(line.name(), Map.of());
            boolean alone = same.size() == 1 || line.named();
            JobKey job = new JobKey(alone ? line.name() : line.name() + "-" + CrontabNames.hash(line.variant()), GROUP);
            Planned first = jobs.putIfAbsent(job, line);
            if (first == null) {
                job(job, line);
            } else if (!first.variant().equals(line.variant())) {
                report.problem(
                        Code.DUPLICATE,
                        line.line().place(),
                        "job " + job,
                        "the name is already given at " + first.line().place()
                                + ", to another command or other options",
                        "rename one, or make command, variables and options the same");
                continue;
            }
            ZoneId own = line.line().zone() == null ? zone : line.line().zone();
            Schedule.Cron schedule = new Schedule.Cron(line.line().cron().schedule(), own, Window.OPEN);
            TriggerKey key = new TriggerKey(job.getName() + "-" + CrontabNames.hash(schedule.canonical()), GROUP);
            Planned twin = triggers.putIfAbsent(key, line);
            if (twin == null) {
                trigger(key, job, schedule, line);
            } else {
                report.problem(
                        Code.DUPLICATE,
                        line.line().place(),
                        "job " + job,
                        "the same line is already at " + twin.line().place() + ": cron would run it twice",
                        "remove one of the two");
            }
        }
    }

    private void job(JobKey key, Planned line) {
        String place = line.line().place();
        CrontabOptions options = line.line().options();
        Class<? extends Job> type = options.concurrent() ? ShellJob.class : SingleShellJob.class;
        JobSpec spec =
                new JobSpec(key, type, line.line().command(), false, options.recover(), line.data(), RunPolicy.DEFAULT);
        entries.job(key, spec, new Entries.Place(place, place, Map.of()), false);
    }

    private void trigger(TriggerKey key, JobKey job, Schedule schedule, Planned line) {
        TriggerSpec spec = new TriggerSpec(
                key,
                job,
                schedule,
                Trigger.DEFAULT_PRIORITY,
                Map.of(),
                line.line().cron().schedule().expression(),
                line.line().options().misfire());
        String place = line.line().place();
        entries.trigger(key, spec, job, new Entries.Place(place, place, Map.of()), false);
    }

    private static Map<String, @Nullable String> data(CrontabLine line) {
        Map<String, @Nullable String> data = new LinkedHashMap<>();
        String shell = line.environment().getOrDefault("SHELL", SH);
        String input = line.input();
        if (input != null) {
            arguments(data, SH, "-c", WITH_INPUT, shell, input, shell, line.command());
        } else if (!shell.equals(SH)) {
            arguments(data, shell, "-c", line.command());
        } else {
            data.put(ShellData.COMMAND, line.command());
        }
        // Where cron starts commands: at home, the service's own unless another is set.
        data.put(ShellData.DIRECTORY, line.environment().getOrDefault("HOME", ShellData.HOME));
        line.environment().forEach((name, value) -> data.put(ShellData.ENVIRONMENT + name, value));
        data.putAll(line.options().data());
        return data;
    }

    private static void arguments(Map<String, @Nullable String> data, String... words) {
        for (int i = 0; i < words.length; i++) {
            data.put(ShellData.ARGUMENT + i, words[i]);
        }
    }
}
