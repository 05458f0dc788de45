package io.latchkey.cli;

import io.latchkey.conf.Settings;
import io.latchkey.lifecycle.ExitCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The daemon's PID file, {@code latchkey.pid} in the data directory. The daemon holds a lock on it for life, and the
 * kernel drops the lock with the process: so a file left behind is known to be stale, and a PID that another program has
 * by now is never taken for ours. It is not deleted at the end; unlocked it means nothing.
 */
final class PidFile implements AutoCloseable {
    private final FileChannel channel;

    private PidFile(FileChannel channel) {
        this.channel = channel;
    }

    static Path path(Settings settings) {
        return settings.paths().dataDir().resolve("latchkey.pid");
    }

    /**
     * Takes the lock and writes this process's PID.
     *
     * @throws CliException if another daemon has it, or the data directory cannot be written
     */
    static PidFile acquire(Settings settings) throws CliException {
        Path path = path(settings);
        Directories.requireWritable("data.dir", settings.paths().dataDir());
        try {
            FileChannel channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw new CliException(
                        ExitCode.ALREADY_RUNNING, "a daemon of this configuration runs already (" + path + ")");
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
            channel.force(true);
            return new PidFile(channel);
        } catch (IOException e) {
            throw new CliException(ExitCode.CONFIG, "cannot use the PID file " + path + ": " + e, e);
        }
    }

    /** The daemon of this configuration, if one runs. */
    static Optional<ProcessHandle> running(Settings settings) throws CliException {
        Path path = path(settings);
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return Optional.empty();
            }
            String pid = Files.readString(path, StandardCharsets.US_ASCII).strip();
            return pid.isEmpty() ? Optional.empty() : ProcessHandle.of(Long.parseLong(pid));
        } catch (IOException | NumberFormatException e) {
            throw new CliException(ExitCode.NO, "cannot read the PID file " + path + ": " + e, e);
        }
    }

    @Override
    public void close() throws CliException {
        try {
            channel.close();
        } catch (IOException e) {
            throw new CliException(ExitCode.NO, "cannot close the PID file: " + e, e);
        }
    }
}
