package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/latchkey} as users call it. */
class LauncherTest {
    private static final List<String> TOOLS =
            List.of("sh", "readlink", "dirname", "sed", "head", "tail", "find", "cat", "mkdir", "rm", "mv", "sleep");

    @TempDir
    static Path shared;

    @TempDir
    Path temp;

    private static Distribution distribution;

    @BeforeAll
    static void unpack() throws IOException {
        distribution = Distribution.in(shared.resolve("a place with spaces").resolve("latchkey"));
    }

    @Test
    void worksFromAnyDirectoryThroughChainedLinks() throws Exception {
        Path absolute = Files.createSymbolicLink(temp.resolve("absolute link"), distribution.launcher());
        Files.createDirectory(temp.resolve("below"));
        Path relative =
                Files.createSymbolicLink(temp.resolve("below").resolve("latchkey"), Path.of("../absolute link"));

        assertThat(Files.exists(absolute)).isTrue();
        Finished finished = Finished.run(Path.of("/"), Map.of(), List.of(relative.toString(), "version"));

        assertThat(finished.output()).startsWith("latchkey ").contains("Java ");
        assertThat(finished.code()).isZero();
    }

    @Test
    void saysWhenThereIsNoJava() throws Exception {
        Finished finished = run(Map.of("JAVA_HOME", "", "PATH", toolsOnly().toString()), "version");

        assertThat(finished.output()).contains("no Java found").contains("Java 17 or newer");
        assertThat(finished.code()).isEqualTo(2);
    }

    @Test
    void saysWhenJavaHomeHoldsNoJava() throws Exception {
        Finished finished = run(Map.of("JAVA_HOME", temp.toString()), "version");

        assertThat(finished.output()).contains("JAVA_HOME is " + temp);
        assertThat(finished.code()).isEqualTo(2);
    }

    @Test
    void saysWhenJavaIsTooOld() throws Exception {
        for (String version : List.of("1.8.0_392", "11.0.21", "16")) {
            Path javaHome = fakeJava(version);

            Finished finished = run(Map.of("JAVA_HOME", javaHome.toString()), "version");

            assertThat(finished.output())
                    .contains("is Java " + (version.startsWith("1.8") ? "8" : version.split("\\.", -1)[0]) + ";")
                    .contains("needs Java 17 or newer");
            assertThat(finished.code()).isEqualTo(2);
        }
    }

    @Test
    void honoursOptionsOfTheEnvironment() throws Exception {
        Path arguments = temp.resolve("arguments");
        Path javaHome = fakeJava("17.0.1\" 2021-10-19 LTS", "printf '%s\\n' \"$@\" > '" + arguments + "'");

        Finished finished = run(
                Map.of(
                        "JAVA_HOME", javaHome.toString(),
                        "LATCHKEY_HEAP", "3g",
                        "LATCHKEY_OPTS", "-Da=* -Db=2"),
                "--conf",
                "run/conf dir",
                "run",
                "-Dinstance.id=x y");

        assertThat(finished.code()).as(finished.output()).isZero();
        List<String> given = Files.readAllLines(arguments);
        assertThat(given).contains("-Xmx3g", "-Da=*", "-Db=2");
        assertThat(given).anyMatch(option -> option.startsWith("-XX:OnOutOfMemoryError="));
        assertThat(given.subList(given.indexOf("io.latchkey.Main"), given.size()))
                .containsExactly("io.latchkey.Main", "--conf", "run/conf dir", "run", "-Dinstance.id=x y");
    }

    @Test
    void refusesAHeapThatIsNoSize() throws Exception {
        Finished finished = run(Map.of("LATCHKEY_HEAP", "lots"), "version");

        assertThat(finished.output()).contains("LATCHKEY_HEAP is 'lots'");
        assertThat(finished.code()).isEqualTo(2);
    }

    @Test
    void badUsageExitsTwoWithAHint() throws Exception {
        Finished finished = run(Map.of(), "statsu");

        assertThat(finished.output()).contains("Did you mean", "status", "latchkey --help");
        assertThat(finished.code()).isEqualTo(2);
        assertThat(run(Map.of(), "--version").output())
                .isEqualTo(run(Map.of(), "version").output());
    }

    @Test
    void checkoutIsBuiltOnceAndAgainWhenItsSourcesChange() throws Exception {
        Path checkout = checkout();
        Map<String, String> environment = Map.of("PATH", fakeMaven() + ":" + System.getenv("PATH"));
        List<String> version = List.of(checkout.resolve("bin/latchkey").toString(), "version");

        Finished first = Finished.run(temp, environment, version);
        assertThat(first.output().lines().toList()).hasSize(2);
        assertThat(first.output()).contains("building this checkout", "launcher-build.log", "latchkey ");
        assertThat(checkout.resolve("target/launcher-build.log")).content().contains("fake maven was here");

        Finished second = Finished.run(temp, environment, version);
        assertThat(second.output()).doesNotContain("building").startsWith("latchkey ");

        Files.setLastModifiedTime(
                checkout.resolve("src/main/java/A.java"),
                FileTime.from(Instant.now().plusSeconds(60)));
        Finished third = Finished.run(temp, environment, version);
        assertThat(third.output()).contains("building");
    }

    @Test
    void failedBuildIsSaidWithTheEndOfItsLog() throws Exception {
        Path checkout = checkout();
        Path bin = Files.createDirectory(temp.resolve("failing"));
        script(bin.resolve("mvn"), "echo 'no such artifact'; exit 1");

        Finished finished = Finished.run(
                temp,
                Map.of("PATH", bin + ":" + System.getenv("PATH")),
                List.of(checkout.resolve("bin/latchkey").toString(), "version"));

        assertThat(finished.output()).contains("no such artifact", "the build failed", "launcher-build.log");
        assertThat(finished.code()).isEqualTo(2);
        assertThat(checkout.resolve("target/.building")).doesNotExist();
    }

    @Test
    void saysWhenACheckoutHasNoMaven() throws Exception {
        Path checkout = checkout();
        Path tools = toolsOnly();

        Finished finished = Finished.run(
                temp,
                Map.of("PATH", tools.toString()),
                List.of(checkout.resolve("bin/latchkey").toString(), "version"));

        assertThat(finished.output()).contains("Maven is not installed");
        assertThat(finished.code()).isEqualTo(2);
    }

    @Test
    void saysWhenACheckoutCannotBeWritten() throws Exception {
        Path checkout = checkout();
        // A file in the way: permissions do not bind root.
        Files.writeString(checkout.resolve("target"), "");

        Finished finished = Finished.run(
                temp, Map.of(), List.of(checkout.resolve("bin/latchkey").toString(), "version"));

        assertThat(finished.output()).contains("target cannot be written");
        assertThat(finished.code()).isEqualTo(2);
    }

    private Finished run(Map<String, String> environment, String... arguments) throws Exception {
        List<String> command =
                new java.util.ArrayList<>(List.of(distribution.launcher().toString()));
        command.addAll(List.of(arguments));
        return Finished.run(temp, environment, command);
    }

    private Path checkout() throws IOException {
        Path checkout = temp.resolve("check out");
        Distribution.installLauncher(checkout);
        Files.writeString(checkout.resolve("pom.xml"), "<project/>");
        Files.createDirectories(checkout.resolve("src/main/java"));
        Files.writeString(checkout.resolve("src/main/java/A.java"), "");
        return checkout;
    }

    /** A Maven whose "package" makes target/dist/lib out of the shared distribution. */
    private Path fakeMaven() throws IOException {
        Path bin = Files.createDirectories(temp.resolve("maven"));
        script(
                bin.resolve("mvn"),
                "echo fake maven was here; mkdir -p target/dist && cp -R '"
                        + distribution.home().resolve("lib") + "' target/dist/lib");
        return bin;
    }

    private Path fakeJava(String version) throws IOException {
        return fakeJava(version, "exit 99");
    }

    private Path fakeJava(String version, String otherwise) throws IOException {
        Path home = Files.createDirectories(temp.resolve("java-" + version.length()));
        Files.createDirectories(home.resolve("bin"));
        script(
                home.resolve("bin/java"),
                "if [ \"$1\" = -version ]; then echo 'Picked up JAVA_TOOL_OPTIONS: -Dx=1' >&2; echo 'openjdk version \""
                        + version + "\"' >&2; exit 0; fi\n" + otherwise);
        return home;
    }

    private Path toolsOnly() throws IOException {
        Path bin = Files.createDirectories(temp.resolve("tools"));
        for (String tool : TOOLS) {
            for (String directory : List.of("/bin", "/usr/bin")) {
                Path real = Path.of(directory, tool);
                if (Files.exists(real) && !Files.exists(bin.resolve(tool))) {
                    Files.createSymbolicLink(bin.resolve(tool), real);
                }
            }
        }
        return bin;
    }

    private static void script(Path path, String text) throws IOException {
        Files.writeString(path, "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
