package io.latchkey.cli;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import io.latchkey.conf.LogFormat;
import io.latchkey.conf.Settings;
import io.latchkey.lifecycle.ExitCode;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import org.slf4j.Logger;
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
        configure((LoggerContext) LoggerFactory.getILoggerFactory(), settings, daemon);
    }

    /** The same for other loggers than those in use. */
    static void configure(LoggerContext context, Settings settings, boolean daemon) throws CliException {
        Path logDir = settings.paths().logDir();
        boolean json = settings.logFormat() == LogFormat.JSON;
        context.reset();
        context.putProperty("latchkey.log.dir", logDir.toString());
        context.putProperty("latchkey.log.to", daemon ? "file" : "console");
        context.putProperty("latchkey.log.output", daemon ? "jobs" : "console");
        if (json) {
            context.putProperty("latchkey.log.encoder", JsonLines.class.getName());
        }
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
        if (json && !writesJson(context)) {
            throw new CliException(
                    ExitCode.CONFIG,
                    file
                            + " takes no notice of log.format=json: give its encoders"
                            + " class=\"${latchkey.log.encoder}\", as in the file that comes with this version, or set"
                            + " log.format=text");
        }
    }

    private static boolean writesJson(LoggerContext context) {
        Iterator<Appender<ILoggingEvent>> appenders =
                context.getLogger(Logger.ROOT_LOGGER_NAME).iteratorForAppenders();
        while (appenders.hasNext()) {
            if (appenders.next() instanceof OutputStreamAppender<ILoggingEvent> stream
                    && stream.getEncoder() instanceof JsonLines) {
                return true;
            }
        }
        return false;
    }

    /** Writes out what is still buffered; nothing is logged after it. */
    static void flush() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
    }
}
