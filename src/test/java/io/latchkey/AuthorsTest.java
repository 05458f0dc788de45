package io.latchkey;

import static io.latchkey.Scene.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.latchkey.jobs.FireContext;
import io.latchkey.jobs.shell.OutputLog;
import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.Outcome.Kind;
import io.latchkey.testing.LogCapture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.quartz.Job;

/** What authors register, as the README has it, in a whole instance: a command, a URL, and a class from nothing. */
@Tag("slow")
class AuthorsTest {
    @TempDir
    private Path home;

    @Test
    void commandUrlAndClassRunAndTellOfThemselves() throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.add(exchange.getRequestHeaders().getFirst("Idempotency-Key") + " "
                    + exchange.getRequestHeaders().getFirst("Latchkey-Fencing-Token"));
            byte[] answer = "received".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        Path conf = ServiceInstance.conf(
                home.resolve("conf"),
                job("good", "ShellJob", "command", "echo $LATCHKEY_JOB $LATCHKEY_FIRE_ID $LATCHKEY_FENCING_TOKEN")
                        + job("bad", "SingleShellJob", "command", "echo no luck; exit 7")
                        + job(
                                "call",
                                "HttpJob",
                                "url",
                                "http://127.0.0.1:" + server.getAddress().getPort() + "/"));
        readmeJob(conf);
        try (Scene scene = new Scene();
                LogCapture log = LogCapture.of(OutputLog.LOGGER)) {
            ServiceInstance instance =
                    scene.lead(conf, "a", "jobs.files=jobs.xml,jobs.d/*.xml", "jobs.classpath=jobs/*.jar");
            long token = instance.term().token();

            HistoryEntry good = first(scene, "good");
            assertThat(good.outcome().kind()).isEqualTo(Kind.SUCCEEDED);
            assertThat(good.outcome().output()).isEqualTo("ops.good " + good.id() + " " + token);
            HistoryEntry bad = first(scene, "bad");
            assertThat(bad.outcome().kind()).isEqualTo(Kind.FAILED);
            assertThat(bad.outcome().error()).contains("exit code 7: no luck");
            assertThat(bad.outcome().output()).isEqualTo("no luck");
            HistoryEntry call = first(scene, "call");
            assertThat(call.outcome().output()).isEqualTo("received");
            assertThat(received).contains(call.id() + " " + token);
            HistoryEntry count =
                    scene.ledger().history(new org.quartz.JobKey("count")).get(0);
            assertThat(count.outcome().output()).startsWith("counted to 5 for ").endsWith(" under token " + token);
            assertThat(log.events())
                    .anySatisfy(event -> assertThat(event.getMDCPropertyMap())
                            .containsEntry("job", "ops.good")
                            .containsEntry("fire", good.id().toString()));
        } finally {
            server.stop(0);
        }
    }

    private static HistoryEntry first(Scene scene, String job) throws Exception {
        patiently().until(() -> !scene.history(job).isEmpty());
        patiently()
                .until(() ->
                        !scene.ledger().history(new org.quartz.JobKey("count")).isEmpty());
        return scene.history(job).get(0);
    }

    private static String job(String name, String type, String key, String value) {
        return """
            <job><name>%1$s</name><group>ops</group><job-class>io.latchkey.jobs.%2$s</job-class>
             <job-data-map><entry><key>%3$s</key><value>%4$s</value></entry></job-data-map></job>
            <trigger>%5$s</trigger>
            """.formatted(
                name, type, key, value, ServiceInstance.cron(name, "MISFIRE_INSTRUCTION_SMART_POLICY", "* * * * * ?"));
    }

    /** Compiles the README's class into a jar as its Maven project would, and registers it with the README's file. */
    private void readmeJob(Path conf) throws Exception {
        String readme = Files.readString(Path.of("README.md"));
        Path source = Files.createDirectories(home.resolve("src")).resolve("CountJob.java");
        Files.writeString(source, block(readme, "`src/main/java/com/example/CountJob.java`:", "java"));
        Path classes = Files.createDirectories(home.resolve("classes"));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", classes.toString(), "-proc:none", "-cp", classPath(), source.toString());
        assertThat(result).isZero();
        Files.createDirectories(home.resolve("jobs"));
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(home.resolve("jobs/count-1.0.jar")))) {
            jar.putNextEntry(new ZipEntry("com/example/CountJob.class"));
            Files.copy(classes.resolve("com/example/CountJob.class"), jar);
        }
        Files.createDirectories(conf.resolve("jobs.d"));
        Files.writeString(
                conf.resolve("jobs.d/count.xml"),
                block(readme, "`/opt/latchkey/conf/jobs.d/count.xml` (make the directory):", "xml"));

        String version = Objects.requireNonNull(capture(
                "(?s)<artifactId>latchkey</artifactId>\\s*<version>(.*?)</version>",
                Files.readString(Path.of("pom.xml"))));
        assertThat(block(readme, "`pom.xml`:", "xml"))
                .contains("<artifactId>latchkey</artifactId>\n      <version>" + version + "</version>");
        assertThat(readme).contains("lib/latchkey-" + version + ".jar");
    }

    private static String block(String readme, String title, String language) {
        return capture("(?s)" + Pattern.quote(title) + "\n\n```" + language + "\n(.*?)```", readme);
    }

    private static String capture(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    private static String classPath() throws IOException {
        return Stream.of(FireContext.class, Job.class)
                .map(type ->
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .collect(Collectors.joining(":"));
    }
}
