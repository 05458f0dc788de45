package io.latchkey.drill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Reads the run log while it grows: each line is read once. Thread-safe. */
final class RunLogReader {
    private final Path file;
    private final List<RunLine> lines = new ArrayList<>();
    private long position;

    RunLogReader(Path file) {
        this.file = file;
    }

    /**
     * All lines, in the order they were written; a last line that is being written is left out.
     *
     * @throws IllegalArgumentException if a line is none of a run log
     */
    synchronized List<RunLine> read() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer more = ByteBuffer.allocate(Math.toIntExact(in.size() - position));
            int n = 0;
            while (n >= 0 && more.hasRemaining()) {
                n = in.read(more, position + more.position());
            }
            int whole = more.position();
            while (whole > 0 && more.get(whole - 1) != '\n') {
                whole--;
            }
            new String(more.array(), 0, whole, StandardCharsets.UTF_8)
                    .lines()
                    .forEach(line -> lines.add(RunLine.parse(line)));
            position += whole;
        }
        return List.copyOf(lines);
    }
}
