package io.latchkey.cli;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import io.latchkey.conf.Settings;
import io.latchkey.lifecycle.ExitCode;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.slf4j.LoggerFactory;

/** Logging of an instance: {@code conf/logback.xml}, or the shipped one, from the jar, where there is none. */
final class ServiceLogging {
    private static final String BUILT_IN = "logback.xml";

    private ServiceLogging() {}

    /**
     * Replaces the quiet logging of commands.
     *
     * @param daemon whether to log to a file in the log directory, and not to the console
     * @throws CliException if the log directory cannot be written, or the file is no logback configuration
     */
    static void configure(Settings settings, boolean daemon) throws CliException {
        Path logDir = settings.paths().logDir();
        if (daemon) {
            Directories.requireWritable("log.dir", logDir);
        }
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.putProperty("latchkey.log.dir", logDir.toString());
        context.putProperty("latchkey.log.to", daemon ? "file" : "console");
        context.putProperty("latchkey.instance", settings.instanceId());
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        Path file = settings.paths().confDir().resolve("logback.xml");
        try {
            if (Files.exists(file)) {
                configurator.doConfigure(file.toFile());
            } else {
                URL builtIn = Objects.requireNonNull(ServiceLogging.class.getResource(BUILT_IN));
                configurator.doConfigure(builtIn);
            }
        } catch (JoranException e) {
            throw new CliException(ExitCode.CONFIG, file + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** Writes out what is still buffered; nothing is logged after it. */
    static void flush() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
    }
}
