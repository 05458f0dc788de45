package io.latchkey.jobs.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The shell around every program: leader of a session of its own, with a watchdog beside the program.
 *
 * <pre>
 *   service ──pipe──&gt; wrapper (session leader) ─┬─ program, standard input /dev/null
 *                                               └─ watchdog, blocked on the pipe
 * </pre>
 *
 * The service holds the other end of the pipe. However the service ends, its end is closed by the kernel; the watchdog then
 * sends TERM to all in the session, waits for the grace, and kills them and itself. It asks for nothing of the service but
 * that it dies. A line on the pipe, in contrast, tells the watchdog that the service has seen to everything.
 *
 * <p>The wrapper stays until the service has dismissed it: so long neither the session's number nor the group's can
 * be given to other processes, and it reaps program and watchdog, which a container without an init would not. It reports on
 * the program's own output, in lines with a mark that the program cannot know.
 */
final class Wrapper {
    /** Reports, after the mark. */
    static final String WATCHDOG = "watchdog ";

    static final String EXIT = "exit ";
    static final String END = "end";

    /** $1: seconds of grace; then the program and its arguments. The first line on standard input is the mark. */
    private static final String SCRIPT = """
        read -r mark || exit 125
        exec 3<&0 </dev/null
        (
          trap '' HUP INT QUIT TERM USR1 USR2 ALRM PIPE TSTP TTIN TTOU
          if read -r order <&3; then exit 0; fi
          exec >/dev/null 2>&1 3<&-
          grace=$1
          to_session() {
            for stat in /proc/[0-9]*/stat; do
              read -r line <"$stat" || continue
              pid=${stat#/proc/}; pid=${pid%/stat}
              set -- ${line##*) }
              if [ "$4" = "$$" ] && [ "$3" != "$$" ]; then kill -s "$signal" "$pid"; fi
            done
            kill -s "$signal" -- "-$$"
          }
          signal=TERM; to_session
          sleep "$grace"
          signal=KILL; to_session
        ) &
        watchdog=$!
        trap : HUP INT QUIT TERM USR1 USR2 ALRM PIPE
        printf '\\n%s watchdog %s\\n' "$mark" "$watchdog"
        shift
        (exec 3<&-; exec "$@")
        printf '\\n%s exit %s\\n' "$mark" "$?"
        until wait "$watchdog"; do kill -0 "$watchdog" 2>/dev/null || break; done
        printf '\\n%s end\\n' "$mark"
        read -r order <&3
        """;

    private static final List<Path> USUAL = List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

    private Wrapper() {}

    /**
     * The whole command line.
     *
     * @throws IOException if this host has not what it takes; the message says what to do
     */
    static List<String> around(List<String> words, Duration grace) throws IOException {
        List<String> all = new ArrayList<>(List.of(setsid(), "/bin/sh", "-c", SCRIPT, "latchkey-run"));
        all.add(Long.toString(Math.max(1, grace.toSeconds())));
        all.addAll(words);
        return all;
    }

    private static String setsid() throws IOException {
        if (!Files.isReadable(Path.of("/proc/self/stat"))) {
            throw new IOException("there is no /proc on this host: programs can be run on Linux only");
        }
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(
                        USUAL.stream(),
                        Stream.of(path.split(":", -1))
                                .filter(part -> part.startsWith("/"))
                                .map(part -> Path.of(part, "setsid")))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException("setsid is not on this host; each program is run in a session of its"
                        + " own, so that all of it can be ended: install the package util-linux"))
                .toString();
    }
}
