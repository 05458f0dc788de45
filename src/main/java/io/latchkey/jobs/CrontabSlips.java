package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.jobs.cron.UnixCron;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What people get wrong in crontabs, or what a crontab means here that it does not mean to a cron daemon, called by its
 * name. For one file, line by line.
 */
final class CrontabSlips {
    /** Accounts that are no commands. */
    private static final Set<String> ACCOUNTS = Set.of("root", "nobody", "www-data", "daemon");

    /** Accounts that might be commands as well; the word behind them tells. */
    private static final Set<String> LIKELY_ACCOUNTS = Set.of(
            "admin",
            "apache",
            "app",
            "backup",
            "bin",
            "centos",
            "debian",
            "deploy",
            "ec2-user",
            "git",
            "http",
            "jenkins",
            "mail",
            "mysql",
            "news",
            "nginx",
            "oracle",
            "postgres",
            "redis",
            "service",
            "sys",
            "tomcat",
            "ubuntu",
            "user",
            "webapp");

    private static final Pattern ACCOUNT = Pattern.compile("[a-z_][a-z0-9_-]{0,31}");
    private static final Pattern COMMAND = Pattern.compile("/.*|cd|test|\\[|\\[\\[|command|env|sh|bash|nice|flock|\\.");
    private static final Pattern USER_COLUMN =
            Pattern.compile("#.*\\b(dow|dayofweek|day-of-week|week)\\b.*\\buser(-?name)?\\b.*\\bcommand.*");
    private static final String WEEKDAY = "(sun|mon|tue|wed|thu|fri|sat)((s|nes|rs|ur)?day)?";
    private static final Pattern SIXTH_FIELD = Pattern.compile(
            "[0-9*?][0-9*?,/#-]*|\\d?L|\\d+W|LW|" + WEEKDAY + "([,-]" + WEEKDAY + ")*", Pattern.CASE_INSENSITIVE);

    private final Report report;
    private boolean userColumn;

    CrontabSlips(Report report) {
        this.report = report;
    }

    /** Takes note of a heading. */
    void comment(String line) {
        userColumn |= USER_COLUMN.matcher(line.toLowerCase(Locale.ROOT)).matches();
    }

    /** Whether the variable goes into the commands' environment; some have a meaning that is not kept. */
    boolean variable(String name, String value, String place) {
        switch (name) {
            case "MAILTO", "MAILFROM" -> {
                if (!value.isEmpty() && name.equals("MAILTO")) {
                    report.warning(
                            Code.IGNORED,
                            place,
                            name,
                            "no mail is sent: what commands print goes to the log, and its end to the history",
                            "to be told of failures set jobs.on-failure, and write MAILTO=\"\" here");
                }
                return false;
            }
            case "RANDOM_DELAY", "START_HOURS_RANGE" -> {
                report.warning(
                        Code.IGNORED, place, name, "has no effect: lines run when their fields say", "remove it");
                return false;
            }
            case "TZ" ->
                report.warning(
                        Code.IGNORED,
                        place,
                        name,
                        "is the zone for the commands alone, not for when they run",
                        "write CRON_TZ=" + value + " as well if that was meant");
            default -> {
                if (value.indexOf('$') >= 0) {
                    report.warning(
                            Code.IGNORED,
                            place,
                            name,
                            "the $ in it stays as it is: in a crontab no variable is expanded here",
                            "write the value out");
                }
            }
        }
        return true;
    }

    /** Whether the line is of another kind of crontab; that is then reported, and nothing else about it need be. */
    boolean entry(String schedule, String rest, String place) {
        String[] words = rest.split("\\s+", 3);
        String first = words[0];
        String second = words.length > 1 ? words[1] : "";
        if (!schedule.startsWith("@") && SIXTH_FIELD.matcher(first).matches()) {
            String fields = schedule + " " + first;
            report.problem(
                    Code.CRONTAB,
                    place,
                    "",
                    "\"" + fields + "\" has six fields, as Quartz's crons do; a crontab's have five and no seconds",
                    "leave the seconds out, and write * for ?; in a crontab Sunday is 0, in Quartz it is 1");
            return true;
        }
        if (!second.isEmpty() && isAccount(first, second)) {
            report.problem(
                    Code.CRONTAB,
                    place,
                    "",
                    "\"" + first + "\" looks like a user: a system crontab such as /etc/crontab has that column, a"
                            + " user's crontab has not",
                    "remove it; all commands run as the service's user");
            return true;
        }
        if (rest.endsWith("\\")) {
            report.problem(
                    Code.CRONTAB,
                    place,
                    "",
                    "ends in a backslash, but a crontab's lines cannot be continued",
                    "write it in one line, or call a script");
            return true;
        }
        return false;
    }

    private boolean isAccount(String first, String second) {
        return ACCOUNTS.contains(first)
                || (userColumn && ACCOUNT.matcher(first).matches())
                || (LIKELY_ACCOUNTS.contains(first) && COMMAND.matcher(second).matches());
    }

    /** The two rules about days that hardly anybody knows. */
    void days(UnixCron cron, String place) {
        if (cron.eitherDay()) {
            report.warning(
                    Code.BOTH_DAYS,
                    place,
                    "",
                    "both day fields are given, and as in every cron a day need match only one of them",
                    "make it two lines if that is meant; if not, let the command check the other");
        } else if (cron.bothDays()) {
            report.warning(
                    Code.BOTH_DAYS,
                    place,
                    "",
                    "runs only on days that match both day fields, for one of them begins with *",
                    "write the step as a range, such as 1-31/2, to have days that match either");
        }
    }
}
