package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import io.latchkey.conf.Zones;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobSpec;
import io.latchkey.jobs.JobsLoader;
import io.latchkey.jobs.Upcoming;
import io.latchkey.lifecycle.ExitCode;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "next",
        description =
                "Show when jobs are due next, in their time zone and in UTC, and where the clocks are moved in between."
                        + " Reads the configuration alone, offline: what is paused or missed, `jobs` knows.")
final class NextCommand extends SubCommand {
    private static final int MOST = 10_000;

    @Parameters(arity = "0..1", paramLabel = "JOB", description = "A job, by group.name or name (default: all).")
    private @Nullable String job;

    @Option(
            names = "-n",
            paramLabel = "N",
            defaultValue = "5",
            description = "How many fires of each job (default: 5).")
    private int count;

    @Option(
            names = "--from",
            paramLabel = "T",
            description = "From this time on: 2026-10-25, 2026-10-25T02:30, or with Z or an offset (default: now).")
    private @Nullable String from;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "Show and read times in this zone (default: each trigger's own; for T, jobs.time-zone).")
    private @Nullable String zone;

    @Option(names = "--json", description = "The same as JSON.")
    private boolean json;

    @Override
    public Integer call() throws ConfException, CliException, JsonProcessingException {
        if (count < 1 || count > MOST) {
            throw new CliException(ExitCode.CONFIG, "-n is " + count + ": give a number from 1 to " + MOST);
        }
        ZoneId shown = zone == null ? null : zone(zone);
        Settings settings = root().settings();
        Clock clock = Clock.systemUTC();
        ZoneId usual = settings.jobs().timeZone();
        Instant now = clock.instant();
        Instant start = from == null ? now : GivenTimes.instant("--from", from, shown == null ? usual : shown);
        JobCatalog catalog = JobsLoader.loadWithoutClasses(settings, clock);
        List<JobKey> jobs = jobs(catalog);
        NextView view = NextView.of(Upcoming.of(catalog, jobs, start, now, count, usual), start, shown);
        if (json) {
            printJson(view);
        } else if (view.fires().isEmpty()) {
            out().println(nothing(catalog, jobs));
        } else {
            NextText.print(view, out());
        }
        return ExitCode.OK.code();
    }

    private List<JobKey> jobs(JobCatalog catalog) throws CliException {
        List<JobKey> all = catalog.jobs().stream().map(JobSpec::key).toList();
        if (job == null) {
            return all;
        }
        String wanted = job;
        Optional<JobKey> found = LedgerNames.find("job", wanted, all);
        return List.of(found.orElseThrow(() -> LedgerNames.unknown(
                "job", wanted, all, "the configuration has none", "`latchkey next` shows all of them")));
    }

    private String nothing(JobCatalog catalog, List<JobKey> jobs) {
        String which = job == null ? "no job" : Printable.name(jobs.get(0));
        if (jobs.stream().allMatch(key -> catalog.triggersOf(key).isEmpty())) {
            return job == null ? "There are no triggers." : which + " has no trigger: it runs only when asked for.";
        }
        return job == null ? "Nothing is due any more." : which + " is not due any more: all its times have passed.";
    }

    private static ZoneId zone(String name) throws CliException {
        return Zones.find(name)
                .orElseThrow(() -> new CliException(
                        ExitCode.CONFIG, "--zone " + name + " is no known time zone: " + Zones.remedy(name)));
    }
}
