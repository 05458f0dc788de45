package io.latchkey.drill;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The run log: many processes append to it, each line in one write that the kernel puts at the end. */
final class RunLogFile {
    private final Path file;

    RunLogFile(Path file) {
        this.file = file;
    }

    void append(RunLine line) throws IOException {
        // No channel: that would be closed under a job that is being interrupted, and its line be missing.
        try (FileOutputStream out = new FileOutputStream(file.toFile(), true)) {
            out.write((line.format() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
