package io.latchkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.JobsSettings;
import io.latchkey.conf.Settings;
import io.latchkey.conf.SettingsLoader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quartz.Job;

/** Author jars are a world of their own: their classes, Quartz and slf4j, and nothing else of the service. */
class AuthorJarsTest {
    private static final String JOB = "package acme; public class %s implements org.quartz.Job {"
            + " public void execute(org.quartz.JobExecutionContext c) {} public String toString() { return \"%s\"; } }";

    @TempDir
    Path home;

    private Path conf;
    private Path jars;

    @BeforeEach
    void makeDirectories() throws IOException {
        conf = Files.createDirectories(home.resolve("conf"));
        jars = Files.createDirectories(home.resolve("jobs"));
    }

    @Test
    void jobOfAJarIsLoadedFromTheDirectoryBesideConf() throws Exception {
        jar("acme.jar", Map.of("acme.Nightly", JOB.formatted("Nightly", "one")));

        JobSpec job = load("acme.Nightly").jobs().get(0);

        assertThat(job.type().getName()).isEqualTo("acme.Nightly");
        assertThat(Job.class).isAssignableFrom(job.type());
    }

    @Test
    void misspelledClassOfAJarIsOffered() throws Exception {
        jar("acme.jar", Map.of("acme.Nightly", JOB.formatted("Nightly", "one")));

        assertThat(problems("acme.Nightlly")).contains("no class acme.Nightlly", "did you mean acme.Nightly?");
        assertThat(problems("acme.Utterly.Different")).contains("jobs.classpath", "jobs/*.jar");
    }

    @Test
    void replacedJarDoesNotDisturbARunningInstance() throws Exception {
        Path jar = jar(
                "acme.jar",
                Map.of("acme.Nightly", JOB.formatted("Nightly", "one"), "acme.Later", JOB.formatted("Later", "later")));
        JobCatalog catalog = load("acme.Nightly");

        Files.write(jar, new byte[100]);

        assertThat(catalog.classLoader()
                        .loadClass("acme.Later")
                        .getConstructor()
                        .newInstance())
                .hasToString("later");
        assertThat(catalog.jobs().get(0).type().getConstructor().newInstance()).hasToString("one");
    }

    @Test
    void ownVersionOfALibraryWinsAndTheServicesIsHidden() throws Exception {
        jar(
                "acme.jar",
                Map.of(
                        "acme.Nightly",
                        JOB.formatted("Nightly", "one"),
                        "com.fasterxml.jackson.databind.ObjectMapper",
                        "package com.fasterxml.jackson.databind; public class ObjectMapper { public String toString()"
                                + " { return \"theirs\"; } }"));
        ClassLoader loader = load("acme.Nightly").classLoader();

        assertThat(loader.loadClass("com.fasterxml.jackson.databind.ObjectMapper")
                        .getConstructor()
                        .newInstance())
                .hasToString("theirs");
        assertThatThrownBy(() -> loader.loadClass("com.fasterxml.jackson.databind.JsonNode"))
                .isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(() -> loader.loadClass("org.apache.curator.RetryPolicy"))
                .isInstanceOf(ClassNotFoundException.class);
        assertThatThrownBy(() -> loader.loadClass("io.latchkey.conf.Settings"))
                .isInstanceOf(ClassNotFoundException.class);
        assertThat(loader.getResource("org/apache/curator/RetryPolicy.class")).isNull();
    }

    @Test
    void quartzSlf4jAndTheViewOfARunAreShared() throws Exception {
        ClassLoader loader = loaderOfNothing();

        assertThat(loader.loadClass("org.quartz.Job")).isSameAs(Job.class);
        assertThat(loader.loadClass("org.slf4j.Logger")).isSameAs(org.slf4j.Logger.class);
        assertThat(loader.loadClass("io.latchkey.jobs.FireContext")).isSameAs(FireContext.class);
    }

    @Test
    void classOfQuartzThatTheServiceDoesNotHaveComesFromTheJar() throws Exception {
        jar(
                "more.jar",
                Map.of(
                        "org.quartz.jobs.NoOpJob",
                        JOB.replace("acme", "org.quartz.jobs").formatted("NoOpJob", "x")));

        assertThat(load("org.quartz.jobs.NoOpJob").jobs()).hasSize(1);
    }

    @Test
    void brokenJarIsNamed() throws Exception {
        Files.writeString(jars.resolve("broken.jar"), "PK but no more");

        assertThat(problems("acme.Nightly")).contains("broken.jar: cannot be read as a jar", "copied whole");
    }

    @Test
    void classWhoseOwnClassesAreMissingSaysWhich() throws Exception {
        Path jar = jar(
                "acme.jar",
                Map.of(
                        "acme.Base",
                        "package acme; public class Base {}",
                        "acme.Nightly",
                        JOB.replace(" implements", " extends Base implements").formatted("Nightly", "one")));
        Path lone = jars.resolve("lone.jar");
        copyOnly(jar, lone, "acme/Nightly.class");
        Files.delete(jar);

        assertThat(problems("acme.Nightly")).contains("class acme.Nightly cannot be loaded", "acme/Base");
    }

    @Test
    void contentOfJarsCountsIntoTheDigest() throws Exception {
        jar("acme.jar", Map.of("acme.Nightly", JOB.formatted("Nightly", "one")));
        String before = load("acme.Nightly").digest();
        jar("acme.jar", Map.of("acme.Nightly", JOB.formatted("Nightly", "two")));

        assertThat(load("acme.Nightly").digest()).isNotEqualTo(before);
    }

    @Test
    void reloadKeepsTheClassesAndRefusesOtherJars() throws Exception {
        Path jar = jar("acme.jar", Map.of("acme.Nightly", JOB.formatted("Nightly", "one")));
        JobCatalog before = load("acme.Nightly");
        byte[] content = Files.readAllBytes(jar);

        Files.write(jar, content);
        JobCatalog again = reload(before);
        assertThat(again.jobs()).isEqualTo(before.jobs());

        jar("acme.jar", Map.of("acme.Nightly", JOB.formatted("Nightly", "two")));
        jar("more.jar", Map.of("acme.More", JOB.formatted("More", "more")));
        assertThatThrownBy(() -> reload(before))
                .hasMessageContainingAll(
                        "2 problems",
                        "acme.jar: jobs.classpath: is another than at start",
                        "more.jar: jobs.classpath: is new since start",
                        "restart the instances one by one");

        Files.delete(jar);
        Files.delete(jars.resolve("more.jar"));
        assertThatThrownBy(() -> reload(before)).hasMessageContaining("acme.jar: jobs.classpath: was there at start");
    }

    private JobCatalog reload(JobCatalog before) throws ConfException {
        Settings settings = SettingsLoader.load(conf, Map.of(), Map.of("zookeeper.connect", "localhost:2181"));
        return JobsLoader.reload(settings, Loading.CLOCK, before);
    }

    private ClassLoader loaderOfNothing() throws ConfException {
        return load("io.latchkey.jobs.GreetJob").classLoader();
    }

    private JobCatalog load(String type) throws ConfException {
        Loading.write(
                conf.resolve("jobs.xml"),
                "<job-scheduling-data><schedule><job><name>j</name><job-class>" + type
                        + "</job-class><durability>true</durability></job></schedule></job-scheduling-data>");
        JobsSettings settings = new JobsSettings(List.of("jobs.xml"), ZoneOffset.UTC, List.of("jobs/*.jar"));
        return JobsLoader.load(settings, conf, Loading.CLOCK);
    }

    private String problems(String type) {
        try {
            return "loaded: " + load(type);
        } catch (ConfException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private Path jar(String name, Map<String, String> sources) throws IOException {
        Path work = Files.createTempDirectory(home, "compile");
        List<String> arguments = new ArrayList<>(
                List.of("-d", work.toString(), "-proc:none", "-cp", System.getProperty("java.class.path")));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = work.resolve(source.getKey().replace('.', '/') + ".java");
            Loading.write(file, source.getValue());
            arguments.add(file.toString());
        }
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(result).isZero();
        Path jar = jars.resolve(name);
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
                Stream<Path> files = Files.walk(work)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                zip.putNextEntry(new ZipEntry(work.relativize(file).toString()));
                zip.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }

    private static void copyOnly(Path jar, Path to, String entry) throws IOException {
        try (java.util.zip.ZipFile from = new java.util.zip.ZipFile(jar.toFile());
                ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(to), StandardCharsets.UTF_8)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(from.getInputStream(new ZipEntry(entry)).readAllBytes());
        }
    }
}
