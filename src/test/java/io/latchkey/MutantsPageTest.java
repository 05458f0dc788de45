package io.latchkey;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of mutants, {@code src/test/MUTANTS.md}, is whole and names what there is. */
class MutantsPageTest {
    private static final Path TESTS = Path.of("src/test");
    private static final Pattern CONFIGURATION = Pattern.compile("`((?:mutant|alone)-[a-z-]+)`");
    private static final Pattern METHOD = Pattern.compile("`(\\w+)\\.(\\w+)`");

    @Test
    void everyMutantOfTheModelIsListedAndNoOther() throws Exception {
        assertThat(named(CONFIGURATION, match -> match.group(1)))
                .isEqualTo(files(Pattern.compile("((?:mutant|alone)-.*)\\.cfg")));
    }

    @Test
    void everyTestThatIsListedIsThere() throws Exception {
        Set<String> there = new TreeSet<>();
        for (String type : named(METHOD, match -> match.group(1))) {
            String source = Files.readString(source(type));
            Pattern.compile("@Test\\s+void (\\w+)\\(")
                    .matcher(source)
                    .results()
                    .forEach(match -> there.add(type + "." + match.group(1)));
        }
        Set<String> missing = named(METHOD, match -> match.group(1) + "." + match.group(2));
        missing.removeAll(there);
        assertThat(missing).as("listed, but not there").isEmpty();
    }

    @Test
    void everyRowIsCaughtByATest() throws Exception {
        assertThat(Files.readAllLines(TESTS.resolve("MUTANTS.md")).stream()
                        .filter(line -> line.startsWith("| ") && !line.startsWith("| Taken out")))
                .hasSizeGreaterThan(20)
                .allMatch(row -> METHOD.matcher(row.substring(row.lastIndexOf('|', row.length() - 2)))
                        .find());
    }

    private static Set<String> named(Pattern pattern, Function<MatchResult, String> what) throws IOException {
        return pattern.matcher(Files.readString(TESTS.resolve("MUTANTS.md")))
                .results()
                .map(what)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> files(Pattern name) throws IOException {
        try (Stream<Path> all = Files.list(TESTS.resolve("tla"))) {
            return all.map(path -> name.matcher(path.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(match -> match.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Path source(String type) throws IOException {
        try (Stream<Path> all = Files.walk(TESTS.resolve("java"))) {
            return all.filter(path -> path.getFileName().toString().equals(type + ".java"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no test " + type));
        }
    }
}
