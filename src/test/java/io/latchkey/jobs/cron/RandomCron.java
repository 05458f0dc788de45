package io.latchkey.jobs.cron;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A random expression together with what it means, kept apart from the parser: the text and the sets are made side by
 * side, and {@link #fires} asks the sets about one instant at a time.
 */
record RandomCron(
        String text,
        Set<Integer> seconds,
        Set<Integer> minutes,
        Set<Integer> hours,
        boolean fixedTime,
        Predicate<LocalDate> days) {

    static RandomCron of(Random random) {
        Field seconds = random.nextInt(3) == 0 ? Field.any(random, 0, 59) : Field.one(random, 0, 59);
        Field minutes = Field.any(random, 0, 59);
        Field hours = Field.any(random, 0, 23);
        Field months = random.nextInt(3) == 0 ? Field.any(random, 1, 12) : Field.all(1, 12);
        List<String> day = new ArrayList<>();
        Predicate<LocalDate> rule = days(random, day);
        String text = String.join(" ", seconds.text, minutes.text, hours.text, day.get(0), months.text, day.get(1));
        boolean fixed = !hours.text.contains("*") && !hours.text.contains("/");
        return new RandomCron(
                text,
                seconds.values,
                minutes.values,
                hours.values,
                fixed,
                date -> months.values.contains(date.getMonthValue()) && rule.test(date));
    }

    /** Whether this very second is a slot. */
    boolean fires(Instant instant, ZoneId zone) {
        ZoneOffset offset = zone.getRules().getOffset(instant);
        LocalDateTime local = LocalDateTime.ofInstant(instant, offset);
        if (!seconds.contains(local.getSecond())
                || !minutes.contains(local.getMinute())
                || !hours.contains(local.getHour())
                || !days.test(local.toLocalDate())) {
            return false;
        }
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        return !fixedTime || offset.equals(offsets.get(offsets.size() - 1));
    }

    private static Predicate<LocalDate> days(Random random, List<String> text) {
        int weekday = 1 + random.nextInt(7);
        int day = 1 + random.nextInt(31);
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                text.addAll(List.of("*", "?"));
                return date -> true;
            }
            case 2 -> {
                Field field = Field.any(random, 1, 31);
                text.addAll(List.of(field.text, "?"));
                return date -> field.values.contains(date.getDayOfMonth());
            }
            case 3 -> {
                Field field = Field.any(random, 1, 7);
                text.addAll(List.of("?", field.text));
                return date -> field.values.contains(quartzWeekday(date));
            }
            case 4 -> {
                int nth = 1 + random.nextInt(5);
                text.addAll(List.of("?", weekday + "#" + nth));
                return date -> quartzWeekday(date) == weekday && (date.getDayOfMonth() - 1) / 7 + 1 == nth;
            }
            case 5 -> {
                text.addAll(List.of("?", weekday + "L"));
                return date ->
                        quartzWeekday(date) == weekday && date.plusDays(7).getMonth() != date.getMonth();
            }
            case 6 -> {
                int before = random.nextInt(5);
                text.addAll(List.of(before == 0 ? "L" : "L-" + before, "?"));
                return date -> lastDay(date).minusDays(before).equals(date);
            }
            case 7 -> {
                text.addAll(List.of(day + "W", "?"));
                return date -> day <= date.lengthOfMonth()
                        && nearestWorkday(date.withDayOfMonth(day)).equals(date);
            }
            default -> {
                text.addAll(List.of("LW", "?"));
                return date -> nearestWorkday(lastDay(date)).equals(date);
            }
        }
    }

    private static LocalDate lastDay(LocalDate date) {
        return date.with(TemporalAdjusters.lastDayOfMonth());
    }

    /** By trying the neighbours outwards, never leaving the month. */
    private static LocalDate nearestWorkday(LocalDate date) {
        for (int distance : List.of(0, -1, 1, -2, 2)) {
            LocalDate candidate = date.plusDays(distance);
            if (candidate.getDayOfWeek().getValue() <= 5 && candidate.getMonth() == date.getMonth()) {
                return candidate;
            }
        }
        throw new AssertionError("no workday near " + date);
    }

    private static int quartzWeekday(LocalDate date) {
        return date.getDayOfWeek().getValue() % 7 + 1;
    }

    private record Field(String text, Set<Integer> values) {
        static Field all(int min, int max) {
            return new Field("*", span(min, max, 1));
        }

        static Field one(Random random, int min, int max) {
            int value = min + random.nextInt(max - min + 1);
            return new Field(Integer.toString(value), Set.of(value));
        }

        static Field any(Random random, int min, int max) {
            int size = max - min + 1;
            int low = min + random.nextInt(size);
            int high = low + random.nextInt(max - low + 1);
            int step = 1 + random.nextInt(Math.max(1, size / 2));
            return switch (random.nextInt(7)) {
                case 0 -> all(min, max);
                case 1 -> one(random, min, max);
                case 2 -> new Field(low + "-" + high, span(low, high, 1));
                case 3 -> new Field("*/" + step, span(min, max, step));
                case 4 -> new Field(low + "/" + step, span(low, max, step));
                case 5 -> new Field(low + "-" + high + "/" + step, span(low, high, step));
                default -> {
                    Set<Integer> values = new TreeSet<>(List.of(low, high));
                    yield new Field(values.stream().map(String::valueOf).collect(Collectors.joining(",")), values);
                }
            };
        }

        private static Set<Integer> span(int low, int high, int step) {
            Set<Integer> values = new TreeSet<>();
            for (int value = low; value <= high; value += step) {
                values.add(value);
            }
            return values;
        }
    }
}
