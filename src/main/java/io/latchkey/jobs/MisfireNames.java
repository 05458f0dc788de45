package io.latchkey.jobs;

import io.latchkey.conf.Suggestions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The misfire instructions by trigger kind, as job files name them, and what each means here.
 *
 * <p>The smart policy is ONCE for all kinds, also for an endless simple trigger, where Quartz would drop what was missed:
 * a fire is better late than lost. Of the simple trigger's own, every "now" is ONCE and every "next" NOTHING; missed repeats
 * count against the repeat count, but with "now with existing repeat count", where they come later. The policy of ignoring
 * misfires, which Quartz's schema leaves out, is ALL.
 */
final class MisfireNames {
    static final String NOW_WITH_EXISTING_COUNT = "MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT";

    private static final String PREFIX = "MISFIRE_INSTRUCTION_";

    private static final Map<String, Misfire> SIMPLE = named(Map.of(
            "FIRE_NOW", Misfire.ONCE,
            "RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT", Misfire.ONCE,
            "RESCHEDULE_NOW_WITH_REMAINING_REPEAT_COUNT", Misfire.ONCE,
            "RESCHEDULE_NEXT_WITH_EXISTING_COUNT", Misfire.NOTHING,
            "RESCHEDULE_NEXT_WITH_REMAINING_COUNT", Misfire.NOTHING));

    private static final Map<String, Misfire> OTHERS =
            named(Map.of("FIRE_ONCE_NOW", Misfire.ONCE, "DO_NOTHING", Misfire.NOTHING));

    private MisfireNames() {}

    /** What the instruction means for a trigger of that kind ("simple", "cron" or "calendar-interval"). */
    static Misfire read(String kind, String name) {
        Map<String, Misfire> valid = kind.equals("simple") ? SIMPLE : OTHERS;
        Misfire misfire = valid.get(name);
        if (misfire != null) {
            return misfire;
        }
        boolean otherKind = SIMPLE.containsKey(name) || OTHERS.containsKey(name);
        List<String> names = valid.keySet().stream().sorted().toList();
        String near = otherKind
                ? ""
                : Suggestions.nearest(name, names)
                        .map(n -> "did you mean " + n + "? ")
                        .orElse("");
        throw new Fields.BadField(
                otherKind
                        ? "misfire instruction " + name + " is not one for a " + kind + " trigger"
                        : "unknown misfire instruction \"" + name + "\"",
                near + "valid for a " + kind + " trigger: " + String.join(", ", names));
    }

    private static Map<String, Misfire> named(Map<String, Misfire> own) {
        Map<String, Misfire> all = new LinkedHashMap<>();
        all.put(PREFIX + "SMART_POLICY", Misfire.ONCE);
        all.put(PREFIX + "IGNORE_MISFIRE_POLICY", Misfire.ALL);
        own.forEach((name, misfire) -> all.put(PREFIX + name, misfire));
        return all;
    }
}
