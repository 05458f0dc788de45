package io.latchkey.drill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The run log: many processes append to it, each line in one write that the kernel puts at the end. */
final class RunLogFile {
    private final Path file;

    RunLogFile(Path file) {
        this.file = file;
    }

    void append(RunLine line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line.format() + "\n").getBytes(StandardCharsets.UTF_8));
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            int length = bytes.remaining();
            if (out.write(bytes) != length) {
                throw new IOException("the run log " + file + " took a part of a line only");
            }
        }
    }
}
