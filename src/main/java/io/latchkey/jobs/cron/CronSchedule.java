package io.latchkey.jobs.cron;

import static io.latchkey.jobs.cron.CronField.DAY_OF_MONTH;
import static io.latchkey.jobs.cron.CronField.DAY_OF_WEEK;
import static io.latchkey.jobs.cron.CronField.HOURS;
import static io.latchkey.jobs.cron.CronField.MINUTES;
import static io.latchkey.jobs.cron.CronField.MONTH;
import static io.latchkey.jobs.cron.CronField.SECONDS;
import static io.latchkey.jobs.cron.CronField.YEAR;

import java.time.Instant;
import java.time.ZoneId;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * When a cron expression is due. {@link #parse} reads Quartz's syntax: seconds, minutes, hours, day of month, month, day of
 * week and, if wanted, a year from 1970 to 2199. One of the two day fields must be "?". What it takes is valid in this
 * service, and nothing else is. {@link UnixCron} makes the schedules of crontab lines; their expressions have five fields or
 * are nicknames, so that the text alone tells the two apart.
 *
 * <p>Where Quartz reads on over nonsense (a step after a weekday's name, a step of 0, anything after three letters of a
 * name) this class either gives it its plain meaning or refuses it. Times follow the rule of the package for shifts of the
 * clocks; slots are whole seconds, and every method ends quickly, also for a schedule that never fires. Immutable, safe for
 * any thread.
 */
public final class CronSchedule {
    private final String expression;
    private final ZonedTimes times;
    private final boolean endless;

    CronSchedule(String expression, ZonedTimes times, boolean endless) {
        this.expression = expression;
        this.times = times;
        this.endless = endless;
    }

    /**
     * Reads an expression; letters may be of either case, fields are parted by blanks or tabs.
     *
     * @throws CronException if it is not valid: with the field, the reason and what to write instead
     */
    public static CronSchedule parse(String text) {
        String expression = String.join(" ", text.strip().split("\\s+", -1)).toUpperCase(Locale.ROOT);
        List<String> fields = List.of(expression.split(" ", -1));
        if (fields.size() < 6 || fields.size() > 7) {
            throw CronRemedies.wrongCount(expression, fields);
        }
        for (CronField field : List.of(SECONDS, MINUTES, HOURS, MONTH)) {
            CronRemedies.refuseQuestionMark(expression, field, fields.get(field.place()));
        }
        long seconds = bits(expression, SECONDS, fields);
        long minutes = bits(expression, MINUTES, fields);
        long hours = bits(expression, HOURS, fields);
        long months = bits(expression, MONTH, fields);
        String year = fields.size() > YEAR.place() ? fields.get(YEAR.place()) : "*";
        CronRemedies.refuseQuestionMark(expression, YEAR, year);
        BitSet years = FieldParser.quartz(expression, YEAR).values(year);

        DayRule days = days(expression, fields).within(years, months);
        boolean fixedTime = isFixed(fields.get(HOURS.place()));
        WallTimes wall = new WallTimes(new TimesOfDay(seconds, minutes, hours), days);
        return new CronSchedule(expression, new ZonedTimes(wall, fixedTime), years.get(YEAR.max()));
    }

    /** The schedule with this {@link #expression}, of either syntax. */
    static CronSchedule ofExpression(String expression) {
        return UnixCron.isOne(expression) ? UnixCron.parse(expression).schedule() : parse(expression);
    }

    /** An hour field of numbers and ranges names its hours; a wildcard or a step anywhere in it makes a rhythm. */
    static boolean isFixed(String hours) {
        return hours.indexOf('*') < 0 && hours.indexOf('/') < 0;
    }

    private static long bits(String expression, CronField field, List<String> fields) {
        return FieldParser.quartz(expression, field).bits(fields.get(field.place()));
    }

    private static DayRule days(String expression, List<String> fields) {
        String ofMonth = fields.get(DAY_OF_MONTH.place());
        String ofWeek = fields.get(DAY_OF_WEEK.place());
        // Both are read before the rule of the question mark, so that a year in the wrong place is called just that.
        DayRule month = ofMonth.equals("?") ? null : QuartzDays.ofMonth(expression, ofMonth);
        DayRule week = ofWeek.equals("?") ? null : QuartzDays.ofWeek(expression, ofWeek);
        if (month != null && week == null) {
            return month;
        }
        if (week != null && month == null) {
            return week;
        }
        throw CronRemedies.bothDays(expression, fields);
    }

    /** The first slot strictly after {@code after}; empty if there is none up to the end of 2199. */
    public Optional<Instant> next(Instant after, ZoneId zone) {
        return times.next(after, zone);
    }

    /** The last slot at or before {@code atOrBefore}; empty if there is none back to the start of 1970. */
    public Optional<Instant> previous(Instant atOrBefore, ZoneId zone) {
        return times.previous(atOrBefore, zone);
    }

    /** How many slots lie between the two instants, both included. Its cost grows with the months, not with the slots. */
    public long countBetween(Instant fromInclusive, Instant toInclusive, ZoneId zone) {
        return times.countBetween(fromInclusive, toInclusive, zone);
    }

    /** The shifts of the clocks between two instants, both included, that skip or repeat a fire; in order. */
    public List<ZoneAnomaly> anomalies(Instant from, Instant to, ZoneId zone) {
        return times.anomalies(from, to, zone);
    }

    /** What is valid in the expression and often mistaken. */
    public List<CronSlip> slips() {
        return CronSlips.of(expression);
    }

    /** Whether the hour field names hours; if not, it is a rhythm that goes through both passes of a repeated hour. */
    public boolean fixedTime() {
        return times.fixedTime();
    }

    /** Whether every hour is one of the schedule's; then a shift of the clocks leaves its rhythm as it is. */
    public boolean everyHour() {
        return times.wall().times().hours() == Bits.range(0, 23);
    }

    /** Whether the year field is open towards the end of time. */
    public boolean endless() {
        return endless;
    }

    /** The expression in upper case, its fields parted by one blank. */
    public String expression() {
        return expression;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CronSchedule that && expression.equals(that.expression);
    }

    @Override
    public int hashCode() {
        return expression.hashCode();
    }

    @Override
    public String toString() {
        return expression;
    }
}
