package io.latchkey.console;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The page for people at {@code /}, and the files it is made of. They are named one by one here, and read once: what is
 * asked for leads to no file.
 */
final class Page {
    static final List<String> FILES = List.of(
            "style.css",
            "icon.svg",
            "theme.js",
            "app.js",
            "dom.js",
            "format.js",
            "api.js",
            "live.js",
            "actions.js",
            "cluster.js",
            "jobs.js",
            "job.js",
            "marks.js",
            "timeline.js");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    private Page() {}

    static void addTo(Routes routes) {
        routes.get("/", file("index.html"));
        FILES.forEach(name -> routes.get("/page/" + name, file(name)));
    }

    private static Endpoint file(String name) {
        byte[] bytes = read(name);
        String tag = '"' + Snapshots.digest(bytes) + '"';
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalStateException("What is " + name + "?");
        }
        Answer whole = new Answer(200, type, Map.of("ETag", tag), bytes);
        Answer same = Answer.notModified().with(Map.of("ETag", tag));
        return call -> {
            call.only(Set.of());
            boolean known = call.header()
                    .apply("If-None-Match")
                    .map(given -> Arrays.asList(given.split(",\\s*")).contains(tag))
                    .orElse(false);
            return CompletableFuture.completedFuture(known ? same : whole);
        };
    }

    private static byte[] read(String name) {
        try (InputStream in = Page.class.getResourceAsStream("page/" + name)) {
            if (in == null) {
                throw new IllegalStateException("The jar has no page/" + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("The jar's page/" + name + " cannot be read", e);
        }
    }
}
