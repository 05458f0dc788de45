package io.latchkey.jobs.http;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to call, and how. Immutable; shows no secret.
 *
 * @param method in capitals
 * @param body null for none, or that of {@code bodyFile}
 * @param bodyFile absolute, sent as it is; null for none
 */
public record HttpCall(
        String method,
        Template url,
        Map<String, Template> headers,
        @Nullable Template body,
        @Nullable Path bodyFile,
        Manner manner) {
    public HttpCall {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /**
     * How a call is made.
     *
     * @param timeout for all of it, with the answer's body and all redirects
     * @param followRedirects never from https to http; to another host without any header, secret or body of the call's
     * @param trustStore certificates to trust in place of the JDK's, PEM, PKCS#12 or JKS; null for the JDK's
     * @param trustStorePassword null for none
     */
    public record Manner(
            Duration connectTimeout,
            Duration timeout,
            boolean followRedirects,
            @Nullable Path trustStore,
            @Nullable Template trustStorePassword) {
        /** What is so where nobody says anything. */
        public static final Manner DEFAULT =
                new Manner(Duration.ofSeconds(10), Duration.ofSeconds(60), false, null, null);
    }

    /** A POST of a JSON text, with defaults for all else. */
    public static HttpCall postJson(Template url, String json) {
        return new HttpCall(
                "POST",
                url,
                Map.of("Content-Type", Template.plain("application/json; charset=utf-8")),
                Template.plain(json),
                null,
                Manner.DEFAULT);
    }

    /** What to call it where it is shown: method and URL, without query. */
    public String shown() {
        return method + " " + url.toString().replaceAll("\\?.*", "");
    }
}
