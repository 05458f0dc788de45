package io.latchkey.jobs.http;

import io.latchkey.conf.Durations;
import io.latchkey.jobs.data.BadDataException;
import io.latchkey.jobs.data.DataProblem;
import io.latchkey.jobs.data.DataReader;
import io.latchkey.jobs.data.Numbers;
import io.latchkey.jobs.http.HttpCall.Manner;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The job data of an HTTP job, by its keys.
 *
 * @param call what to call
 * @param expected the statuses that count as done
 */
public record HttpData(HttpCall call, Numbers expected) {
    /** Where to: http or https. May hold references, see {@link Template}. */
    public static final String URL = "url";
    /** Default: GET, or POST where there is a body. */
    public static final String METHOD = "method";
    /** With a name: a header. Its value may hold references. */
    public static final String HEADER = "header.";
    /** What to send; may hold references. Either this or {@link #BODY_FILE}. */
    public static final String BODY = "body";
    /** An absolute path of a file to send as it is. */
    public static final String BODY_FILE = "body-file";
    /** Default: 10s. */
    public static final String CONNECT_TIMEOUT = "connect-timeout";
    /** For all of a call. Default: 60s. */
    public static final String TIMEOUT = "timeout";
    /** Such as {@code 200,204}, {@code 200-299} or {@code 2xx,404}. Default: 2xx. */
    public static final String EXPECTED_STATUS = "expected-status";
    /** {@code never}, the default, or {@code follow}. */
    public static final String REDIRECTS = "redirects";
    /** An absolute path: certificates to trust in place of the JDK's, PEM, PKCS#12 or JKS. */
    public static final String TRUST_STORE = "trust-store";
    /** May hold references. */
    public static final String TRUST_STORE_PASSWORD = "trust-store-password";

    private static final List<String> KNOWN = List.of(
            URL,
            METHOD,
            HEADER + "NAME",
            BODY,
            BODY_FILE,
            CONNECT_TIMEOUT,
            TIMEOUT,
            EXPECTED_STATUS,
            REDIRECTS,
            TRUST_STORE,
            TRUST_STORE_PASSWORD);
    private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    /** What is wrong with the data of an HTTP job; empty if it can run. No secret is looked up. */
    public static List<DataProblem> check(Map<String, ? extends @Nullable Object> data) {
        DataReader reader = new DataReader(data, KNOWN);
        read(reader);
        return reader.problems();
    }

    /**
     * Reads and checks the data of a job.
     *
     * @throws BadDataException if anything is wrong
     */
    public static HttpData of(Map<String, ? extends @Nullable Object> data) throws BadDataException {
        DataReader reader = new DataReader(data, KNOWN);
        HttpData read = read(reader);
        return reader.complete(() -> read);
    }

    private static HttpData read(DataReader reader) {
        if (!reader.has(URL)) {
            reader.problem(URL, "is missing", "write where to call, such as https://host/path");
        }
        Template url = reader.readHidden(URL, HttpData::url).orElse(Template.plain(""));
        Template body = reader.readHidden(BODY, Template::parse).orElse(null);
        Path bodyFile = reader.read(BODY_FILE, HttpData::path).orElse(null);
        if (body != null && bodyFile != null) {
            reader.problem(BODY_FILE, "is given beside body", "keep one of the two");
        }
        String method = reader.read(METHOD, HttpData::method).orElse(body != null || bodyFile != null ? "POST" : "GET");
        Manner manner = new Manner(
                reader.read(CONNECT_TIMEOUT, HttpData::timeout).orElse(Manner.DEFAULT.connectTimeout()),
                reader.read(TIMEOUT, HttpData::timeout).orElse(Manner.DEFAULT.timeout()),
                reader.read(REDIRECTS, HttpData::redirects).orElse(Manner.DEFAULT.followRedirects()),
                reader.read(TRUST_STORE, HttpData::path).orElse(null),
                reader.readHidden(TRUST_STORE_PASSWORD, Template::parse).orElse(null));
        Numbers expected = reader.read(EXPECTED_STATUS, text -> Numbers.parse(text, 100, 599))
                .orElseGet(() -> Numbers.parse("2xx", 100, 599));
        return new HttpData(new HttpCall(method, url, headers(reader), body, bodyFile, manner), expected);
    }

    private static Map<String, Template> headers(DataReader reader) {
        Map<String, Template> headers = new LinkedHashMap<>();
        for (String name : reader.below(HEADER).keySet()) {
            String key = HEADER + name;
            if (!HttpRules.isToken(name)) {
                reader.problem(key, "is no name of a header", "use letters, digits and hyphens");
            } else if (HttpRules.isTheClients(name)) {
                reader.problem(key, "is a header that the client sets itself", "leave it out");
            } else if (HttpRules.isTheFires(name)) {
                reader.problem(key, "is a header that each run sets itself", "leave it out");
            } else {
                reader.readHidden(key, HttpData::headerValue).ifPresent(value -> headers.put(name, value));
            }
        }
        return headers;
    }

    private static Template headerValue(String text) {
        Template value = Template.parse(text.strip());
        if (!HttpRules.isValue(value.with(""))) {
            throw new IllegalArgumentException("has a line end, another control character or one that is not ASCII:"
                    + " a header cannot hold it, take it out");
        }
        return value;
    }

    private static Template url(String text) {
        Template url = Template.parse(text.strip());
        if (url.beginsWithReference()) {
            // All of it may be the secret; it is looked at when it is called.
            return url;
        }
        try {
            URI uri = new URI(url.with("x"));
            String wrong = HttpRules.wrongWith(uri);
            if (wrong != null) {
                throw new IllegalArgumentException(
                        wrong + ": write https://host/path; a login goes into" + " header.Authorization, by reference");
            }
            return url;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "is no URL (" + e.getReason() + " at character " + (e.getIndex() + 1)
                            + "): write https://host/path, with other characters as %20 and the like",
                    e);
        }
    }

    private static String method(String text) {
        String method = text.strip().toUpperCase(Locale.ROOT);
        if (!HttpRules.isToken(method) || method.equals("CONNECT")) {
            throw new IllegalArgumentException("is no method: write GET, POST, PUT, PATCH, DELETE or HEAD");
        }
        return method;
    }

    private static boolean redirects(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "never" -> false;
            case "follow" -> true;
            default -> throw new IllegalArgumentException("is neither never nor follow: write one of them");
        };
    }

    private static Path path(String text) {
        Path path = Path.of(text.strip());
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("is no absolute path: write it from the root, beginning with /");
        }
        return path;
    }

    private static Duration timeout(String text) {
        Duration timeout = Durations.parse(text.strip());
        if (timeout.isZero() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "is not between 1ms and " + Durations.format(MAX_TIMEOUT) + ": write a duration in between");
        }
        return timeout;
    }
}
