package io.latchkey.cli;

import io.latchkey.conf.Suggestions;
import io.latchkey.lifecycle.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeperMain;
import org.apache.zookeeper.cli.CommandFactory;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * ZooKeeper's own CLI on a connection of ours, which has our authentication and TLS. Its own {@code main} says more than
 * one wants of a command in a script, and cannot authenticate before it.
 */
final class ZkShell extends ZooKeeperMain {
    private static final String HELP = "help";

    private final String where;
    private final Watches watches;

    ZkShell(EnsembleConnection connection, Watches watches) {
        super(connection.zookeeper());
        this.where = connection.connect();
        this.watches = watches;
    }

    /**
     * Runs one command, given as words; returns ZooKeeper's exit code for it.
     *
     * @throws CliException if ZooKeeper's CLI has no such command: it would print all that it has, and exit 127
     */
    int execute(List<String> words) throws CliException, IOException, InterruptedException {
        String name = words.get(0);
        if (!name.equals(HELP) && !getCommands().contains(name)) {
            throw new CliException(
                    ExitCode.NO,
                    "zkcli has no command " + name
                            + Suggestions.nearest(name, getCommands())
                                    .map(near -> ": do you mean " + near + "?")
                                    .orElse("; `latchkey zkcli help` lists them"));
        }
        perform(words.stream().map(ZkShell::quoted).collect(Collectors.joining(" ")));
        System.out.flush();
        return exitCode;
    }

    /** Reads commands until the end of input or {@code quit}; returns the exit code of the last. */
    int prompt() throws IOException, InterruptedException {
        if (!Boolean.getBoolean("latchkey.tty")) {
            return readPlainly();
        }
        watches.print();
        try (Terminal terminal = TerminalBuilder.builder().build()) {
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .completer((line, parsed, candidates) -> complete(parsed, candidates))
                    .build();
            while (true) {
                perform(reader.readLine("[" + where + "] ").strip());
            }
        } catch (EndOfFileException | UserInterruptException e) {
            return exitCode;
        }
    }

    /** What it has no word for itself. */
    private void perform(String line) throws IOException, InterruptedException {
        if (line.equals(HELP)) {
            help();
            exitCode = ExitCode.OK.code();
        } else {
            executeLine(line);
        }
    }

    private static void help() {
        Stream.concat(
                        Stream.of("quit", "history", "redo cmdno"),
                        Stream.of(CommandFactory.Command.values())
                                .map(CommandFactory::getInstance)
                                .map(command -> command.getCmdStr() + " " + command.getOptionStr()))
                .sorted()
                .forEach(System.out::println);
    }

    private int readPlainly() throws IOException, InterruptedException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            perform(line.strip());
        }
        return exitCode;
    }

    /** ZooKeeper's parser splits at spaces and takes quotes off; it knows no escapes. */
    private static String quoted(String word) {
        if (!word.isEmpty() && word.chars().noneMatch(c -> Character.isWhitespace(c) || c == '"' || c == '\'')) {
            return word;
        }
        return word.contains("\"") ? "'" + word + "'" : '"' + word + '"';
    }

    private void complete(ParsedLine line, List<Candidate> candidates) {
        String word = line.word();
        if (line.wordIndex() == 0) {
            getCommands().forEach(name -> candidates.add(new Candidate(name)));
        } else if (word.startsWith("/")) {
            String parent = word.substring(0, word.lastIndexOf('/') + 1);
            for (String child : childrenOf(parent.length() == 1 ? "/" : parent.substring(0, parent.length() - 1))) {
                String path = parent + child;
                candidates.add(new Candidate(path, path, null, null, null, null, false));
            }
        }
    }

    private List<String> childrenOf(String path) {
        try {
            return zk.getChildren(path, false);
        } catch (KeeperException e) {
            return List.of(); // nothing to offer
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    /** Prints what the user's watches see, once there is somebody at a prompt to see it. */
    static final class Watches implements Watcher {
        private final PrintWriter out;
        private volatile boolean printing;

        Watches(PrintWriter out) {
            this.out = out;
        }

        void print() {
            printing = true;
        }

        @Override
        public void process(WatchedEvent event) {
            if (printing) {
                out.println();
                out.println(event);
            }
        }
    }
}
