package io.latchkey.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.zookeeper.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is answered to a request.
 *
 * @param status of HTTP
 * @param type its content type
 * @param headers besides that
 * @param body its bytes
 */
// An array's identity matters to nobody: it is written at once.
@SuppressWarnings("ArrayRecordComponent")
record Answer(int status, String type, Map<String, String> headers, byte[] body) {
    private static final byte[] NOTHING = {};

    /** An object as JSON. */
    static Answer json(int status, Object body) {
        try {
            return new Answer(
                    status, "application/json", Map.of(), Json.mapper().writeValueAsBytes(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("Cannot be written as JSON: " + body.getClass(), e);
        }
    }

    /** The one who asks has it already. */
    static Answer notModified() {
        return new Answer(304, "", Map.of(), NOTHING);
    }

    Answer as(String other) {
        return new Answer(status, other, headers, body);
    }

    Answer with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.putAll(more);
        return new Answer(status, type, all, body);
    }
}
