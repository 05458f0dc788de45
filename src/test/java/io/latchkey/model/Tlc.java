package io.latchkey.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs the model checker over one configuration of {@code src/test/tla}, in a process of its own, and reads its verdict. */
final class Tlc {
    static final Path MODEL = Path.of("src/test/tla");

    private static final Duration BOUND = Duration.ofMinutes(10);
    private static final Pattern STATES =
            Pattern.compile("([0-9]+) states generated, ([0-9]+) distinct states found, 0 ");
    private static final Pattern VIOLATED = Pattern.compile("Error: Invariant (\\w+) is violated\\.");

    private Tlc() {}

    /**
     * What the checker found.
     *
     * @param violated the invariant that does not hold, "liveness" for a temporal property, or "" if all hold
     * @param distinctStates of the whole model; 0 if it was not seen to its end
     * @param output all it said; with a counterexample if there is one
     */
    record Verdict(String violated, long distinctStates, String output) {}

    static Verdict check(String configuration) throws IOException, InterruptedException {
        Path place = Files.createDirectories(Path.of("target", "tlc", configuration));
        Path log = place.resolve("output.txt");
        // The quick compiler: most runs are over before the better one would pay.
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        // It unpacks its standard modules there, under fixed names: another run must not be in its way.
                        "-Djava.io.tmpdir=" + place.toAbsolutePath(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "tlc2.TLC",
                        "-nowarning",
                        "-cleanup",
                        "-workers",
                        "1",
                        "-metadir",
                        place.resolve("states").toAbsolutePath().toString(),
                        "-config",
                        configuration + ".cfg",
                        "Latchkey.tla")
                .directory(MODEL.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(configuration + " was not checked within " + BOUND + ", see " + log);
            }
        } finally {
            process.destroyForcibly();
        }
        return verdict(configuration, Files.readString(log));
    }

    /** Only what is said in so many words counts: a run that broke off proves nothing. */
    private static Verdict verdict(String configuration, String output) {
        if (output.contains("Model checking completed. No error has been found.")) {
            return new Verdict("", states(output), output);
        }
        if (output.contains("Error: Temporal properties were violated.")) {
            return new Verdict("liveness", 0, output);
        }
        Matcher violated = VIOLATED.matcher(output);
        if (violated.find()) {
            return new Verdict(violated.group(1), 0, output);
        }
        throw new AssertionError(configuration + " was not checked to an end:\n" + output);
    }

    private static long states(String output) {
        Matcher states = STATES.matcher(output);
        long last = 0;
        while (states.find()) {
            last = Long.parseLong(states.group(2));
        }
        return last;
    }

    /** The configurations whose name begins so. */
    static List<String> configurations(String prefix) throws IOException {
        try (var files = Files.list(MODEL)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix) && name.endsWith(".cfg"))
                    .map(name -> name.substring(0, name.length() - ".cfg".length()))
                    .sorted()
                    .toList();
        }
    }
}
