package io.latchkey.jobs.cron;

import java.util.ArrayList;
import java.util.List;

/** What to say to the author of an expression that is wrong as a whole. */
final class CronRemedies {
    private static final int UNIX_FIELDS = 5;

    private CronRemedies() {}

    static CronException wrongCount(String expression, List<String> fields) {
        boolean unix = fields.size() == UNIX_FIELDS;
        if (expression.isEmpty()) {
            return new CronException(expression, null, "it is empty", "a Quartz cron has 6 or 7 fields");
        }
        if (expression.startsWith("@") || unix) {
            String reason = expression.startsWith("@")
                    ? "a nickname of crontab, not a Quartz cron of 6 or 7 fields"
                    : "5 fields, as in a crontab; a Quartz cron has 6 or 7 fields";
            return new CronException(expression, null, reason, quartzForm(expression));
        }
        return new CronException(
                expression,
                null,
                fields.size() + " field" + (fields.size() == 1 ? "" : "s") + "; a Quartz cron has 6 or 7 fields",
                "seconds minutes hours day-of-month month day-of-week [year]");
    }

    private static String quartzForm(String expression) {
        try {
            List<String> forms = UnixCron.parse(expression).quartzForms();
            return switch (forms.size()) {
                case 0 -> "no single Quartz cron means the same";
                case 1 -> "write '" + forms.get(0) + "'";
                default -> "make two triggers, '" + String.join("' and '", forms) + "'";
            };
        } catch (CronException notUnixEither) {
            // Its own remedy fits better than a guess.
            return "it is no crontab expression either: " + notUnixEither.reason();
        }
    }

    static void refuseQuestionMark(String expression, CronField field, String text) {
        if (text.indexOf('?') >= 0) {
            throw new CronException(expression, field, "'?' is for the two day fields", "write *");
        }
    }

    /** Both day fields are given, or neither is. */
    static CronException bothDays(String expression, List<String> fields) {
        int month = CronField.DAY_OF_MONTH.place();
        int week = CronField.DAY_OF_WEEK.place();
        if (fields.get(month).equals("?")) {
            return new CronException(
                    expression,
                    CronField.DAY_OF_WEEK,
                    "both day fields are '?'",
                    "write '" + with(fields, month, "*") + "' for every day");
        }
        String reason = "day-of-month and day-of-week are both given, one of them must be '?'";
        String remedy;
        if (fields.get(week).equals("*")) {
            remedy = "write '" + with(fields, week, "?") + "'";
        } else if (fields.get(month).equals("*")) {
            remedy = "write '" + with(fields, month, "?") + "'"
                    + (fields.get(week).matches(".*\\d.*") ? " (1 is Sunday, 7 is Saturday)" : "");
        } else {
            remedy = "make two triggers, '" + with(fields, week, "?") + "' and '" + with(fields, month, "?") + "'";
        }
        return new CronException(expression, CronField.DAY_OF_WEEK, reason, remedy);
    }

    private static String with(List<String> fields, int index, String text) {
        List<String> changed = new ArrayList<>(fields);
        changed.set(index, text);
        return String.join(" ", changed);
    }
}
