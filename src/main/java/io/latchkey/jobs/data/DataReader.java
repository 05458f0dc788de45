package io.latchkey.jobs.data;

import io.latchkey.conf.Suggestions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the data of one job, entry by entry. Reading never fails: what is wrong becomes a problem, and the entry counts as
 * absent, so that all problems are found at once. Used by one thread.
 */
public final class DataReader {
    /** Keys with this beginning belong to the scheduler, whatever the job; they are not looked at here. */
    private static final String SCHEDULERS = "latchkey.";

    private final Map<String, ?> data;
    private final List<DataProblem> problems = new ArrayList<>();

    /**
     * @param data as Quartz has it: a value may be null where the file has an empty one
     * @param known every key there is; one that ends in a dot and a word in capitals ({@code header.NAME}) stands for all
     *     that begin with what is before that
     */
    public DataReader(Map<String, ? extends @Nullable Object> data, List<String> known) {
        this.data = data;
        data.keySet().forEach(key -> checkKnown(key, known));
    }

    private void checkKnown(String key, List<String> known) {
        if (key.startsWith(SCHEDULERS) || known.contains(key)) {
            return;
        }
        int dot = key.indexOf('.');
        if (dot > 0) {
            String head = key.substring(0, dot + 1);
            List<String> heads = known.stream()
                    .filter(name -> name.contains("."))
                    .map(name -> name.substring(0, name.indexOf('.') + 1))
                    .toList();
            if (heads.contains(head) && key.length() > head.length()) {
                return;
            }
            Optional<String> near = Suggestions.nearest(head, heads);
            if (near.isPresent()) {
                problem(key, "is unknown", "did you mean \"" + near.get() + key.substring(dot + 1) + "\"?");
                return;
            }
        }
        problem(key, "is unknown", Suggestions.didYouMean(key, known, "known are: " + String.join(", ", known)));
    }

    public void problem(String key, String message, String remedy) {
        problems.add(new DataProblem(key, message, remedy));
    }

    /** Whether the key is there, even if its value is empty. */
    public boolean has(String key) {
        return data.containsKey(key);
    }

    /** The text; empty if the key is absent, or present with nothing. */
    public Optional<String> text(String key) {
        Object value = data.get(key);
        return value == null || value.toString().isBlank() ? Optional.empty() : Optional.of(value.toString());
    }

    /**
     * What {@code read} makes of the text. An {@link IllegalArgumentException} of it becomes a problem; its message is what
     * is wrong, a colon, and the remedy.
     */
    public <T> Optional<T> read(String key, Function<String, T> read) {
        return read(key, read, true);
    }

    /** The same, for a value that may have a secret in it: the problem does not show it. */
    public <T> Optional<T> readHidden(String key, Function<String, T> read) {
        return read(key, read, false);
    }

    private <T> Optional<T> read(String key, Function<String, T> read, boolean show) {
        Optional<String> text = text(key);
        if (text.isEmpty()) {
            if (has(key)) {
                problem(key, "is empty", "give it a value, or leave it out");
            }
            return Optional.empty();
        }
        try {
            return text.map(read);
        } catch (IllegalArgumentException e) {
            String rule = String.valueOf(e.getMessage());
            int remedy = rule.indexOf(": ");
            problem(
                    key,
                    (show ? "\"" + text.get() + "\" " : "") + (remedy < 0 ? rule : rule.substring(0, remedy)),
                    remedy < 0 ? "correct it" : rule.substring(remedy + 2));
            return Optional.empty();
        }
    }

    /** The entries that begin with {@code head}, by the rest of their keys, sorted; an empty value is an empty text. */
    public Map<String, String> below(String head) {
        Map<String, String> below = new TreeMap<>();
        data.forEach((key, value) -> {
            if (key.startsWith(head) && key.length() > head.length()) {
                below.put(key.substring(head.length()), value == null ? "" : value.toString());
            }
        });
        return new LinkedHashMap<>(below);
    }

    public List<DataProblem> problems() {
        return List.copyOf(problems);
    }

    /**
     * What {@code result} gives, if nothing is wrong.
     *
     * @throws BadDataException if something is; nothing is then made
     */
    public <T> T complete(Supplier<T> result) throws BadDataException {
        if (!problems.isEmpty()) {
            throw new BadDataException(problems);
        }
        return result.get();
    }
}
