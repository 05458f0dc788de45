package io.latchkey.cli;

import io.latchkey.conf.Suggestions;
import io.latchkey.ledger.KeyText;
import io.latchkey.lifecycle.ExitCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.quartz.utils.Key;

/** Finds the job or trigger that a person means: by {@code group.name}, or by its name alone where only one has it. */
final class LedgerNames {
    private LedgerNames() {}

    /**
     * The key that is meant; empty if none is.
     *
     * @param what "job" or "trigger"
     * @throws CliException if several could be
     */
    static <K extends Key<?>> Optional<K> find(String what, String given, Collection<K> known) throws CliException {
        Optional<K> whole = one(what, given, known, key -> isWhole(key, given));
        return whole.isPresent()
                ? whole
                : one(what, given, known, key -> key.getName().equals(given));
    }

    private static <K extends Key<?>> Optional<K> one(
            String what, String given, Collection<K> known, Predicate<K> meant) throws CliException {
        List<K> found = known.stream().filter(meant).distinct().toList();
        if (found.size() > 1) {
            String all =
                    found.stream().map(key -> unmistakable(key, given)).sorted().collect(Collectors.joining(", "));
            throw new CliException(
                    ExitCode.NO,
                    "\"" + Printable.text(given) + "\" is more than one " + what + ": " + all + ". Name one");
        }
        return found.stream().findFirst();
    }

    private static boolean isWhole(Key<?> key, String given) {
        return given.equals(Printable.name(key))
                || given.equals(key.getGroup() + '.' + key.getName())
                || given.equals(KeyText.of(key))
                || isEscaped(key, given);
    }

    /** Also where more is escaped than need be: a dot in a name tells it from one in the group. */
    private static boolean isEscaped(Key<?> key, String given) {
        try {
            return given.indexOf('%') >= 0 && KeyText.of(KeyText.job(given)).equals(KeyText.of(key));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** A form that names this key alone. */
    private static String unmistakable(Key<?> key, String given) {
        String shown = Printable.name(key);
        int dot = shown.indexOf('.') + 1;
        return shown.equals(given)
                ? shown.substring(0, dot) + shown.substring(dot).replace(".", "%2E")
                : shown;
    }

    /** What to say where {@link #find} found none. */
    static CliException unknown(String what, String given, Collection<? extends Key<?>> known) {
        return unknown(what, given, known, "the ledger knows none yet", "`latchkey jobs` shows all of them");
    }

    /**
     * The same where the keys are from elsewhere.
     *
     * @param ifNone the remedy where there are none
     * @param otherwise the remedy where none is near
     */
    static CliException unknown(
            String what, String given, Collection<? extends Key<?>> known, String ifNone, String otherwise) {
        Set<String> names = new TreeSet<>();
        known.forEach(key -> names.add(Printable.name(key)));
        List<String> offered = new ArrayList<>(names);
        known.stream().map(Key::getName).map(Printable::text).forEach(offered::add);
        String remedy = names.isEmpty()
                ? ifNone
                : names.stream()
                        .filter(name -> name.contains('.' + Printable.text(given) + '-'))
                        .findFirst()
                        .map(longer -> "did you mean \"" + longer + "\"?")
                        .orElseGet(() -> Suggestions.didYouMean(Printable.text(given), offered, otherwise));
        return new CliException(ExitCode.NO, "there is no " + what + " \"" + Printable.text(given) + "\": " + remedy);
    }
}
