package io.latchkey.jobs;

import static io.latchkey.jobs.Loading.problems;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the built-in jobs say about their data before anything runs, with place and remedy. */
class BuiltInDataTest {
    @TempDir
    Path dir;

    @Test
    void misspelledKeyIsRefusedAtItsPlaceWithANearOne() {
        assertThat(problems(dir, """
            <job><name>j</name><job-class>io.latchkey.jobs.ShellJob</job-class><job-data-map>
            <entry><key>comand</key><value>true</value></entry>
            </job-data-map></job>\
            """))
                .contains(
                        "jobs.xml:4:1: job DEFAULT.j: job data \"comand\" is unknown; did you mean \"command\"?",
                        "jobs.xml:3:1: job DEFAULT.j: job data \"command\" is missing; write the line to run");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "command=|command\" is empty",
                "command=x,argument.0=y|\"command\" is given beside argument.0",
                "argument.1=x|\"argument.0\" is missing; number the words from 0",
                "argument.0=x,argument.2=y|\"argument.1\" is missing",
                "argument.0=x,argument.00=y|\"argument.00\" has no number after the dot",
                "argument.0=|\"argument.0\" is empty",
                "command=x,enviroment.A=1|\"enviroment.A\" is unknown; did you mean \"environment.A\"?",
                "command=x,environment.1A=1|\"environment.1A\" is no name of a variable",
                "command=x,environment.LATCHKEY_JOB=1|\"environment.LATCHKEY_JOB\" is set by each run itself",
                "command=x,directory=work|\"directory\" \"work\" is no absolute path; write it from the root",
                "command=x,kill-grace=5|\"kill-grace\" \"5\" has no unit; write 5s for seconds",
                "command=x,kill-grace=2d|\"kill-grace\" \"2d\" is too long; write at most 1h",
                "command=x,success-exit-codes=0;3|\"success-exit-codes\" \"0;3\" has \"0;3\", no number and no range",
                "command=x,success-exit-codes=256|\"success-exit-codes\" \"256\" has \"256\"; write numbers from 0 to"
                        + " 255",
                "command=x,success-exit-codes=9-3|the lower first",
                "command=x,inherit=A B|has \"A B\", no name of a variable",
                "command=x,timeout=5s|\"timeout\" is unknown; known are: command, argument.N",
            })
    void shellDataAreRefused(String data, String problem) {
        assertThat(problems(dir, job("ShellJob", data))).contains("jobs.xml:", "job DEFAULT.j", problem);
        assertThat(problems(dir, job("SingleShellJob", data))).contains(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "method=GET|\"url\" is missing",
                "url=ftp://host/|\"url\" does not begin with http:// or https://",
                "url=http:///x|\"url\" names no host",
                "url=http://me:t0p@host/|\"url\" has a login in it",
                "url=http://host/a b|\"url\" is no URL (Illegal character in path at character 14)",
                "url=http://host/${evn:T}|\"url\" has a \"${\" that begins no reference; write ${env:NAME}",
                "url=http://host/,header.X=${file:key}|refers to the file \"key\"; write its absolute path",
                "url=http://host/,header.X=${env:A B}|refers to \"A B\", no name of a variable",
                "url=http://host/,header.X=caf\u00e9|\"header.X\" has a line end, another control character or one",
                "url=http://host/,header.X Y=1|\"header.X Y\" is no name of a header",
                "url=http://host/,header.Host=h|\"header.Host\" is a header that the client sets itself",
                "url=http://host/,header.idempotency-key=1|is a header that each run sets itself",
                "url=http://host/,heder.X=1|\"heder.X\" is unknown; did you mean \"header.X\"?",
                "url=http://host/,body=a,body-file=/b|\"body-file\" is given beside body",
                "url=http://host/,body-file=b|\"body-file\" \"b\" is no absolute path",
                "url=http://host/,expected-status=2x|has \"2x\", no number and no range",
                "url=http://host/,expected-status=99|write numbers from 100 to 599",
                "url=http://host/,redirects=yes|\"redirects\" \"yes\" is neither never nor follow",
                "url=http://host/,timeout=0s|\"timeout\" \"0s\" is not between 1ms and 1d",
                "url=http://host/,connect-timout=1s|did you mean \"connect-timeout\"?",
                "url=http://host/,method=G T|is no method",
            })
    void httpDataAreRefused(String data, String problem) {
        assertThat(problems(dir, job("HttpJob", data)))
                .contains("jobs.xml:", "job DEFAULT.j", problem)
                .doesNotContain("t0p");
        assertThat(problems(dir, job("SingleHttpJob", data))).contains(problem);
    }

    @Test
    void whatEachTriggerSaysCountsIn() throws Exception {
        String good = "<job><name>j</name><job-class>io.latchkey.jobs.ShellJob</job-class></job>"
                + trigger("a", "command", "true");

        assertThat(Loading.loadText(dir, good).jobs()).hasSize(1);
        assertThat(problems(dir, good + trigger("b", "comand", "true")))
                .contains("job data \"comand\" is unknown", "job data \"command\" is missing");
    }

    @Test
    void goodDataAreTaken() throws Exception {
        Loading.loadText(
                dir,
                job(
                        "ShellJob",
                        "argument.0=/bin/echo,argument.1=,directory=/tmp,environment.A_1=,inherit=B,"
                                + "success-exit-codes=0-2,kill-grace=0s,latchkey.timeout=5m"));
        Loading.loadText(
                dir,
                job(
                        "HttpJob",
                        "url=https://host:8443/p?k=${env:K},header.Authorization=Bearer"
                                + " ${file:/run/t},method=patch,body=x,expected-status=2xx"));
        Loading.loadText(dir, job("HttpJob", "url=${file:/run/url},redirects=follow"));
    }

    @Test
    void readmesShellJobAndTheOneInTheShippedFileLoad() throws Exception {
        String readme = Files.readString(Path.of("README.md"));
        String xml = readme.substring(readme.indexOf("```xml\n<job>\n") + "```xml\n".length());
        assertThat(Loading.loadText(dir, xml.substring(0, xml.indexOf("```"))).jobs())
                .singleElement()
                .extracting(JobSpec::type)
                .isEqualTo(SingleShellJob.class);

        String shipped = Files.readString(Path.of("conf/jobs.xml"));
        String example = shipped.substring(shipped.indexOf("<!-- EXAMPLE\n") + "<!-- EXAMPLE\n".length());
        assertThat(Loading.loadText(dir, example.substring(0, example.indexOf("-->")))
                        .jobs())
                .extracting(JobSpec::type)
                .contains(SingleShellJob.class, HttpJob.class);
    }

    @Test
    void shortNameOfABuiltInJobIsSuggestedInFull() {
        assertThat(problems(dir, "<job><name>b</name><job-class>HttpJob</job-class></job>"))
                .contains("did you mean io.latchkey.jobs.HttpJob?");
    }

    @Test
    void authorsJobsMayHaveAnyData() {
        assertThat(JobDataChecks.check(GreetJob.class, Map.of("comand", "x"))).isEmpty();
    }

    /** A job "j" with data written as {@code key=value,key=value}. */
    private static String job(String type, String data) {
        String entries = java.util.Arrays.stream(data.split(",(?=[a-z-]+[.=])", -1))
                .map(entry -> entry.split("=", 2))
                .map(entry -> "<entry><key>" + entry[0] + "</key><value>" + entry[1] + "</value></entry>")
                .collect(Collectors.joining("\n"));
        return "<job><name>j</name><job-class>io.latchkey.jobs." + type + "</job-class><job-data-map>" + entries
                + "</job-data-map></job>";
    }

    private static String trigger(String name, String key, String value) {
        return Loading.trigger(
                        "cron",
                        "<cron-expression>0 0 6 * * ?</cron-expression><job-data-map><entry><key>" + key
                                + "</key><value>" + value + "</value></entry></job-data-map>")
                .replace("<name>t<", "<name>" + name + "<");
    }
}
