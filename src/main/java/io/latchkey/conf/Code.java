package io.latchkey.conf;

import java.util.Locale;

/** What kind of thing is wrong or worth a word. The names, as {@link #text} gives them, stay as they are: tools match them. */
public enum Code {
    // What keeps an instance from starting.
    /** A setting of latchkey.properties, quartz.properties, the environment or the command line. */
    SETTING,
    /** A file is missing, cannot be read, or is of no known kind. */
    FILE,
    /** A job file is not well-formed XML, or of another format. */
    XML,
    /** An element or key that is not known. */
    UNKNOWN,
    /** Something that must be there is not. */
    MISSING,
    /** Any other value that cannot be. */
    INVALID,
    /** A name is given twice. */
    DUPLICATE,
    /** A trigger's job is nowhere. */
    NO_SUCH_JOB,
    /** A job class is not found, or is no job. */
    CLASS,
    /** A cron expression is not valid; those of five fields are named for what they are. */
    CRON,
    /** A time zone is not known. */
    ZONE,
    /** A line of a crontab means nothing, or something else in a crontab of this kind. */
    CRONTAB,

    // What is worth a word.
    /** Of the settings. */
    NOTICE,
    /** Something that has no effect here. */
    IGNORED,
    /** A job that nothing runs. */
    NO_TRIGGER,
    /** A trigger that will never fire, or never again. */
    NEVER_FIRES,
    /** An interval so short that seconds may have been meant. */
    SHORT_INTERVAL,
    /** Clocks that go forward skip a fire. */
    CLOCK_SKIPS,
    /** Clocks that go back repeat the time of a fire. */
    CLOCK_DOUBLES,
    /** A trigger whose times depend on when the cluster sees it first. */
    IMPLICIT_START,
    /** Weekdays by number, which differ between Quartz and crontab. */
    WEEKDAY_NUMBER,
    /** A day that not every month has. */
    SHORT_MONTHS,
    /** Day of month and day of week are both given. */
    BOTH_DAYS,
    /** A job that never overlaps with itself, and may hang for ever. */
    NO_TIMEOUT,
    /** A job whose second attempts may run beside its next fire. */
    OVERLAP;

    /** Such as {@code no-such-job}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
