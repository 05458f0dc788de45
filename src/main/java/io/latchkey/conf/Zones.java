package io.latchkey.conf;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;
import java.util.TreeSet;

/** Time zones by the names people write. */
public final class Zones {
    private Zones() {}

    /** The zone of that name, old three-letter names included; empty for an unknown one, never another in its place. */
    public static Optional<ZoneId> find(String name) {
        try {
            return Optional.of(ZoneId.of(name, ZoneId.SHORT_IDS));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** What to write in place of a name that is none. */
    public static String remedy(String name) {
        // Sorted, so that the same mistake always gets the same answer.
        return Suggestions.nearest(name, new TreeSet<>(ZoneId.getAvailableZoneIds()))
                .map(near -> "did you mean \"" + near + "\"?")
                .orElse("write a name of the IANA database such as Europe/Berlin, or UTC");
    }
}
