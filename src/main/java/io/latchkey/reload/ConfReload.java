package io.latchkey.reload;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Problem;
import io.latchkey.conf.Settings;
import io.latchkey.conf.SettingsSource;
import io.latchkey.jobs.ConfFiles;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobsLoader;
import io.latchkey.scheduler.TermScheduler;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the conf directory of a running instance again: all of it is right and is brought into force, or nothing changes.
 * What is read is what all files were at one moment: they are looked at before and after, and read again while they differ.
 *
 * <p>Used by one thread at a time.
 */
public final class ConfReload {
    private static final Logger log = LoggerFactory.getLogger(ConfReload.class);
    private static final Duration STABLE = Duration.ofMillis(150);
    /** What is broken may be half of a file whose writer is slow: it has to stay as it is for longer. */
    private static final Duration STABLE_IF_BROKEN = Duration.ofSeconds(1);

    private static final int TRIES = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

    private final SettingsSource source;
    private final SettingsSource.Written atStart;
    private final TermScheduler scheduler;
    private final Clock clock;
    private final String filesAtStart;
    private Settings settings;
    private JobCatalog catalog;

    /**
     * What an instance was started with.
     *
     * @param files what {@link ConfFiles} said before they were read
     */
    public record Start(Settings settings, JobCatalog catalog, String files) {}

    public ConfReload(SettingsSource source, Start start, TermScheduler scheduler, Clock clock) {
        this.source = source;
        this.atStart = source.written();
        this.settings = start.settings();
        this.catalog = start.catalog();
        this.filesAtStart = start.files();
        this.scheduler = scheduler;
        this.clock = clock;
    }

    /** Whether a change of the files is to be brought into force without being asked. */
    boolean watches() {
        return settings.jobs().watch();
    }

    /** What {@link #files} was at the start. */
    String filesAtStart() {
        return filesAtStart;
    }

    /** A text that is another whenever any of the files is. */
    String files() {
        return ConfFiles.digest(settings.jobs(), settings.paths().confDir());
    }

    /** Settings and what they register, both of one moment. */
    private record Read(Settings settings, JobCatalog catalog) {}

    /**
     * Reads, checks and brings into force; blocks until that is so.
     *
     * @param allowEmpty whether files that register no job are taken, where there were some
     */
    Reloaded reload(boolean allowEmpty) throws InterruptedException {
        Reloaded result;
        try {
            result = conclude(read(), allowEmpty);
        } catch (ConfException e) {
            result = new Reloaded.Refused(
                    e.problems().stream().map(Problem::toString).toList());
        } catch (RuntimeException | LinkageError e) {
            log.error("Reading the conf directory {} failed; nothing has changed", source.confDir(), e);
            result = new Reloaded.Refused(List.of("it cannot be read because of an error: " + e));
        }
        say(result);
        return result;
    }

    private Read read() throws ConfException, InterruptedException {
        for (int tries = 1; ; tries++) {
            String before = files();
            Read read = null;
            ConfException broken = null;
            try {
                Settings now = settings.reloaded(source.load());
                read = new Read(now, JobsLoader.reload(now, clock, catalog));
            } catch (ConfException e) {
                broken = e;
            }
            TimeUnit.MILLISECONDS.sleep((broken == null ? STABLE : STABLE_IF_BROKEN).toMillis());
            boolean stable = before.equals(files());
            if (stable && broken != null) {
                throw broken;
            }
            if (stable && read != null) {
                return read;
            }
            log.debug("Files of {} changed while they were read: again", source.confDir());
            if (tries == TRIES) {
                throw new ConfException(List.of(new Problem(
                        source.confDir().toString(),
                        "",
                        "its files change all the time, so that none was read whole",
                        "reload again when they are written")));
            }
        }
    }

    private Reloaded conclude(Read read, boolean allowEmpty) throws InterruptedException {
        JobCatalog next = read.catalog();
        if (next.jobs().isEmpty() && !catalog.jobs().isEmpty() && !allowEmpty) {
            return new Reloaded.Refused(List.of("the files register no job any more, and all "
                    + catalog.jobs().size()
                    + " would stop; if that is meant, run: bin/latchkey reload --allow-empty"));
        }
        List<String> lines = new ArrayList<>();
        next.warnings().forEach(warning -> lines.add("warning: " + warning));
        SortedSet<String> restart = atStart.changed(source.written());
        if (!restart.isEmpty()) {
            lines.add("changed, but only a restart of this instance takes it up: " + String.join(", ", restart));
        }
        settings = read.settings();
        if (next.digest().equals(catalog.digest())) {
            return new Reloaded.Unchanged(lines);
        }
        catalog = next;
        scheduler.use(next);
        if (!inForce(next)) {
            lines.add("it leads and has not brought this into force yet; it does as soon as ZooKeeper answers");
        }
        return new Reloaded.Applied(next.digest(), lines);
    }

    @SuppressWarnings("ReferenceEquality") // that very one, not another that says the same
    private boolean inForce(JobCatalog next) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (scheduler.inForce() != next) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_AGAIN.toNanos());
        }
        return true;
    }

    private void say(Reloaded result) {
        if (result instanceof Reloaded.Refused refused) {
            log.error(
                    "The conf directory {} cannot be taken; nothing has changed, conf {} stays in force:{}",
                    source.confDir(),
                    catalog.digest(),
                    listed(refused.lines()));
        } else if (result instanceof Reloaded.Applied applied) {
            log.info(
                    "Reloaded {}: conf {} with {} jobs and {} triggers{}",
                    source.confDir(),
                    applied.conf(),
                    catalog.jobs().size(),
                    catalog.triggers().size(),
                    listed(applied.lines()));
        } else {
            log.info(
                    "Reloaded {}: it registers what is in force, conf {}{}",
                    source.confDir(),
                    catalog.digest(),
                    listed(result.lines()));
        }
    }

    private static String listed(List<String> lines) {
        return lines.isEmpty() ? "" : "\n  " + String.join("\n  ", lines);
    }
}
