package io.latchkey.conf;

import java.time.ZoneId;
import java.util.List;

/**
 * Where jobs come from.
 *
 * @param files names or patterns of job files, relative to the configuration directory
 * @param timeZone the zone of triggers that name none
 * @param classpath absolute names or patterns of the authors' jars ({@code /opt/latchkey/jobs/*.jar})
 * @param runs how runs are bounded, tried again and told of where job and trigger do not say
 * @param watch whether a change of the files is brought into force without being asked
 */
public record JobsSettings(List<String> files, ZoneId timeZone, List<String> classpath, RunPolicy runs, boolean watch) {
    public JobsSettings {
        files = List.copyOf(files);
        classpath = List.copyOf(classpath);
    }

    /** Jobs whose runs are as the shipped configuration has them. */
    public JobsSettings(List<String> files, ZoneId timeZone, List<String> classpath) {
        this(files, timeZone, classpath, RunPolicy.DEFAULT, false);
    }

    /** Jobs whose files are not watched. */
    public JobsSettings(List<String> files, ZoneId timeZone, List<String> classpath, RunPolicy runs) {
        this(files, timeZone, classpath, runs, false);
    }

    /** The same with the class path of {@code other}: classes are loaded once. */
    JobsSettings withClasspathOf(JobsSettings other) {
        return new JobsSettings(files, timeZone, other.classpath, runs, watch);
    }
}
