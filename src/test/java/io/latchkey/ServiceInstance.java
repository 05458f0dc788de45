package io.latchkey;

import io.latchkey.conf.SettingsSource;
import io.latchkey.election.Health;
import io.latchkey.election.Role;
import io.latchkey.election.Term;
import io.latchkey.election.Time;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A whole instance in this process, as {@code bin/latchkey run} would start it, on a conf directory of a test's. */
public final class ServiceInstance implements AutoCloseable {
    private final Application application;

    private ServiceInstance(Application application) {
        this.application = application;
    }

    /** Starts one; sessions of 4 s, on the machine's clocks. */
    public static ServiceInstance start(Path conf, String id, String connect, String... settings) throws Exception {
        return start(conf, id, connect, Time.system(), settings);
    }

    /**
     * Starts one.
     *
     * @param settings more of them, as key=value
     */
    public static ServiceInstance start(Path conf, String id, String connect, Time time, String... settings)
            throws Exception {
        return start(conf, id, connect, time, false, settings);
    }

    /** Starts one that does not wait for ZooKeeper. */
    public static ServiceInstance startFailingFast(Path conf, String id, String connect) throws Exception {
        return start(conf, id, connect, Time.system(), true);
    }

    private static ServiceInstance start(
            Path conf, String id, String connect, Time time, boolean failFast, String... settings) throws Exception {
        Map<String, String> overrides = new HashMap<>(Map.of(
                "instance.id", id,
                "zookeeper.connect", connect,
                "zookeeper.session-timeout", "4s",
                "zookeeper.connection-timeout", "3s",
                "zookeeper.ensemble-tracker", "false",
                "shutdown.drain-timeout", "5s",
                "http.enabled", "false"));
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            overrides.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        SettingsSource source = new SettingsSource(conf, Map.of(), overrides);
        return new ServiceInstance(Application.start(source.load(), source, failFast, time));
    }

    /** Writes a conf directory with one file of jobs: the text inside its {@code schedule}. */
    public static Path conf(Path dir, String schedule) throws IOException {
        Files.createDirectories(dir);
        Files.writeString(dir.resolve("jobs.xml"), """
            <?xml version="1.0" encoding="UTF-8"?>
            <job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData" version="2.0">
             <schedule>
            %s
             </schedule>
            </job-scheduling-data>
            """.formatted(schedule));
        return dir;
    }

    /** A job of {@code StampJob} that keeps its runs under {@code log}, with one trigger (the inside of its element). */
    public static String stampJob(String name, String log, String trigger) {
        return """
            <job><name>%1$s</name><group>ops</group><job-class>com.example.jobs.StampJob</job-class>
             <job-data-map><entry><key>log</key><value>%2$s</value></entry></job-data-map></job>
            <trigger>%3$s</trigger>
            """.formatted(name, log, trigger);
    }

    /** The inside of a cron trigger's element. */
    public static String cron(String name, String misfire, String expression) {
        return "<cron><name>%1$s-t</name><group>ops</group><job-name>%1$s</job-name><job-group>ops</job-group>"
                        .formatted(name)
                + "<misfire-instruction>%s</misfire-instruction><cron-expression>%s</cron-expression></cron>"
                        .formatted(misfire, expression);
    }

    /** The inside of a simple trigger's element that repeats for ever. */
    public static String every(String name, String misfire, Duration interval) {
        return "<simple><name>%1$s-t</name><group>ops</group><job-name>%1$s</job-name><job-group>ops</job-group>"
                        .formatted(name)
                + "<misfire-instruction>%s</misfire-instruction>".formatted(misfire)
                + "<repeat-count>-1</repeat-count><repeat-interval>%d</repeat-interval></simple>"
                        .formatted(interval.toMillis());
    }

    public String id() {
        return application.leadership().record().instance().id();
    }

    /** Where its console is; for one that was started with it. */
    public URI console() {
        return URI.create(Objects.requireNonNull(
                application.leadership().record().instance().console(), "no console"));
    }

    public Role role() {
        return application.leadership().role();
    }

    public boolean leads() {
        return role() == Role.LEADING
                && application
                        .leadership()
                        .term()
                        .filter(term -> term.gate().isOpen())
                        .isPresent();
    }

    /** The term it leads. */
    public Term term() {
        return application.leadership().term().orElseThrow();
    }

    /** How it says it fares. */
    public Health health() {
        return application.leadership().health();
    }

    /** Waits for its end; throws what it ended by, if that was by itself. */
    public void awaitTermination() throws Exception {
        application.awaitTermination();
    }

    /** Gives the lead up, as an operator would have it. */
    public boolean resign() {
        return application.leadership().resign("the test asks");
    }

    @Override
    public void close() {
        application.close();
    }
}
