package io.latchkey.console;

import static io.latchkey.console.Cluster.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.zookeeper.Json;
import java.io.File;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.ElementClickInterceptedException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The machine's own Chromium, without a screen. What it complains about and whom it asks is kept. */
final class Browser implements AutoCloseable {
    private final ChromeDriver driver;

    Browser() {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium").orElseThrow());
        options.setCapability("goog:loggingPrefs", logs);
        // Without a sandbox, for it has none for root; it sees pages of the tests alone.
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run");
        // Both programs are named: nothing is looked for, and nothing downloaded.
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(program("chromedriver").orElseThrow())
                        .usingAnyFreePort()
                        .build(),
                options);
        screen(1280, 900);
    }

    /** Whether this machine has what it takes. */
    static boolean isThere() {
        return program("chromium").isPresent() && program("chromedriver").isPresent();
    }

    private static Optional<File> program(String name) {
        return Arrays.stream(Objects.requireNonNullElse(System.getenv("PATH"), "/usr/bin")
                        .split(File.pathSeparator))
                .map(dir -> new File(dir, name))
                .filter(File::canExecute)
                .findFirst();
    }

    /** Opens an address, as if typed by somebody who was not here before. */
    void open(URI console, String hash) {
        driver.get("about:blank");
        driver.get(console + "/" + hash);
    }

    void reload() {
        driver.navigate().refresh();
    }

    void screen(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    void prefers(String colours) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
    }

    /** What a selector finds, each by its text; as a person would read it. */
    @SuppressWarnings("unchecked")
    List<String> texts(String css) {
        return (List<String>) Objects.requireNonNull(driver.executeScript(
                "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).map(e =>"
                        + " e.textContent)",
                css));
    }

    /** The text of the first that a selector finds; empty without one. */
    String text(String css) {
        return texts(css).stream().findFirst().orElse("");
    }

    void awaitText(String css, String part) {
        patiently().untilAsserted(() -> assertThat(texts(css)).as(css).anyMatch(text -> text.contains(part)));
    }

    void awaitNone(String css) {
        patiently().until(() -> texts(css).isEmpty());
    }

    /** Clicks once it is there, and again if it was drawn anew or moved meanwhile. */
    void click(String css) {
        patiently().ignoreExceptionsMatching(Browser::moved).until(() -> {
            List<WebElement> found = driver.findElements(By.cssSelector(css));
            if (found.isEmpty()) {
                return false;
            }
            found.get(0).click();
            return true;
        });
    }

    private static boolean moved(Throwable failure) {
        return failure instanceof StaleElementReferenceException || failure instanceof ElementClickInterceptedException;
    }

    void type(String css, String text) {
        WebElement field = driver.findElement(By.cssSelector(css));
        field.sendKeys(Keys.chord(Keys.CONTROL, "a"), text);
    }

    /** Presses keys wherever the focus is. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    @Nullable
    Object script(String javascript, Object... arguments) {
        return driver.executeScript(javascript, arguments);
    }

    /** Calls a function of one of the page's modules, with values in JSON; what it returns, as JSON. */
    JsonNode call(String module, String expression) throws Exception {
        Object answer = driver.executeAsyncScript("""
            const done = arguments[arguments.length - 1];
            import(new URL("page/" + arguments[0], location.origin))
                .then(module => done(JSON.stringify((%s)(module))), failure => done(JSON.stringify(String(failure))));
            """.formatted(expression), module);
        return Json.mapper().readTree(String.valueOf(answer));
    }

    /**
     * What the browser complained about since it was asked last, but for answers that are no success and for instances that
     * are gone: those the page handles.
     */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .filter(message -> !message.contains("Failed to load resource") && !message.contains("net::ERR_"))
                .toList();
    }

    /** The addresses that pages asked for since they were asked for last. */
    List<URI> requests() throws Exception {
        List<URI> out = new ArrayList<>();
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            JsonNode message = Json.mapper().readTree(entry.getMessage()).path("message");
            if (message.path("method").asText().equals("Network.requestWillBeSent")) {
                out.add(URI.create(
                        message.path("params").path("request").path("url").asText()));
            }
        }
        return out;
    }

    @Override
    public void close() {
        driver.quit();
    }
}
