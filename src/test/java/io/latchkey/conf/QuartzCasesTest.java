package io.latchkey.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of Quartz settings from real use, each with its answer, and the keys they are examples of. */
class QuartzCasesTest {
    @TempDir
    Path conf;

    @Test
    void commonFileStartsAndItsIdleKeysAreNamedOnce() throws Exception {
        Settings settings = load("G01-common-ram");

        assertThat(settings.scheduler().threads()).isEqualTo(5);
        assertThat(settings.quartz().properties())
                .containsOnlyKeys(
                        "org.quartz.threadPool.threadPriority",
                        "org.quartz.threadPool.threadsInheritContextClassLoaderOfInitializingThread");
        assertThat(settings.notices()).hasSize(2);
        assertThat(settings.notices().get(0))
                .containsOnlyOnce("org.quartz.scheduler.rmi.export")
                .contains(
                        "scheduler.instanceName",
                        "skipUpdateCheck",
                        "wrapJobExecutionInUserTransaction",
                        "jobStore.class");
        assertThat(settings.notices().get(1))
                .contains("org.quartz.jobStore.misfireThreshold", "scheduler.misfire-threshold");
    }

    @Test
    void clusteredFlagIsRefusedInWords() {
        List<Problem> problems = refuse("G03-ram-but-clustered");

        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).toString())
                .contains("quartz.properties:6", "org.quartz.jobStore.isClustered", "latch", "remove this line");
    }

    @Test
    void otherJobStoreIsRefusedAndNoPasswordIsShown() {
        ConfException refusal = catchThrowableOfType(ConfException.class, () -> load("G04-jdbc-clustered"));

        assertThat(refusal.problems())
                .extracting(Problem::subject)
                .containsExactly(
                        "org.quartz.jobStore.class", "org.quartz.jobStore.isClustered", "org.quartz.dataSource.mainDs");
        assertThat(refusal.getMessage())
                .contains("another job store", "ZooKeeper", "remove")
                .doesNotContain("secret-value-must-not-be-logged", "jdbc:example", "\"sa\"", "org.example.Driver");
        assertThat(refusal.toString() + refusal.problems()).doesNotContain("secret-value-must-not-be-logged");
    }

    @Test
    void shutdownHookPluginIsLeftOutSoThatOurStopOrderHolds() throws Exception {
        Settings settings = load("G07-shutdown-hook");

        assertThat(settings.quartz().properties()).containsOnlyKeys("org.quartz.plugin.triggHistory.class");
        assertThat(settings.notices())
                .filteredOn(notice -> notice.contains("org.quartz.plugin.shutdownhook"))
                .singleElement()
                .asString()
                .contains("order of its own");
    }

    @ParameterizedTest
    @CsvSource({"G09-threads-word, ten", "G09-threads-zero, 0"})
    void badThreadCountIsRefusedWithKeyAndValue(String file, String value) {
        assertThat(refuse(file))
                .singleElement()
                .asString()
                .contains(
                        "quartz.properties:3",
                        "org.quartz.threadPool.threadCount",
                        "\"" + value + "\"",
                        "scheduler.threads");
    }

    @Test
    void negativeMisfireThresholdIsRefused() {
        assertThat(refuse("G10-misfire-minus"))
                .singleElement()
                .asString()
                .contains("org.quartz.jobStore.misfireThreshold", "\"-5\"", "scheduler.misfire-threshold");
    }

    @Test
    void daemonFlagsDoNotReachQuartz() throws Exception {
        Settings settings = load("G13-daemon-threads");

        assertThat(settings.quartz().properties()).isEmpty();
        assertThat(settings.notices())
                .singleElement()
                .asString()
                .contains("makeThreadsDaemons", "makeSchedulerThreadDaemon");
    }

    @Test
    void misspelledKeysAreAllListedWithTheNearOne() {
        assertThat(refuse("G16-misspelled-keys"))
                .extracting(Problem::toString)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains(
                                        "org.quartz.threadpool.threadCount", "\"org.quartz.threadPool.threadCount\"?"),
                        line -> assertThat(line).contains("\"org.quartz.jobStore.class\"?"),
                        line -> assertThat(line).contains("\"org.quartz.scheduler.instanceName\"?"));
    }

    @Test
    void byteOrderMarkAndCarriageReturnsLoseNoKey() throws Exception {
        assertThat(load("G19-bom-crlf").scheduler().threads()).isEqualTo(7);
    }

    @Test
    void databaseKeysWithoutThatStoreAreDroppedByName() throws Exception {
        Settings settings = load("G20-unknown-store-property");

        assertThat(settings.quartz().properties()).isEmpty();
        assertThat(settings.notices())
                .singleElement()
                .asString()
                .contains("org.quartz.jobStore.useProperties", "org.quartz.jobStore.tablePrefix");
    }

    @Test
    void twoThreadCountsThatDifferContradictEachOther() throws IOException {
        Files.writeString(conf.resolve("latchkey.properties"), "\nscheduler.threads=8\n");

        assertThat(refuseText("org.quartz.threadPool.threadCount=5"))
                .singleElement()
                .asString()
                .contains("quartz.properties:1", "\"5\"", "scheduler.threads=8", "latchkey.properties:2");
    }

    @Test
    void twoThreadCountsThatAgreeAreFine() throws Exception {
        Files.writeString(conf.resolve("latchkey.properties"), "scheduler.threads=5");

        assertThat(loadText("org.quartz.threadPool.threadCount=5").scheduler().threads())
                .isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "org.quartz.scheduler.rmi.export=true | fence",
                "org.quartz.scheduler.rmi.proxy=yes | none of its own",
                "org.quartz.scheduler.jmx.export=true | fence",
                "org.quartz.scheduler.jmx.proxy=true | none of its own",
                "org.quartz.managementRESTService.enabled=true | fence",
                "org.quartz.scheduler.wrapJobExecutionInUserTransaction=true | transaction",
                "org.quartz.scheduler.batchTriggerAcquisitionMaxCount=1 | batches",
                "org.quartz.scheduler.batchTriggerAcquisitionFireAheadTimeWindow=500 | before it is due",
                "org.quartz.scheduler.idleWaitTime=5000 | alive",
                "org.quartz.scheduler.jobFactory.class=com.example.Factory | fence",
                "org.quartz.scheduler.classLoadHelper.class=com.example.Loader | jobs.classpath",
                "org.quartz.threadPool.class=org.quartz.simpl.ZeroSizeThreadPool | scheduler.threads",
                "org.quartz.threadExecutor.class=com.example.Executor | threads",
                "org.quartz.plugin.jobs.class=org.quartz.plugins.xml.XMLSchedulingDataProcessorPlugin | jobs.files",
                "org.quartz.plugin.jobs.fileNames=jobs.xml | no class",
                "org.quartz.jobListener.audit.level=3 | no class",
                "org.quartz.threadPool.threadPriority=11 | from 1 to 10",
                "org.quartz.threadPool.makeThreadsDaemons=maybe | neither true nor false",
                "org.quartz.jobStore.misfireThreshold=1m | milliseconds",
                "org.quartz.jobStore.isClusterd=false | jobStore.isClustered",
                "org.quartz.plugins.history.class=X | org.quartz.plugin.history.class",
                "quartz.threadPool.threadCount=3 | org.quartz.threadPool.threadCount",
                "scheduler.threads=3 | latchkey.properties",
                "something=else | begin with org.quartz.",
            })
    void keysTheServiceOwnsAreRefusedWithTheReason(String line, String reason) {
        assertThat(refuseText(line))
                .singleElement()
                .asString()
                .contains(
                        "quartz.properties:1: "
                                + line.substring(0, line.indexOf('.') < 0 ? line.indexOf('=') : line.indexOf('.')),
                        reason);
    }

    @Test
    void valueOfAnUnknownKeyIsNeverShown() {
        assertThat(refuseText("org.quartz.datasource.main.password=hunter2\nmy.password=hunter2"))
                .hasSize(2)
                .noneMatch(problem -> problem.toString().contains("hunter2"));
    }

    @Test
    void passwordOfAPluginIsPassedOnAndNotShown() throws Exception {
        QuartzSettings quartz = loadText("""
                        org.quartz.plugin.mail.class=com.example.Mail
                        org.quartz.plugin.mail.password=hunter2
                        """).quartz();

        assertThat(quartz.properties()).containsEntry("org.quartz.plugin.mail.password", "hunter2");
        assertThat(quartz.toString()).doesNotContain("hunter2");
    }

    @Test
    void listenersAndContextReachQuartz() throws Exception {
        assertThat(loadText("""
                        org.quartz.jobListener.audit.class=com.example.Audit
                        org.quartz.jobListener.audit.level=3
                        org.quartz.triggerListener.veto.class=com.example.Veto
                        org.quartz.context.key.site=north
                        """).quartz().properties())
                .hasSize(4)
                .containsEntry("org.quartz.context.key.site", "north");
    }

    private Settings load(String name) throws IOException, ConfException {
        try (InputStream file = Objects.requireNonNull(
                QuartzCasesTest.class.getResourceAsStream("/cases/properties/" + name + ".properties"))) {
            Files.write(conf.resolve("quartz.properties"), file.readAllBytes());
        }
        return SettingsLoader.load(conf, Map.of(), Map.of());
    }

    private List<Problem> refuse(String name) {
        return catchThrowableOfType(ConfException.class, () -> load(name)).problems();
    }

    private Settings loadText(String text) throws IOException, ConfException {
        Files.writeString(conf.resolve("quartz.properties"), text);
        return SettingsLoader.load(conf, Map.of(), Map.of());
    }

    private List<Problem> refuseText(String text) {
        return catchThrowableOfType(ConfException.class, () -> loadText(text)).problems();
    }
}
