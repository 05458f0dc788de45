package io.latchkey.jobs.http;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a receiver is told of the fire that a call is for. */
public final class FireHeaders {
    /** The fire's id: the same on every attempt. A receiver that has seen it has done the work. */
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    /** A receiver that has seen a higher one from the same job refuses the call. */
    public static final String FENCING_TOKEN = "Latchkey-Fencing-Token";

    public static final String ATTEMPT = "Latchkey-Attempt";
    /** UTC, ISO 8601. */
    public static final String SCHEDULED_TIME = "Latchkey-Scheduled-Time";

    public static final String JOB = "Latchkey-Job";

    private FireHeaders() {}

    public static Map<String, String> of(String fireId, Instant scheduled, long token, int attempt, String job) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(IDEMPOTENCY_KEY, encoded(fireId));
        headers.put(FENCING_TOKEN, Long.toString(token));
        headers.put(ATTEMPT, Integer.toString(attempt));
        headers.put(SCHEDULED_TIME, scheduled.toString());
        headers.put(JOB, encoded(job));
        return headers;
    }

    /** What a header cannot hold (spaces, what is not ASCII) as %XX of its UTF-8; anything else as it is. */
    static String encoded(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b > 0x20 && b < 0x7f) {
                out.append((char) b);
            } else {
                out.append(String.format("%%%02X", b & 0xff));
            }
        }
        return out.toString();
    }
}
