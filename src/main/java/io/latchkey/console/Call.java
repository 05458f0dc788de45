package io.latchkey.console;

import io.latchkey.console.Problem.ProblemException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A request as endpoints see it: decoded, and bounded in every part. Nothing in it can be trusted.
 *
 * @param method such as GET
 * @param path the values of the route's variables
 * @param query the parameters, each with its values
 * @param header the first value of a header by its name
 * @param body empty without one
 * @param operator who acts, of a POST; empty otherwise
 */
// An array's identity matters to nobody: it is parsed at once.
@SuppressWarnings("ArrayRecordComponent")
record Call(
        String method,
        Map<String, String> path,
        Map<String, List<String>> query,
        Function<String, Optional<String>> header,
        byte[] body,
        String operator) {

    /** A variable of the route. */
    String variable(String name) {
        String value = path.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The route has no variable " + name);
        }
        return value;
    }

    /**
     * The parameters that there may be.
     *
     * @throws ProblemException if there is another, or one twice: it would silently mean nothing
     */
    void only(Set<String> names) throws ProblemException {
        for (Map.Entry<String, List<String>> given : query.entrySet()) {
            if (!names.contains(given.getKey())) {
                throw Problem.badRequest(
                                "there is no parameter \"" + given.getKey() + "\" here",
                                names.isEmpty()
                                        ? "leave it out"
                                        : "these are: " + String.join(", ", new TreeSet<>(names)))
                        .asException();
            }
            if (given.getValue().size() > 1) {
                throw Problem.badRequest("the parameter \"" + given.getKey() + "\" is given twice", "give it once")
                        .asException();
            }
        }
    }

    /** A parameter; empty if it is not given. */
    Optional<String> parameter(String name) {
        return Optional.ofNullable(query.get(name)).map(values -> values.get(0));
    }

    /** A whole number within bounds. */
    int number(String name, int otherwise, int min, int max) throws ProblemException {
        Optional<String> given = parameter(name);
        if (given.isEmpty()) {
            return otherwise;
        }
        if (given.get().matches("\\d{1,9}")) {
            int value = Integer.parseInt(given.get());
            if (value >= min && value <= max) {
                return value;
            }
        }
        throw Problem.badRequest(
                        "\"" + given.get() + "\" is no " + name, "give a whole number from " + min + " to " + max)
                .asException();
    }

    /** An instant. */
    Optional<Instant> instant(String name) throws ProblemException {
        Optional<String> given = parameter(name);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(given.get()));
        } catch (DateTimeException e) {
            throw Problem.badRequest("\"" + given.get() + "\" is no instant", "write it as 2026-11-29T12:00:00Z")
                    .asException();
        }
    }

    /** One of an enumeration's names, in any case. */
    <E extends Enum<E>> Optional<E> oneOf(String name, Class<E> type) throws ProblemException {
        Optional<String> given = parameter(name);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(given.get())) {
                return Optional.of(constant);
            }
        }
        throw Problem.badRequest(
                        "\"" + given.get() + "\" is no " + name, "give one of " + List.of(type.getEnumConstants()))
                .asException();
    }
}
