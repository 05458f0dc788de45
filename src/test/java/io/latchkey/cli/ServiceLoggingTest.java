package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.conf.Settings;
import io.latchkey.conf.SettingsLoader;
import io.latchkey.jobs.shell.OutputLog;
import io.latchkey.zookeeper.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.MDC;

/** What `start` writes, by the shipped logback.xml; with loggers of its own, for those in use belong to all tests. */
class ServiceLoggingTest {
    @TempDir
    private Path dir;

    private final LoggerContext context = new LoggerContext();
    private Path conf;

    @BeforeEach
    void shippedFile() throws Exception {
        context.setMDCAdapter(MDC.getMDCAdapter());
        conf = Files.createDirectories(dir.resolve("conf"));
        Files.copy(Path.of("conf/logback.xml"), conf.resolve("logback.xml"));
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private Settings settings(String format) throws Exception {
        return SettingsLoader.load(conf, Map.of("LATCHKEY_LOG_FORMAT", format, "LATCHKEY_INSTANCE_ID", "a"), Map.of());
    }

    private void say() {
        Logger log = context.getLogger("io.latchkey.scheduler.FireJob");
        MDC.put("job", "ops.x\n2026-11-29T12:00:00.000Z ERROR forged");
        MDC.put("fire", "ops.t@2026-11-29T12:00:00Z");
        MDC.put("level", "NOT-MINE");
        try {
            log.warn("Job \"x\" failed:\n  {}", "\u001b[31m\\", new IllegalStateException("out\r\nof \"luck\""));
            context.getLogger(OutputLog.LOGGER).info("printed by the program");
        } finally {
            MDC.remove("job");
            MDC.remove("fire");
            MDC.remove("level");
        }
        log.info("no run");
        log.debug("not at this level");
        context.stop();
    }

    private List<String> lines(String file) throws Exception {
        return Files.readAllLines(dir.resolve("logs").resolve(file));
    }

    @Test
    void jsonIsOneObjectALineWithMdcAndStackTrace() throws Exception {
        ServiceLogging.configure(context, settings("json"), true);
        say();

        List<String> lines = lines("latchkey.log");
        assertThat(lines).hasSize(2);
        JsonNode failed = Json.mapper().readTree(lines.get(0));
        assertThat(failed.path("level").asText()).isEqualTo("WARN");
        assertThat(failed.path("time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
        assertThat(failed.path("logger").asText()).isEqualTo("io.latchkey.scheduler.FireJob");
        assertThat(failed.path("instance").asText()).isEqualTo("a");
        assertThat(failed.path("message").asText()).isEqualTo("Job \"x\" failed:\n  \u001b[31m\\");
        assertThat(failed.path("job").asText()).startsWith("ops.x\n");
        assertThat(failed.path("fire").asText()).isEqualTo("ops.t@2026-11-29T12:00:00Z");
        assertThat(failed.path("error").asText())
                .startsWith("java.lang.IllegalStateException: out\r\nof \"luck\"")
                .contains("\tat " + ServiceLoggingTest.class.getName());
        JsonNode second = Json.mapper().readTree(lines.get(1));
        assertThat(second.has("error")).isFalse();
        assertThat(second.has("fire")).isFalse();
        JsonNode printed = Json.mapper().readTree(lines("jobs.log").get(0));
        assertThat(printed.path("message").asText()).isEqualTo("printed by the program");
        assertThat(printed.path("fire").asText()).isEqualTo("ops.t@2026-11-29T12:00:00Z");
    }

    @Test
    void outputOfProgramsHasAFileOfItsOwnAndAJobsNameForgesNoLine() throws Exception {
        ServiceLogging.configure(context, settings("text"), true);
        say();

        assertThat(lines("jobs.log")).hasSize(1).first().asString().contains("printed by the program", "ops.t@");
        assertThat(lines("latchkey.log"))
                .noneMatch(line -> line.contains("printed by"))
                .noneMatch(line -> line.startsWith("2026-11-29T12:00:00.000Z ERROR forged"));
    }

    @Test
    void aFileOfAnOlderVersionIsRefusedForJsonRatherThanLoggingNothing() throws Exception {
        Files.writeString(conf.resolve("logback.xml"), """
            <configuration>
              <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
                <encoder><pattern>%msg%n</pattern></encoder>
              </appender>
              <root level="INFO"><appender-ref ref="${latchkey.log.to:-console}"/></root>
            </configuration>
            """);

        assertThatThrownBy(() -> ServiceLogging.configure(context, settings("json"), false))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("log.format=json")
                .hasMessageContaining("latchkey.log.encoder");
    }
}
