package io.latchkey.cli;

import io.latchkey.lifecycle.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks of the directories an instance writes to, with messages that name the setting. */
final class Directories {
    private Directories() {}

    /** Makes the directory where it is missing, and checks that a file can be made in it. */
    static void requireWritable(String key, Path directory) throws CliException {
        try {
            Files.createDirectories(directory);
            Files.delete(Files.createTempFile(directory, ".latchkey-write-", ".test"));
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.CONFIG,
                    key + ": cannot write to " + directory + " (" + e + "): let user " + System.getProperty("user.name")
                            + " write there, or set " + key + " to another directory",
                    e);
        }
    }
}
