package io.latchkey.console;

import static io.latchkey.console.Cluster.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.ServiceInstance;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** The page in a real browser, on three instances with a thousand jobs. */
@Tag("slow")
@EnabledIf(
        value = "io.latchkey.console.Browser#isThere",
        disabledReason = "there is no chromium and chromedriver here: apt-get install chromium chromium-driver")
class PageTest {
    private static Cluster cluster;
    private static Browser browser;

    @BeforeAll
    static void start(@TempDir Path dir) throws Exception {
        StringBuilder more = new StringBuilder("""
            <job><name>broken</name><group>ops</group><job-class>com.example.jobs.FailJob</job-class>
             <durability>true</durability><recover>false</recover>
             <job-data-map><entry><key>how</key><value>RuntimeException</value></entry></job-data-map></job>
            """);
        for (int i = 0; i < 1000; i++) {
            more.append("""
                <job><name>job-%03d</name><group>many</group><job-class>com.example.jobs.StampJob</job-class>
                 <durability>true</durability><recover>false</recover>
                 <job-data-map><entry><key>log</key><value>many</value></entry></job-data-map></job>
                """.formatted(i));
        }
        cluster = new Cluster(dir, more.toString());
        browser = new Browser();
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @BeforeEach
    void asItWas() throws Exception {
        browser.screen(1280, 900);
        browser.prefers("light");
        browser.requests();
    }

    @AfterEach
    void nothingIsComplainedAboutAndNobodyElseIsAsked() throws Exception {
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.requests()).isNotEmpty().extracting(URI::getHost).containsOnly("127.0.0.1");
    }

    @Test
    void aChangeOfLeaderIsSeenAsItHappens() throws Exception {
        ServiceInstance before = cluster.leader();
        browser.open(cluster.standby().console(), "");
        browser.awaitText("#leader strong", before.id());
        browser.script("window.sameVisit = true");

        before.resign();
        patiently().until(() -> cluster.instances().stream().anyMatch(one -> one.leads() && one != before));

        browser.awaitText("#leader strong", cluster.leader().id());
        assertThat(browser.text("#leader"))
                .contains("term " + cluster.leader().term().number());
        patiently().until(() -> browser.texts("#timeline [data-kind=TERM]").size() > 1);
        assertThat(browser.script("return window.sameVisit")).isEqualTo(true);
    }

    @Test
    void aJobIsRunOnRequestAndItsOutcomeSeen() {
        browser.open(cluster.standby().console(), "#/?q=ops.wish");
        browser.awaitText("#jobs tr", "ops.wish");

        browser.click("#jobs [data-what=trigger]");
        assertThat(browser.text("#ask-title")).isEqualTo("Run ops.wish now?");
        browser.type("#token", "not-the-token-of-anybody");
        browser.press(Keys.ENTER);
        browser.awaitText(".report.bad", "no bearer token came with the request, or one that nobody has here");

        browser.click("#jobs [data-what=trigger]");
        browser.type("#token", Cluster.TOKEN);
        browser.press(Keys.ENTER);
        browser.awaitText(".report.good", "Run ops.wish: succeeded");
        browser.awaitText("#jobs tr .chip.good", "succeeded");

        browser.click("#jobs [data-what=pause]");
        assertThat(browser.texts("#token")).as("is asked for once").isEmpty();
        browser.press(Keys.ENTER);
        browser.awaitText("#jobs tr .chip.warn", "paused");
        browser.click("#jobs [data-what=resume]");
        browser.press(Keys.ESCAPE);
        assertThat(browser.texts("#ask[open]")).isEmpty();
        browser.click("#jobs [data-what=resume]");
        browser.press(Keys.ENTER);
        browser.awaitText("#jobs [data-what=pause]", "Pause");
        browser.awaitText("#audit tr", "resume ops.wish");
        assertThat(browser.script("return localStorage.length + document.cookie.length"))
                .as("a token outlives its tab nowhere")
                .isEqualTo(0L);
    }

    @Test
    void anInstanceThatTakesNoActionsSaysSoAndOneThatIsGoneIsSaidToBe() throws Exception {
        try (ServiceInstance other = cluster.withoutTokens("d")) {
            browser.open(other.console(), "");
            browser.awaitText("#jobs tr", "many.job-000");
            // The jobs may be there before the cluster says whether actions are on.
            patiently()
                    .until(() -> "Actions are off: this instance has no http.token-file"
                            .equals(browser.script("return document.querySelector('[data-what=trigger]').title")));
            browser.click("#jobs [data-what=trigger]");
            browser.awaitText(".report.bad", "Actions are off");
            assertThat(browser.texts("#ask[open]")).isEmpty();
        }

        browser.awaitText("[data-banner=gone]", "This instance does not answer");
        assertThat(browser.text("[data-banner=gone]")).containsPattern("What you see is of \\d+ s ago");
        assertThat(browser.texts("[data-banner=gone] a")).contains("a", "b", "c");
        assertThat(browser.text("#live")).contains("trying again");
    }

    @Test
    void zooKeeperOutOfReachIsABannerUntilItIsBack() throws Exception {
        browser.open(cluster.standby().console(), "");
        browser.awaitText("#live", "live");
        browser.awaitNone(".banner.bad");

        cluster.zookeeper().stop();
        try {
            browser.awaitText("[data-banner=stale]", "ZooKeeper is out of reach");
            assertThat(browser.text("[data-banner=stale]")).containsPattern("was read \\d+ s ago");
            browser.awaitText("#jobs tr", "many.job-000");
        } finally {
            cluster.zookeeper().restart();
        }

        browser.awaitNone(".banner.bad");
        browser.awaitText("#leader", "leads");
        patiently().until(() -> cluster.instances().stream().anyMatch(ServiceInstance::leads));
    }

    @Test
    void whatMustBeSeenAtOnceIsABanner() throws Exception {
        browser.open(cluster.standby().console(), "");
        browser.awaitText("#live", "live");

        assertThat(banners("led: false", "")).contains("Nobody leads");
        assertThat(banners("led: true", "severalSince: 1,")).contains("2 instances say that they lead");
        assertThat(banners("led: true, confDiffers: ['b']", "")).contains("Configurations differ");
        assertThat(banners("led: true", "")).isEmpty();
    }

    private static String banners(String cluster, String state) throws Exception {
        JsonNode titles = browser.call("cluster.js", """
            m => m.banners({%s cluster: {stale: false, answeredBy: "a", cluster: {notes: [], %s,
                    instances: [{id: "a", role: "leading"}, {id: "b", role: "leading"}]}}}, {up: true})
                .map(one => one.title).join()
            """.formatted(state, cluster));
        return titles.asText();
    }

    @Test
    void aHostileNameIsText() {
        browser.open(cluster.standby().console(), "#/?q=alert(1)");
        browser.awaitText("#jobs td a", "<script>alert(1)<");
        assertThat(browser.text("#jobs td a")).contains("\\u202e").doesNotContain("\u202e");

        browser.click("#jobs td a");
        browser.awaitText("#job-title", "<script>alert(1)<");
        browser.awaitText("#job dd", "com.example.jobs.StampJob");
        assertThat(browser.script("return document.scripts.length")).isEqualTo(2L);
        browser.click("#job [data-what=trigger]");
        assertThat(browser.text("#ask-title")).contains("<script>alert(1)<");
        browser.press(Keys.ESCAPE);
    }

    @Test
    void aFailureIsReadOnTheJobsPage() throws Exception {
        cluster.act(cluster.standby(), "/api/v1/actions/trigger", "{\"job\":\"ops.broken\"}");
        browser.open(cluster.standby().console(), "#/job/ops.broken");

        browser.awaitText("#job .history .chip.bad", "failed");
        browser.awaitText("#job .history .problem", "failing as asked");
        browser.open(cluster.standby().console(), "#/job/ops.nightly");
        browser.awaitText("#job td", "0 30 2 1 1 ?");
        browser.click("#job details summary");
        patiently().until(() -> browser.texts("#job .times li").size() == 9);
    }

    @Test
    void keysLeadThroughTheTimeline() {
        browser.open(cluster.standby().console(), "#/?q=tick");
        patiently().until(() -> browser.texts("#timeline [data-kind=SUCCEEDED]").size() > 0);
        browser.press(Keys.TAB);
        assertThat(browser.script("return document.activeElement.className")).isEqualTo("skip");
        for (int i = 0; i < 30 && !onTimeline(); i++) {
            browser.press(Keys.TAB);
        }
        assertThat(onTimeline()).isTrue();

        browser.press(Keys.ARROW_UP);
        browser.awaitText("#timeline-details", "led term");
        browser.press(Keys.ARROW_DOWN);
        browser.awaitText("#timeline-details", "ops.tick");
        browser.press(Keys.END);
        browser.press(Keys.HOME);
        browser.awaitText("#timeline-details", "ops.tick");
        browser.click("#timeline-table summary");
        browser.awaitText("#timeline-table td", "ops.tick");
        browser.script("document.querySelector('#timeline svg').focus()");
        browser.press(Keys.ENTER);
        browser.awaitText("#job-title", "ops.tick");
    }

    private static boolean onTimeline() {
        return Boolean.TRUE.equals(browser.script("return document.activeElement.matches('#timeline svg')"));
    }

    @Test
    void aPhoneScrollsDownwardsAlone() {
        browser.screen(360, 740);
        for (String hash : new String[] {"", "#/job/ops.tick"}) {
            browser.open(cluster.standby().console(), hash);
            browser.awaitText(
                    hash.isEmpty() ? "#jobs tr" : "#job .history tr", hash.isEmpty() ? "many.job-000" : "succeeded");
            patiently()
                    .until(() -> !browser.texts(hash.isEmpty() ? "#timeline svg" : "#job-title")
                            .isEmpty());
            assertThat(browser.script("return document.documentElement.scrollWidth"))
                    .as(hash)
                    .isEqualTo(360L);
        }
    }

    @Test
    void amongAThousandJobsOneIsFound() {
        browser.open(cluster.standby().console(), "");
        browser.awaitText("#pages", "of 1,005 jobs");
        assertThat(browser.texts("#jobs tbody tr")).hasSize(50);
        browser.click("#pages [aria-label='Last page']");
        browser.awaitText("#pages", "1,001–1,005 of");
        browser.press("/");
        browser.press("JOB-73");
        browser.awaitText("#pages", "of 10 jobs");
        assertThat(browser.texts("#jobs tbody tr")).hasSize(10);
        assertThat((String) browser.script("return location.hash")).isEqualTo("#/?q=JOB-73");
        browser.click("#state option[value=paused]");
        browser.awaitText("#jobs", "No job is like that");
    }

    @Test
    void darkColoursFollowTheSystemUntilChosen() {
        browser.prefers("dark");
        browser.open(cluster.standby().console(), "");
        browser.awaitText("#theme", "Light");
        assertThat(background()).isEqualTo("rgb(17, 21, 26)");
        try {
            browser.click("#theme");
            assertThat(background()).isEqualTo("rgb(244, 245, 247)");
            browser.reload();
            browser.awaitText("#theme", "Dark");
            assertThat(background()).isEqualTo("rgb(244, 245, 247)");
        } finally {
            browser.script("localStorage.clear()");
        }
    }

    private static @Nullable Object background() {
        return browser.script("return getComputedStyle(document.body).backgroundColor");
    }
}
