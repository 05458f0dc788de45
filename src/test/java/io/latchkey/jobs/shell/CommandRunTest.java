package io.latchkey.jobs.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Context;
import io.latchkey.testing.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Real programs, well-behaved and not: what they say, how they end, and what is left of them. */
@Timeout(120)
class CommandRunTest {
    private final OutputLog output = new OutputLog();

    @TempDir
    Path dir;

    @Test
    void exitCodeAndOutputOfBothStreamsArrive() throws Exception {
        int code = run("echo out; echo err >&2; printf unfinished; exit 3");

        assertThat(code).isEqualTo(3);
        assertThat(output.tail()).isEqualTo("out\nerr\nunfinished");
        assertThat(output.lastLine()).isEqualTo("unfinished");
    }

    @Test
    void emptyLinesStayAndNoneIsAdded() throws Exception {
        run("echo; echo a; echo; printf 'b\\r\\nc\\rd\\n\\n'");

        assertThat(output.tail()).isEqualTo("\na\n\nb\nc\nd\n");
    }

    @Test
    void argumentsAreTakenWordByWordAndNeverAsShell() throws Exception {
        Command command = new Command(
                List.of("printf", "%s|", "$HOME", "a b", "", "*", "`id`"),
                null,
                Map.of(),
                Set.of(),
                Command.DEFAULT_KILL_GRACE);

        assertThat(CommandRun.run("test", command, output)).isZero();
        assertThat(output.tail()).isEqualTo("$HOME|a b||*|`id`|");
    }

    @Test
    void builtinOfTheShellIsNoProgram() throws Exception {
        Command command = new Command(List.of("exit", "0"), null, Map.of(), Set.of(), Command.DEFAULT_KILL_GRACE);

        assertThat(CommandRun.run("test", command, output)).isEqualTo(127);
    }

    @Test
    void signalIsToldAsTheShellDoes() throws Exception {
        assertThat(run("kill -9 $$")).isEqualTo(137);
        assertThat(run("kill -TERM 0; sleep 60")).isEqualTo(143);
        assertThat(run("no-such-program-here")).isEqualTo(127);
    }

    @Test
    void standardInputIsEmptyAndNoOtherFileIsOpen() throws Exception {
        assertThat(run("cat; readlink /proc/self/fd/0; ls /proc/self/fd | wc -l"))
                .isZero();

        // Standard input, output and error, and the directory that ls reads.
        assertThat(output.tail()).isEqualTo("/dev/null\n4");
    }

    @Test
    void signalsHaveTheirDefaultsInTheProgram() throws Exception {
        run("grep -E '^Sig(Ign|Blk)' /proc/self/status");
        String own = Files.readString(Path.of("/proc/self/status"));
        String inherited = own.lines()
                .filter(line -> line.startsWith("SigIgn"))
                .findFirst()
                .orElseThrow();

        // TERM (15), INT (2), QUIT (3) and HUP (1) end a program, unless this process was started otherwise.
        long ignored = Long.parseLong(
                output.tail()
                        .lines()
                        .filter(line -> line.startsWith("SigIgn"))
                        .findFirst()
                        .orElseThrow()
                        .substring(8)
                        .strip(),
                16);
        assertThat(ignored & ~Long.parseLong(inherited.substring(8).strip(), 16) & 0x4007)
                .isZero();
        assertThat(output.tail()).contains("SigBlk:\t0000000000000000");
    }

    @Test
    void environmentIsSmallAndHasWhatIsSet() throws Exception {
        Command command =
                new Command(Command.shell("env"), null, Map.of("A", "b c"), Set.of(), Command.DEFAULT_KILL_GRACE);

        CommandRun.run("test", command, output);

        List<String> names = output.tail()
                .lines()
                .map(line -> line.substring(0, line.indexOf('=')))
                .toList();
        assertThat(names)
                .contains("A", "PATH")
                .allMatch(name -> name.equals("A")
                        || Set.of("PWD", "OLDPWD", "SHLVL", "_").contains(name)
                        || name.startsWith("LC_")
                        || Environments.INHERITED.contains(name));
        assertThat(Environments.of(
                        new Command(List.of("x"), null, Map.of(), Set.of("TOKEN"), Duration.ZERO),
                        Map.of("TOKEN", "t", "LATCHKEY_ZOOKEEPER_CONNECT", "zk", "AWS_SECRET", "s", "LC_ALL", "C")))
                .containsOnlyKeys("PATH", "TOKEN", "LC_ALL");
    }

    @Test
    void backgroundChildDoesNotHoldTheRunUpAndIsEnded() throws Exception {
        try (LogCapture log = LogCapture.of(CommandRun.class)) {
            long from = System.nanoTime();
            assertThat(run("sleep 321 & echo $! > pid; sleep 0.2; echo done")).isZero();

            assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofSeconds(30));
            assertThat(output.tail()).isEqualTo("done");
            gone("pid");
            assertThat(log.messages())
                    .anySatisfy(message -> assertThat(message).contains("left processes behind", "sleep", "setsid"));
        }
    }

    @Test
    void daemonWithItsOwnSessionLivesOnAndDoesNotHoldTheRunUp() throws Exception {
        assertThat(run("setsid sh -c 'echo $$ > pid; exec sleep 322' & while [ ! -s pid ]; do sleep 0.01; done"))
                .isZero();

        ProcessHandle daemon = ProcessHandle.of(pid("pid")).orElseThrow();
        assertThat(daemon.isAlive()).isTrue();
        daemon.destroyForcibly();
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("output-")));
    }

    @Test
    void interruptEndsTheWholeGroupWithTerm() throws Exception {
        Interrupted run = interrupt(
                "trap 'echo bye > bye; exit' TERM; sleep 323 & echo $! > child; touch ready; wait",
                Duration.ofSeconds(60));

        assertThat(run.failure()).isInstanceOf(InterruptedException.class);
        assertThat(run.took()).isLessThan(Duration.ofSeconds(30));
        assertThat(dir.resolve("bye")).exists();
        gone("child");
    }

    @Test
    void whatIgnoresTermIsKilledAfterTheGrace() throws Exception {
        try (LogCapture log = LogCapture.of(CommandRun.class)) {
            Interrupted run = interrupt(
                    "trap '' TERM; (trap '' TERM; sleep 324) & echo $$ > parent; echo $! > child; touch ready;"
                            + " while :; do sleep 1; done",
                    Duration.ofMillis(300));

            assertThat(run.failure()).isInstanceOf(InterruptedException.class);
            gone("parent");
            gone("child");
            assertThat(log.messages()).anySatisfy(message -> assertThat(message).contains("of TERM; killing"));
        }
    }

    @Test
    void childInAGroupOfItsOwnIsFoundByItsSession() throws Exception {
        Interrupted run =
                interrupt("bash -c 'set -m; sleep 325 & echo $! > child; touch ready; wait'", Duration.ofSeconds(1));

        assertThat(run.failure()).isInstanceOf(InterruptedException.class);
        gone("child");
    }

    @Test
    void floodIsReadToItsEndAndMostOfItLeftOut() throws Exception {
        try (LogCapture log = LogCapture.of(OutputLog.LOGGER)) {
            assertThat(run("yes 0123456789abcdef | head -c 12000000; echo; echo last"))
                    .isZero();

            assertThat(output.lastLine()).isEqualTo("last");
            assertThat(output.tail().length()).isLessThan(10_000);
            assertThat(log.events()).hasSizeBetween(100, 20_000);
            assertThat(log.messages()).anySatisfy(message -> assertThat(message).contains("are left out here"));
        }
    }

    @Test
    void lineWithoutEndTakesNoMoreThanItsFirstBytes() throws Exception {
        assertThat(run("head -c 5000000 /dev/zero | tr '\\0' x; echo; echo last"))
                .isZero();

        assertThat(output.tail())
                .contains("… (4995904 bytes more in this line)")
                .endsWith("\nlast");
    }

    @Test
    void shellAroundItKilledIsToldAndTheProgramEnded() throws Exception {
        assertThatThrownBy(() -> run("echo $$ > pid; kill -9 $PPID; sleep 326"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was killed");
        gone("pid");
    }

    @Test
    void missingDirectoryIsNamed() {
        Command command =
                new Command(List.of("true"), dir.resolve("missing"), Map.of(), Set.of(), Command.DEFAULT_KILL_GRACE);

        assertThatThrownBy(() -> CommandRun.run("test", command, output))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no directory " + dir.resolve("missing"));
    }

    @Test
    void linesCarryTheRunsMdc() throws Exception {
        try (LogCapture log = LogCapture.of(OutputLog.LOGGER)) {
            MDC.put("fire", "ops.t@2026-11-29T12:00:00Z");
            run("printf '\\033[31mred\\033[0m\\n'");

            assertThat(log.messages()).containsExactly("red");
            assertThat(log.events().get(0).getMDCPropertyMap()).containsEntry("fire", "ops.t@2026-11-29T12:00:00Z");
        } finally {
            MDC.remove("fire");
        }
    }

    @Test
    void nothingIsLeftWhenThisProcessIsKilledHard() throws Exception {
        Process service = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        RunsOneCommand.class.getName(),
                        dir.toString(),
                        "PATH=/usr/bin:/bin; trap '' PIPE; trap 'touch term' TERM; (trap '' TERM; sleep 327) & echo $!"
                                + " > child; echo $$ > parent; bash -c 'set -m; sleep 328 & echo $! > grouped; wait' &"
                                + " while :; do sleep 1; done")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        for (String file : List.of("parent", "child", "grouped")) {
            patiently()
                    .until(() -> Files.exists(dir.resolve(file))
                            && !Files.readString(dir.resolve(file)).isBlank());
        }
        long session = ProcessHandle.of(pid("parent"))
                .orElseThrow()
                .parent()
                .orElseThrow()
                .pid();

        service.destroyForcibly();

        gone("parent");
        gone("child");
        gone("grouped");
        // TERM came first, and the grace: though nothing is found where the program looks for programs.
        assertThat(dir.resolve("term")).exists();
        patiently()
                .until(() ->
                        ProcessHandle.of(session).filter(ProcessHandle::isAlive).isEmpty()
                                && new SessionProcesses(session).alive().isEmpty());
    }

    /** Of what that process needs; wherever the classes of this test come from. */
    private static String classPath() {
        return Stream.of(
                        CommandRun.class, CommandRunTest.class, LoggerFactory.class, LoggerContext.class, Context.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .distinct()
                .collect(Collectors.joining(":"));
    }

    /** What is run in a process of its own. */
    static final class RunsOneCommand {
        private RunsOneCommand() {}

        public static void main(String[] arguments) throws Exception {
            Command command = new Command(
                    Command.shell(arguments[1]),
                    Path.of(arguments[0]),
                    Map.of("PATH", "/nowhere"),
                    Set.of(),
                    Duration.ofSeconds(5));
            CommandRun.run("test", command, new OutputLog());
        }
    }

    private record Interrupted(Throwable failure, Duration took) {}

    /** Runs it, interrupts the run once it has made the file "ready", and again while it is being ended. */
    private Interrupted interrupt(String line, Duration grace) throws Exception {
        Command command = new Command(Command.shell(line), dir, Map.of(), Set.of(), grace);
        CompletableFuture<Interrupted> ended = new CompletableFuture<>();
        AtomicLong from = new AtomicLong();
        Thread thread = new Thread(() -> {
            try {
                int code = CommandRun.run("test", command, output);
                ended.completeExceptionally(new AssertionError("ended by itself: " + code + " " + output.tail()));
            } catch (Throwable t) {
                ended.complete(new Interrupted(t, Duration.ofNanos(System.nanoTime() - from.get())));
            }
        });
        thread.start();
        patiently().until(() -> Files.exists(dir.resolve("ready")) || ended.isDone());
        from.set(System.nanoTime());
        thread.interrupt();
        thread.interrupt();
        return ended.get();
    }

    private int run(String line) throws Exception {
        Command command = new Command(Command.shell(line), dir, Map.of(), Set.of(), Command.DEFAULT_KILL_GRACE);
        return CommandRun.run("test", command, output);
    }

    private long pid(String file) throws IOException {
        return Long.parseLong(Files.readString(dir.resolve(file)).strip());
    }

    private void gone(String file) throws IOException {
        long pid = pid(file);
        patiently()
                .until(() ->
                        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }
}
