package io.latchkey.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.latchkey.zookeeper.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The form of all answers of the API: what was asked for, with how old it is, and its version as ETag. */
final class Answers {
    private Answers() {}

    /**
     * An object's fields, after those that say how old it is.
     *
     * @param version changes when the object does
     */
    static Answer of(Call call, Seen<?> seen, Object body, String version) {
        String tag = '"' + version + (seen.stale() ? "-stale" : "") + '"';
        // What the one who asks may use again, but only if it is still so.
        Map<String, String> headers = Map.of("ETag", tag);
        if (call.header()
                .apply("If-None-Match")
                .map(given -> Arrays.stream(given.split(","))
                        .map(one -> one.strip().replaceFirst("^W/", ""))
                        .anyMatch(one -> one.equals("*") || one.equals(tag)))
                .orElse(false)) {
            return Answer.notModified().with(headers);
        }
        ObjectNode out = Json.mapper().createObjectNode();
        out.put("asOf", seen.asOf().toString());
        out.put("ageMillis", seen.ageMillis());
        out.put("stale", seen.stale());
        if (seen.stale()) {
            out.put("trouble", seen.trouble());
        }
        out.put("version", version);
        out.setAll((ObjectNode) Json.mapper().valueToTree(body));
        return Answer.json(200, out).with(headers);
    }

    /** The same, where the version is the object's own digest. */
    static Answer of(Call call, Seen<?> seen, Object body) {
        return of(call, seen, body, Snapshots.digest(Json.write(body)));
    }

    /** One page of a list. */
    static <T> List<T> page(List<T> all, int offset, int limit) {
        int from = Math.min(offset, all.size());
        return all.subList(from, Math.min(all.size(), from + limit));
    }
}
