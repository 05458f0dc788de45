package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobsLoader;
import java.time.Clock;

/** The jobs of a configuration, as an instance would load them at start. */
final class Catalogs {
    private Catalogs() {}

    /** Reads all job files and loads all classes, and touches nothing else. */
    static JobCatalog load(Settings settings) throws ConfException {
        return JobsLoader.load(settings, Clock.systemUTC());
    }
}
