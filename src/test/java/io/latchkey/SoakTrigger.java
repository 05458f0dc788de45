package io.latchkey;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * One trigger of the soak with its job, and by itself the oracle of when it is due: every so many whole seconds, which
 * needs neither Quartz nor a planner to tell.
 *
 * @param every seconds between slots, a divisor of 60
 */
record SoakTrigger(String name, Kind kind, String misfire, int every, boolean recover, boolean single, Instant begin) {
    static final String ALL = "MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY";

    enum Kind {
        CRON("cron"),
        SIMPLE("simple"),
        CALENDAR("calendar-interval");

        private final String element;

        Kind(String element) {
            this.element = element;
        }

        /** The instructions there are for it. */
        private List<String> misfires() {
            return this == SIMPLE
                    ? List.of(
                            ALL,
                            "MISFIRE_INSTRUCTION_SMART_POLICY",
                            "MISFIRE_INSTRUCTION_FIRE_NOW",
                            "MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT",
                            "MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_REMAINING_REPEAT_COUNT",
                            "MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_REMAINING_COUNT",
                            "MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_EXISTING_COUNT")
                    : List.of(
                            ALL,
                            "MISFIRE_INSTRUCTION_SMART_POLICY",
                            "MISFIRE_INSTRUCTION_FIRE_ONCE_NOW",
                            "MISFIRE_INSTRUCTION_DO_NOTHING");
        }
    }

    /** Every kind with every instruction first, then more of them at random; half of all run every missed slot. */
    static List<SoakTrigger> some(int count, Instant begin, Random random) {
        List<SoakTrigger> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (String misfire : kind.misfires()) {
                all.add(random(all.size(), kind, misfire, begin, random));
            }
        }
        while (all.size() < count) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            String misfire = random.nextBoolean()
                    ? ALL
                    : kind.misfires().get(random.nextInt(kind.misfires().size()));
            all.add(random(all.size(), kind, misfire, begin, random));
        }
        return all;
    }

    private static SoakTrigger random(int i, Kind kind, String misfire, Instant begin, Random random) {
        int every = List.of(1, 2, 2, 3, 4, 5, 6).get(random.nextInt(7));
        return new SoakTrigger("s" + i, kind, misfire, every, random.nextBoolean(), random.nextInt(3) == 0, begin);
    }

    boolean runsAll() {
        return misfire.equals(ALL);
    }

    /** The slots from the begin up to an instant, included. */
    List<Instant> due(Instant upTo) {
        Instant first = begin;
        while (kind == Kind.CRON && first.getEpochSecond() % 60 % every != 0) {
            first = first.plusSeconds(1);
        }
        return Stream.iterate(first, slot -> !slot.isAfter(upTo), slot -> slot.plusSeconds(every))
                .toList();
    }

    /** A slot and those before it, latest first. */
    List<Instant> back(Instant slot, long count) {
        return Stream.iterate(slot, s -> s.minusSeconds(every)).limit(count).toList();
    }

    String xml() {
        String when = switch (kind) {
            case CRON -> "<cron-expression>%s * * * * ?</cron-expression>".formatted(every == 1 ? "*" : "0/" + every);
            case SIMPLE ->
                "<repeat-count>-1</repeat-count><repeat-interval>%d</repeat-interval>".formatted(every * 1000);
            case CALENDAR ->
                "<repeat-interval>%d</repeat-interval><repeat-interval-unit>SECOND</repeat-interval-unit>"
                        .formatted(every);
        };
        return """
                <job><name>%1$s</name><group>ops</group><job-class>com.example.jobs.%2$s</job-class><recover>%3$s</recover>
                 <job-data-map><entry><key>spreadMs</key><value>%4$d</value></entry></job-data-map></job>
                <trigger><%5$s><name>%1$s-t</name><group>ops</group><job-name>%1$s</job-name><job-group>ops</job-group>
                 <start-time>%6$s</start-time><misfire-instruction>%7$s</misfire-instruction>%8$s</%5$s></trigger>
                """.formatted(
                name, single ? "SoakJob$Single" : "SoakJob", recover, every * 700, kind.element, begin, misfire, when);
    }
}
