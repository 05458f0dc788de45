package io.latchkey.jobs.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live processes of one session, read from {@code /proc}. By session and not by group: a shell with job control gives
 * each of its children a group of its own. Thread-safe.
 */
final class SessionProcesses {
    private static final Logger log = LoggerFactory.getLogger(SessionProcesses.class);
    private static final Path PROC = Path.of("/proc");

    private final long session;
    private final Set<Long> own = ConcurrentHashMap.newKeySet();

    /** @param session its number, which is the process id of its leader; that one is left out */
    SessionProcesses(long session) {
        this.session = session;
        own.add(session);
    }

    /** Leaves a process out from now on, as the leader is. */
    void leaveOut(long pid) {
        own.add(pid);
    }

    /**
     * Those there are, without zombies and those left out. The handles know when their process began, so a number that was
     * given anew is not hit.
     */
    List<ProcessHandle> alive() {
        List<ProcessHandle> alive = new ArrayList<>();
        try (Stream<Path> entries = Files.list(PROC)) {
            entries.forEach(entry -> {
                long pid = pid(entry.getFileName().toString());
                if (pid > 0 && !own.contains(pid)) {
                    // The handle first: it must not be of a process that came after the one looked at.
                    ProcessHandle.of(pid).filter(handle -> isMember(entry)).ifPresent(alive::add);
                }
            });
        } catch (IOException e) {
            log.error("/proc cannot be read: what a run has left behind is not found", e);
        }
        return alive;
    }

    private boolean isMember(Path entry) {
        String stat;
        try {
            stat = new String(Files.readAllBytes(entry.resolve("stat")), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended meanwhile.
            log.trace("{} is gone", entry, e);
            return false;
        }
        // The name of the program stands in brackets before the rest, and may hold anything.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        return fields.length > 3
                && fields[3].equals(Long.toString(session))
                && !fields[0].equals("Z")
                && !fields[0].equals("X");
    }

    private static long pid(String name) {
        return name.chars().allMatch(c -> c >= '0' && c <= '9') && name.length() < 12 ? Long.parseLong(name) : -1;
    }
}
