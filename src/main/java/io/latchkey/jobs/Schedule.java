package io.latchkey.jobs;

import io.latchkey.jobs.cron.CronSchedule;
import io.latchkey.jobs.cron.ZoneAnomaly;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * When a trigger is due, as its author wrote it. Immutable. A schedule without a start of its own begins when the cluster
 * first saw it: {@link #anchor} turns that instant into the start, which the trigger's cursor then keeps; every other
 * method wants that start.
 */
public sealed interface Schedule {
    Window window();

    /** The slots, counted from {@code start}, an instant that {@link #anchor} gave. */
    TimeTable timeTable(Instant start);

    /** The zone whose clocks it goes by; empty for one that counts elapsed time. */
    Optional<ZoneId> clocks();

    /** Whether it begins when the cluster first sees it, and its slots depend on that instant. */
    default boolean startsWhenSeen() {
        return window().start() == null;
    }

    /** The text that tells two schedules apart: equal if and only if they have the same slots from the same start. */
    String canonical();

    /** The start of a trigger first seen at {@code firstSeen}: the author's own if there is one. */
    default Instant anchor(Instant firstSeen) {
        return window().anchor(firstSeen);
    }

    /** The first slot later than {@code after}. */
    default Optional<Instant> next(Instant after, Instant start) {
        return timeTable(start).next(after);
    }

    /** The last slot not later than {@code atOrBefore}. */
    default Optional<Instant> latest(Instant atOrBefore, Instant start) {
        return timeTable(start).latest(atOrBefore);
    }

    /** The number of slots in the range, bounds included. */
    default long count(Instant fromInclusive, Instant toInclusive, Instant start) {
        return timeTable(start).count(fromInclusive, toInclusive);
    }

    /** A cron expression in a time zone. */
    record Cron(CronSchedule cron, ZoneId zone, Window window) implements Schedule {
        /** Throws {@link io.latchkey.jobs.cron.CronException} if the expression is not valid. */
        public Cron(String expression, ZoneId zone, Window window) {
            this(CronSchedule.parse(expression), zone, window);
        }

        public Cron(String expression, ZoneId zone) {
            this(expression, zone, Window.OPEN);
        }

        public String expression() {
            return cron.expression();
        }

        @Override
        public Optional<ZoneId> clocks() {
            return Optional.of(zone);
        }

        /** Never: its slots are where the expression has them. */
        @Override
        public boolean startsWhenSeen() {
            return false;
        }

        /** Whole seconds, rounded up: a slot before the start never counts, though Quartz itself rounds down. */
        @Override
        public Instant anchor(Instant firstSeen) {
            Instant start = window.anchor(firstSeen);
            Instant second = start.truncatedTo(ChronoUnit.SECONDS);
            return second.equals(start) ? second : second.plusSeconds(1);
        }

        /** The shifts of the clocks from {@code from} to {@code to}, within the window, that skip or repeat a fire. */
        public List<ZoneAnomaly> anomalies(Instant from, Instant to) {
            Instant start = window.start();
            Instant end = window.end();
            Instant first = start != null && start.isAfter(from) ? start : from;
            Instant last = end != null && end.isBefore(to) ? end : to;
            return last.isBefore(first) ? List.of() : cron.anomalies(first, last, zone);
        }

        @Override
        public TimeTable timeTable(Instant start) {
            return new CronTimes(cron, zone, start, window.end());
        }

        @Override
        public String canonical() {
            return "cron|" + cron.expression() + "|" + zone + "|" + window;
        }
    }

    /**
     * Every {@code interval} from the start, {@code repeatCount + 1} times.
     *
     * @param repeatCount {@link #FOR_EVER} for no limit; 0 for a single shot
     * @param interval whole milliseconds; zero only where {@code repeatCount} is 0
     * @param restartIfPast an explicit start that has passed when the trigger is first seen is replaced by that instant, so
     *     that all repeats still run. What Quartz's instruction "reschedule now with existing repeat count" asks for
     */
    record Simple(Window window, int repeatCount, Duration interval, boolean restartIfPast) implements Schedule {
        public static final int FOR_EVER = -1;

        public Simple {
            if (repeatCount < FOR_EVER) {
                throw new IllegalArgumentException("the repeat count is " + repeatCount);
            }
            if (interval.isNegative() || (interval.toMillis() == 0 && repeatCount != 0)) {
                throw new IllegalArgumentException("the interval is " + interval);
            }
            interval = Duration.ofMillis(interval.toMillis());
        }

        public Simple(Window window, int repeatCount, Duration interval) {
            this(window, repeatCount, interval, false);
        }

        @Override
        public Optional<ZoneId> clocks() {
            return Optional.empty();
        }

        /** For ever, from when it is first seen. */
        public static Simple every(Duration interval) {
            return new Simple(Window.OPEN, FOR_EVER, interval);
        }

        /** Whether missed repeats come later instead of counting as done: the same instruction asks for both. */
        public boolean keepsCount() {
            return restartIfPast && repeatCount > 0;
        }

        @Override
        public Instant anchor(Instant firstSeen) {
            Instant start = window.start();
            boolean restart = restartIfPast && start != null && start.isBefore(firstSeen);
            return restart ? firstSeen.truncatedTo(ChronoUnit.MILLIS) : window.anchor(firstSeen);
        }

        @Override
        public TimeTable timeTable(Instant start) {
            return new SimpleTimes(start, window.end(), repeatCount, interval);
        }

        @Override
        public String canonical() {
            return "simple|" + repeatCount + "|" + interval + "|" + window + (restartIfPast ? "|restart" : "");
        }
    }

    /**
     * Every so many calendar units from the start, for ever. Units of a day and more keep the start's local date and time:
     * monthly from 31 January is 28 February, 31 March; a local time that a day does not have is put off by the length of
     * the gap on that day alone; one that a day has twice is the second. Smaller units are plain elapsed time.
     */
    record CalendarInterval(Window window, int interval, Unit unit, ZoneId zone) implements Schedule {
        public CalendarInterval {
            if (interval < 1) {
                throw new IllegalArgumentException("the interval is " + interval);
            }
        }

        @Override
        public Optional<ZoneId> clocks() {
            return Optional.of(zone);
        }

        @Override
        public TimeTable timeTable(Instant start) {
            return unit.fixed() == null
                    ? new CalendarTimes(start, window.end(), interval, unit, zone)
                    : new SimpleTimes(
                            start, window.end(), Simple.FOR_EVER, unit.fixed().multipliedBy(interval));
        }

        @Override
        public String canonical() {
            return "calendar|" + interval + "|" + unit + "|" + zone + "|" + window;
        }
    }
}
