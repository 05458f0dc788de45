package io.latchkey.console;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which endpoint answers what. Filled before it is used; then immutable. */
final class Routes {
    private final List<Route> all = new ArrayList<>();

    /**
     * A method and a path.
     *
     * @param template its segments; one in braces is a variable
     */
    record Route(String method, List<String> template, Endpoint endpoint) {
        String path() {
            return "/" + String.join("/", template);
        }

        Optional<Map<String, String>> match(List<String> segments) {
            if (segments.size() != template.size()) {
                return Optional.empty();
            }
            Map<String, String> variables = new LinkedHashMap<>();
            for (int i = 0; i < template.size(); i++) {
                String part = template.get(i);
                if (part.startsWith("{")) {
                    variables.put(part.substring(1, part.length() - 1), segments.get(i));
                } else if (!part.equals(segments.get(i))) {
                    return Optional.empty();
                }
            }
            return Optional.of(variables);
        }
    }

    /** What was found for a path. */
    record Found(Endpoint endpoint, Map<String, String> variables) {}

    Routes get(String path, Endpoint endpoint) {
        return add("GET", path, endpoint);
    }

    Routes post(String path, Endpoint endpoint) {
        return add("POST", path, endpoint);
    }

    private Routes add(String method, String path, Endpoint endpoint) {
        String[] segments = path.substring(1).split("/", -1);
        all.add(new Route(method, List.of(segments), endpoint));
        return this;
    }

    List<Route> all() {
        return List.copyOf(all);
    }

    /** The endpoint of a path, if it has one for that method. */
    Optional<Found> find(String method, List<String> segments) {
        for (Route route : all) {
            Optional<Map<String, String>> variables = route.match(segments);
            if (route.method().equals(method) && variables.isPresent()) {
                return variables.map(found -> new Found(route.endpoint(), found));
            }
        }
        return Optional.empty();
    }

    /** The methods that a path has; none if there is no such path. */
    Set<String> methods(List<String> segments) {
        Set<String> methods = new LinkedHashSet<>();
        for (Route route : all) {
            if (route.match(segments).isPresent()) {
                methods.add(route.method());
            }
        }
        return methods;
    }
}
