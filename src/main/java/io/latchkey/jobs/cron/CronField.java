package io.latchkey.jobs.cron;

/** The fields of a cron expression, in the order Quartz writes them. */
public enum CronField {
    SECONDS(0, "seconds", 0, 59),
    MINUTES(1, "minutes", 0, 59),
    HOURS(2, "hours", 0, 23),
    DAY_OF_MONTH(3, "day-of-month", 1, 31),
    MONTH(4, "month", 1, 12),
    DAY_OF_WEEK(5, "day-of-week", 1, 7),
    YEAR(6, "year", 1970, 2199);

    private final int place;
    private final String label;
    private final int min;
    private final int max;

    CronField(int place, String label, int min, int max) {
        this.place = place;
        this.label = label;
        this.min = min;
        this.max = max;
    }

    /** The name a person knows the field by. */
    public String label() {
        return label;
    }

    /** Where Quartz writes it, from 0. */
    int place() {
        return place;
    }

    int min() {
        return min;
    }

    int max() {
        return max;
    }
}
