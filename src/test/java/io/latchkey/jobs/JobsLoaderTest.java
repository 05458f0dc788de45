package io.latchkey.jobs;

import static io.latchkey.jobs.Loading.cron;
import static io.latchkey.jobs.Loading.fileProblems;
import static io.latchkey.jobs.Loading.job;
import static io.latchkey.jobs.Loading.loadFile;
import static io.latchkey.jobs.Loading.loadText;
import static io.latchkey.jobs.Loading.problems;
import static io.latchkey.jobs.Loading.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.latchkey.conf.ConfException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.JobKey;

/** What a job file may not say, what it may, and how both are told. */
class JobsLoaderTest {
    private static final String EVERY_MINUTE = "0 * * * * ?";

    @TempDir
    Path dir;

    @Test
    void shippedJobsLoadWithoutAWord() throws Exception {
        JobCatalog catalog = Loading.load(Path.of("conf"), ZoneOffset.UTC, "jobs.xml");

        assertThat(catalog.jobs()).hasSize(3);
        assertThat(catalog.job(new JobKey("nap", "demo")).orElseThrow().nonConcurrent())
                .isTrue();
        assertThat(catalog.warnings()).isEmpty();
    }

    @Test
    void fileThatIsNotUtf8IsRefusedWithTheLine() throws Exception {
        String xml = "<job-scheduling-data>\n<!-- t\u00e4glich -->\n<schedule/></job-scheduling-data>";
        Files.write(dir.resolve("latin.xml"), xml.getBytes(StandardCharsets.ISO_8859_1));
        Files.write(
                dir.resolve("named.xml"),
                ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + xml).getBytes(StandardCharsets.ISO_8859_1));
        Files.write(dir.resolve("wide.xml"), xml.getBytes(StandardCharsets.UTF_16));
        Files.write(dir.resolve("right.xml"), xml.getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> Loading.load(dir, ZoneOffset.UTC, "latin.xml"))
                .hasMessageContainingAll("latin.xml:2", "not UTF-8");
        assertThat(Loading.load(dir, ZoneOffset.UTC, "named.xml", "wide.xml", "right.xml")
                        .jobs())
                .isEmpty();
    }

    @Test
    void allProblemsOfAllFilesAreInOneReport() {
        Loading.write(
                dir.resolve("a.xml"),
                "<job-scheduling-data><schedule>" + cron("0 99 * * * ?", "") + "</schedule></job-scheduling-data>");
        Loading.write(dir.resolve("b.xml"), "<nonsense/>");
        Loading.write(dir.resolve("c.xml"), "");

        assertThatThrownBy(() -> Loading.load(dir, ZoneOffset.UTC, "a.xml", "b.xml", "c.xml"))
                .isInstanceOfSatisfying(
                        ConfException.class, e -> assertThat(e.problems()).hasSize(4))
                .hasMessageContainingAll(
                        "a.xml:1:", "minutes", "no job DEFAULT.j", "b.xml:1:", "c.xml:1:1: the file is empty");
    }

    @Test
    void unknownClassIsRefusedWithANearOne() {
        assertThat(problems(
                        dir, job("a") + "\n<job><name>b</name><job-class>com.example.jobs.PrntJob</job-class></job>"))
                .contains(
                        "jobs.xml:4:20: job DEFAULT.b: there is no class com.example.jobs.PrntJob",
                        "did you mean com.example.jobs.PrintJob?");
        assertThat(problems(dir, "<job><name>b</name><job-class>GreetJob</job-class></job>"))
                .contains("did you mean io.latchkey.jobs.GreetJob?");
    }

    @ParameterizedTest
    @CsvSource({
        "NoDefault, no public constructor without arguments",
        "Hidden, is not public",
        "Unfinished, is abstract",
        "Inner, make it static",
        "NoJob, is no job",
    })
    void classThatCannotBeMadeIsRefused(String name, String why) {
        String type = UnusableJobs.class.getName() + "$" + name;

        assertThat(problems(dir, "<job><name>x</name><job-class>" + type + "</job-class></job>"))
                .contains("job DEFAULT.x: class " + type, why);
    }

    @Test
    void nameInTwoFilesIsRefusedWithBothPlaces() {
        String file = "<job-scheduling-data><schedule>" + job("twin") + "</schedule></job-scheduling-data>";
        Loading.write(dir.resolve("a.xml"), file);
        Loading.write(dir.resolve("b.xml"), file);

        assertThatThrownBy(() -> Loading.load(dir, ZoneOffset.UTC, "*.xml"))
                .hasMessageContaining(
                        "b.xml:1:32: job DEFAULT.twin: the name is already given at " + dir.resolve("a.xml") + ":1:32");
    }

    @Test
    void directiveToIgnoreDuplicatesKeepsTheFirstAndSaysSo() throws Exception {
        JobCatalog catalog = loadFile(
                dir,
                "<job-scheduling-data><processing-directives><ignore-duplicates>true</ignore-duplicates>"
                        + "</processing-directives><schedule>" + job("twin") + job("twin")
                        + cron(EVERY_MINUTE, "").replace(">j<", ">twin<")
                        + "</schedule></job-scheduling-data>");

        assertThat(catalog.jobs()).hasSize(1);
        assertThat(catalog.warnings()).singleElement().asString().contains("job DEFAULT.twin: ignored", "jobs.xml:1:");
    }

    @Test
    void triggerOfAMissingJobIsRefusedWithANearOne() {
        assertThat(problems(dir, job("jj") + cron(EVERY_MINUTE, "")))
                .contains("trigger DEFAULT.t: there is no job DEFAULT.j", "did you mean DEFAULT.jj?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 60 * * * ?|minutes",
                "0 0 24 * * ?|hours",
                "0 0 0 32 * ?|day-of-month",
                "0 0 0 * 13 ?|month",
                "0 0 0 ? * FOO|day-of-week",
                "0 0 0 * * *|?",
                "nonsense|6 or 7",
            })
    void badCronIsRefusedAndItsFieldNamed(String expression, String field) {
        assertThat(problems(dir, job("j") + cron(expression, "")))
                .contains("1 problem", "trigger DEFAULT.t: cron expression \"" + expression, field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Mars/Olympus", "gmt+99", "EST5"})
    void unknownZoneIsRefusedAndNeverGmt(String zone) {
        assertThat(problems(dir, job("j") + cron(EVERY_MINUTE, "<time-zone>" + zone + "</time-zone>")))
                .contains("1 problem", "unknown time zone \"" + zone + "\"");
    }

    @Test
    void zonesOfEitherKindAreTaken() throws Exception {
        for (String zone : List.of("Asia/Tokyo", "UTC", "GMT+2", "+05:30", "PST")) {
            loadText(dir, job("j") + cron(EVERY_MINUTE, "<time-zone>" + zone + "</time-zone>"));
        }
    }

    @Test
    void calendarNameIsRefusedBecauseNoneCanBeDefined() {
        assertThat(problems(dir, job("j") + cron(EVERY_MINUTE, "<calendar-name>holidays</calendar-name>")))
                .contains("1 problem", "\"holidays\"", "no calendar can be defined");
    }

    @Test
    void secondsInFutureCountFromWhenTheTriggerIsFirstSeen() throws Exception {
        TriggerSpec spec = loadText(
                        dir,
                        job("j") + trigger("simple", "<start-time-seconds-in-future>90</start-time-seconds-in-future>"))
                .triggers()
                .get(0);
        Instant seen = Instant.parse("2030-01-01T00:00:00Z");

        assertThat(spec.firstFire(seen)).contains(seen.plusSeconds(90));
        assertThat(spec.fingerprint())
                .isEqualTo(loadText(
                                dir,
                                job("j")
                                        + trigger(
                                                "simple",
                                                "<start-time-seconds-in-future>90</start-time-seconds-in-future>"))
                        .triggers()
                        .get(0)
                        .fingerprint());
    }

    @Test
    void unknownMisfireInstructionIsRefusedAndTheValidOnesNamed() {
        assertThat(problems(
                        dir,
                        job("j")
                                + cron(
                                        EVERY_MINUTE,
                                        "<misfire-instruction>MISFIRE_INSTRUCTION_DO_NOTHNG</misfire-instruction>")))
                .contains(
                        "unknown misfire instruction",
                        "did you mean MISFIRE_INSTRUCTION_DO_NOTHING?",
                        "MISFIRE_INSTRUCTION_FIRE_ONCE_NOW");
        assertThat(problems(
                        dir,
                        job("j")
                                + trigger(
                                        "simple",
                                        "<misfire-instruction>MISFIRE_INSTRUCTION_DO_NOTHING</misfire-instruction>")))
                .contains("not one for a simple trigger", "MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_REMAINING_COUNT");
    }

    @ParameterizedTest
    @CsvSource({
        "cron, SMART_POLICY, ONCE",
        "cron, FIRE_ONCE_NOW, ONCE",
        "cron, DO_NOTHING, NOTHING",
        "cron, IGNORE_MISFIRE_POLICY, ALL",
        "simple, SMART_POLICY, ONCE",
        "simple, FIRE_NOW, ONCE",
        "simple, RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT, ONCE",
        "simple, RESCHEDULE_NOW_WITH_REMAINING_REPEAT_COUNT, ONCE",
        "simple, RESCHEDULE_NEXT_WITH_EXISTING_COUNT, NOTHING",
        "simple, RESCHEDULE_NEXT_WITH_REMAINING_COUNT, NOTHING",
        "simple, IGNORE_MISFIRE_POLICY, ALL",
        "calendar-interval, SMART_POLICY, ONCE",
        "calendar-interval, FIRE_ONCE_NOW, ONCE",
        "calendar-interval, DO_NOTHING, NOTHING",
        "calendar-interval, IGNORE_MISFIRE_POLICY, ALL",
    })
    void everyMisfireInstructionHasItsMeaning(String kind, String name, Misfire meaning) {
        assertThat(MisfireNames.read(kind, "MISFIRE_INSTRUCTION_" + name)).isEqualTo(meaning);
    }

    @Test
    void foreignNamespaceWithinIsRefused() {
        assertThat(problems(dir, "<job xmlns=\"urn:x\"/>")).contains("jobs.xml:3:1", "namespace urn:x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n ", "\uFEFF"})
    void emptyFileIsRefused(String content) {
        assertThat(fileProblems(dir, content)).contains("jobs.xml:1:1: the file is empty");
    }

    @Test
    void whatIsNotXmlIsRefused() {
        assertThat(fileProblems(dir, "jobs:\n  - tick")).contains("jobs.xml:1:1: not well-formed XML");
        assertThat(fileProblems(dir, "<job-scheduling-data>\n<schedule></job-scheduling-data>"))
                .contains("jobs.xml:2:", "not well-formed XML");
    }

    @Test
    void entitiesAreNeverExpanded() {
        String bomb = "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b"
                + " \"&a;&a;\">]><job-scheduling-data>&b;</job-scheduling-data>";

        assertThat(fileProblems(dir, bomb)).contains("DOCTYPE");
        assertThat(fileProblems(dir, "<!DOCTYPE x SYSTEM \"http://127.0.0.1:1/x.dtd\"><job-scheduling-data/>"))
                .contains("DOCTYPE");
        assertThat(fileProblems(dir, "<job-scheduling-data>&b;</job-scheduling-data>"))
                .contains("not well-formed XML");
    }

    @Test
    void unknownAndRepeatedAndMissingElementsAreRefused() {
        assertThat(problems(dir, job("j") + cron(EVERY_MINUTE, "<priorty>3</priorty>")))
                .contains("unknown element <priorty>", "<priority>?");
        assertThat(problems(
                        dir, "<job><name>a</name><name>b</name><job-class>com.example.jobs.PrintJob</job-class></job>"))
                .contains("<name> is given twice");
        assertThat(problems(dir, "<job><name> </name></job>"))
                .contains("<name> is missing or empty", "<job-class> is missing");
        assertThat(problems(dir, "<trigger/>")).contains("<trigger> is empty");
        assertThat(problems(dir, "<trigger><corn/></trigger>")).contains("<corn>", "did you mean <cron>?");
        assertThat(fileProblems(dir, "<job-scheduling-data>" + job("a") + "</job-scheduling-data>"))
                .contains("belong into <schedule>");
        assertThat(problems(dir, job("j") + trigger("cron", ""))).contains("<cron-expression> is missing");
    }

    @Test
    void badNumbersAndFlagsAreRefused() {
        assertThat(problems(dir, job("j") + cron(EVERY_MINUTE, "<priority>high</priority>")))
                .contains("<priority> is \"high\"");
        assertThat(problems(dir, job("j") + trigger("simple", "<repeat-count>-2</repeat-count>")))
                .contains("<repeat-count> is -2");
        assertThat(problems(dir, job("j") + trigger("simple", "<repeat-count>3</repeat-count>")))
                .contains("<repeat-interval> is missing or 0");
        assertThat(
                        problems(
                                dir,
                                job("j")
                                        + trigger(
                                                "calendar-interval",
                                                "<repeat-interval>1</repeat-interval><repeat-interval-unit>DAYS</repeat-interval-unit>")))
                .contains("unknown interval unit \"DAYS\"", "did you mean DAY?");
        assertThat(problems(dir, job("j").replace("</job>", "<durability>maybe</durability></job>")))
                .contains("write true or false");
    }

    @ParameterizedTest
    @CsvSource({
        "2027-01-31T09:00:00, 2027-01-31T08:00:00Z",
        "2027-01-31T09:00:00.0, 2027-01-31T08:00:00Z",
        "2027-01-31T09:00:00.123456, 2027-01-31T08:00:00.123Z",
        "2027-01-31T09:00:00Z, 2027-01-31T09:00:00Z",
        "2027-01-31T09:00:00.5-05:00, 2027-01-31T14:00:00.500Z",
        "2027-01-31T24:00:00, 2027-01-31T23:00:00Z",
    })
    void datesAreReadAsXmlWritesThem(String text, String instant) throws Exception {
        Loading.write(
                dir.resolve("jobs.xml"),
                "<job-scheduling-data><schedule>" + job("j")
                        + trigger("simple", "<start-time> " + text + " </start-time>")
                        + "</schedule></job-scheduling-data>");

        JobCatalog catalog = Loading.load(dir, ZoneId.of("Europe/Berlin"), "jobs.xml");
        assertThat(catalog.triggers().get(0).schedule().window().start()).isEqualTo(instant);
    }

    @Test
    void badDatesAndWindowsAreRefused() {
        assertThat(problems(dir, job("j") + trigger("simple", "<start-time>2027-02-30T00:00:00</start-time>")))
                .contains("no date and time");
        assertThat(problems(dir, job("j") + trigger("simple", "<start-time>2027-02-03</start-time>")))
                .contains("2027-02-03T00:00:00");
        assertThat(
                        problems(
                                dir,
                                job("j")
                                        + trigger(
                                                "simple",
                                                "<start-time>2027-02-03T00:00:00</start-time><end-time>2027-02-03T00:00:00</end-time>")))
                .contains("<end-time> is not after <start-time>");
        assertThat(
                        problems(
                                dir,
                                job("j")
                                        + trigger(
                                                "simple",
                                                "<start-time>2027-02-03T00:00:00</start-time><start-time-seconds-in-future>5</start-time-seconds-in-future>")))
                .contains("keep one of the two");
    }

    @Test
    void dataIsTrimmedAndAnEmptyValueIsNull() throws Exception {
        String data = "<job-data-map><entry><key> a </key><value><![CDATA[ <x> ]]></value></entry>"
                + "<entry><key>b</key><value/></entry></job-data-map>";
        JobSpec job = loadText(dir, job("j").replace("</job>", data + "</job>"))
                .jobs()
                .get(0);

        assertThat(job.data()).containsEntry("a", "<x>").containsEntry("b", null);
        assertThat(job.toDetail().getJobDataMap().getString("a")).isEqualTo("<x>");
    }

    @Test
    void keyTooLongToBeKeptIsRefused() {
        assertThat(problems(dir, job("n".repeat(201)))).contains("at most 200 can be kept");
        assertThat(problems(dir, job("ü".repeat(101)))).contains("at most 200 can be kept");
    }

    @Test
    void timeOfDayThatAShiftOfTheClocksSkipsIsSaid() throws Exception {
        JobCatalog catalog = loadText(dir, job("j") + cron("0 30 2 * * ?", "<time-zone>Europe/Berlin</time-zone>"));

        assertThat(catalog.warnings()).hasSize(2).first().asString().contains("2027-03-28T02:30", "does not exist");
    }

    @Test
    void digestTellsContentZoneAndNothingElse() throws Exception {
        String file = "<job-scheduling-data><schedule>" + job("a") + "</schedule></job-scheduling-data>";
        String before = loadFile(dir, file).digest();
        Loading.write(dir.resolve("renamed.xml"), file);

        assertThat(before).matches("[0-9a-f]{12}");
        assertThat(loadFile(dir, file).digest()).isEqualTo(before);
        assertThat(Loading.load(dir, ZoneOffset.UTC, "renamed.xml").digest()).isEqualTo(before);
        assertThat(Loading.load(dir, ZoneId.of("Europe/Berlin"), "renamed.xml").digest())
                .isNotEqualTo(before);
        assertThat(loadFile(dir, file.replace("name>a<", "name>b<")).digest()).isNotEqualTo(before);
    }

    @Test
    void digestTellsWhatIsRegisteredNotHowItIsWritten() throws Exception {
        String one = job("a").replace(
                        "</job>",
                        "<job-data-map><entry><key>x</key><value>1</value></entry>"
                                + "<entry><key>y</key><value>2</value></entry></job-data-map></job>");
        String other = job("a").replace(
                        "</job>",
                        "<job-data-map><entry><key>y</key><value>2</value></entry>"
                                + "<entry><key>x</key><value>1</value></entry></job-data-map></job>");
        String before = loadText(dir, one + job("b")).digest();

        assertThat(loadText(dir, "<!-- the same -->\r\n" + job("b") + "\r\n" + other)
                        .digest())
                .isEqualTo(before);
        assertThat(loadText(dir, one.replace("<value>2", "<value>3") + job("b")).digest())
                .isNotEqualTo(before);
        Loading.write(
                dir.resolve("first.xml"),
                "<job-scheduling-data><schedule>" + job("b") + "</schedule></job-scheduling-data>");
        Loading.write(
                dir.resolve("second.xml"),
                "<job-scheduling-data><schedule>" + one + "</schedule></job-scheduling-data>");
        assertThat(Loading.load(dir, ZoneOffset.UTC, "first.xml", "second.xml").digest())
                .isEqualTo(before);
    }

    /** A new field of a job or a trigger has to be digested, or be known to change nothing. */
    @Test
    void digestHasEveryFieldOfJobsAndTriggers() {
        assertThat(fields(JobSpec.class))
                .containsExactly("key", "type", "description", "durable", "recover", "data", "runs");
        assertThat(fields(TriggerSpec.class))
                .containsExactly("key", "job", "schedule", "priority", "data", "description", "misfire");
    }

    private static List<String> fields(Class<?> record) {
        return Arrays.stream(record.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    @Test
    void repeatCountIsKeptAndUnnamedPriorityIsQuartzs() throws Exception {
        TriggerSpec spec = loadText(
                        dir,
                        job("j")
                                + trigger(
                                        "simple",
                                        "<repeat-count>3</repeat-count><repeat-interval>1500</repeat-interval>"))
                .triggers()
                .get(0);

        assertThat(spec.schedule()).isEqualTo(new Schedule.Simple(Window.OPEN, 3, Duration.ofMillis(1500)));
        assertThat(spec.priority()).isEqualTo(5);
    }
}
