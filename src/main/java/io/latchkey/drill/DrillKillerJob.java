package io.latchkey.drill;

import io.latchkey.jobs.FireContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.quartz.JobDataMap;

/**
 * A drill job that can kill its process. While the marker file is there, the first fire to find it is the poisoned one: as
 * many of its attempts as the marker's number says halt the Java machine under them.
 */
public final class DrillKillerJob extends DrillJob {
    /** Job data: the marker's path. */
    static final String MARKER = "marker";
    /** Ends the name of the file that says which fire is the poisoned one. */
    static final String VICTIM = ".fire";

    private static final int KILLED = 137;

    /** Made by Quartz, one for each run. */
    public DrillKillerJob() {}

    @Override
    // The point of this job.
    @SuppressWarnings("SystemExitOutsideMain")
    void started(JobDataMap data, FireContext fire) throws IOException {
        Path marker = Path.of(data.getString(MARKER));
        int attempts;
        try {
            attempts = Integer.parseInt(
                    Files.readString(marker, StandardCharsets.UTF_8).strip());
        } catch (NoSuchFileException e) {
            return; // not now
        }
        Path victim = Path.of(marker + VICTIM);
        try {
            Files.writeString(victim, fire.fireId(), StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            if (!Files.readString(victim, StandardCharsets.UTF_8).equals(fire.fireId())) {
                return; // another fire is the poisoned one
            }
        }
        if (fire.attempt() <= attempts) {
            Runtime.getRuntime().halt(KILLED);
        }
    }
}
