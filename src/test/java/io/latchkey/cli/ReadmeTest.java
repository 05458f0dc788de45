package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.conf.Key;
import io.latchkey.conf.Settings;
import io.latchkey.conf.SettingsLoader;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.testing.AuthorJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The README says what the code does. */
class ReadmeTest {
    private final String readme = read(Distribution.project().resolve("README.md"));

    @Test
    void settingsTableHasEveryKeyWithItsDefault() {
        Map<String, String> table = new LinkedHashMap<>();
        Pattern.compile("(?m)^\\| `([a-z]+\\.[a-z-]+)` \\| (?:`(.*?)`)? ?\\|")
                .matcher(readme)
                .results()
                .forEach(row -> table.put(row.group(1), row.group(2) == null ? "" : row.group(2)));

        assertThat(table)
                .containsExactlyEntriesOf(Arrays.stream(Key.values())
                        .collect(Collectors.toMap(Key::key, Key::defaultText, (a, b) -> a, LinkedHashMap::new)));
    }

    @Test
    void shippedPropertiesHaveEveryKeyCommentedOutAtItsDefault() {
        String shipped = read(Distribution.project().resolve("conf/latchkey.properties"));
        for (Key key : Key.values()) {
            assertThat(shipped).containsPattern("(?m)^#" + Pattern.quote(key.key() + "=" + key.defaultText()) + "$");
        }
        assertThat(shipped.lines().filter(line -> !line.isBlank() && !line.startsWith("#")))
                .isEmpty();
    }

    @Test
    void exitCodesTableIsTheEnum() {
        List<Integer> codes = Pattern.compile("(?m)^\\| (\\d+) \\|")
                .matcher(readme)
                .results()
                .map(row -> Integer.valueOf(row.group(1)))
                .toList();

        assertThat(codes)
                .containsExactlyElementsOf(
                        Arrays.stream(ExitCode.values()).map(ExitCode::code).toList());
    }

    @Test
    void everyCommandItNamesExists() {
        CommandLine commandLine = LatchkeyCommand.commandLine((settings, source, failFast) -> {
            throw new CliException(ExitCode.NO, "not run here");
        });
        TreeSet<String> named = Pattern.compile("bin/latchkey ([a-z]+)")
                .matcher(readme)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(named).contains("run", "demo", "status", "zkcli", "validate", "start");
        assertThat(commandLine.getSubcommands().keySet()).containsAll(named);
    }

    /** The README's blocks of code in this language, in order. */
    private List<String> blocks(String language) {
        return Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(readme)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    void twoCommandsDoAllTheSetUp() {
        assertThat(blocks("sh")).startsWith("bin/latchkey run\n", "mvn verify\n");
    }

    @Test
    void itsJobIsValid(@TempDir Path home) throws Exception {
        String xml = blocks("xml").get(0);
        Path conf = Files.createDirectory(home.resolve("conf"));
        Files.writeString(conf.resolve("jobs.xml"), xml);

        Settings settings = SettingsLoader.load(conf, Map.of(), Map.of());
        JobCatalog catalog = Catalogs.load(settings);

        assertThat(catalog.jobs()).hasSize(1);
        assertThat(catalog.triggers()).hasSize(1);
    }

    @Test
    void itsClassCompilesAgainstQuartzAlone(@TempDir Path home) throws Exception {
        String java = blocks("java").get(0);

        AuthorJar.write(home.resolve("Report.jar"), java);

        assertThat(home.resolve("Report.jar")).isNotEmptyFile();
    }

    @Test
    void itsCrontabAndTheShippedFilesLeaveNothingToSay(@TempDir Path home) throws Exception {
        String crontab = blocks("crontab").get(0);
        Path conf = Files.createDirectory(home.resolve("conf"));
        Files.writeString(conf.resolve("crontab"), crontab);
        assertThat(Output.of(conf, "next", new String[] {"backup", "-n", "1"}).out())
                .contains("crontab.backup");
        assertThat(Output.of(conf, "validate", new String[0]).out()).contains("OK: 2 jobs, 2 triggers");

        Path shipped = Distribution.project().resolve("conf");
        for (String file : List.of("jobs.xml", "crontab.example")) {
            assertThat(Output.of(conf, "validate", new String[] {
                                shipped.resolve(file).toString()
                            })
                            .out())
                    .contains("OK: 3 jobs, 3 triggers")
                    .doesNotContain("warning");
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
