package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.Problem;
import io.latchkey.conf.Utf8;
import io.latchkey.jobs.Fields.BadField;
import io.latchkey.jobs.cron.CronException;
import io.latchkey.jobs.cron.UnixCron;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a crontab as crontab(5) describes a user's: five fields or a nickname, then the command; variables, which hold for
 * the lines below them; comments. CRON_TZ is the zone of the lines below it. Every line that is wrong is a problem with its
 * number, and all are found at once.
 */
final class CrontabFile {
    private static final Pattern VARIABLE =
            Pattern.compile("(\"[^\"]*\"|'[^']*'|[A-Za-z_][A-Za-z0-9_]*)\\s*=\\s*(.*)", Pattern.DOTALL);
    private static final Pattern SCHEDULE = Pattern.compile("(@\\S+|\\S+(?:\\s+\\S+){4})(?:\\s+(.*))?");

    private final String file;
    private final Report report;
    private final CrontabSlips slips;
    private final List<CrontabLine> lines = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private @Nullable ZoneId zone;
    private CrontabOptions options = CrontabOptions.NONE;
    private @Nullable String optionsPlace;

    /** @param file the name to show */
    CrontabFile(String file, Report report) {
        this.file = file;
        this.report = report;
        this.slips = new CrontabSlips(report);
    }

    /** The lines that run something, in order; what is wrong or worth a word goes to the report. */
    List<CrontabLine> read(byte[] content) {
        String text = Utf8.decode(file, content, report::problem).orElse("");
        String[] all = text.split("\r\n|\r|\n", -1);
        for (int i = 0; i < all.length; i++) {
            line(all[i].strip(), file + ":" + (i + 1));
        }
        if (optionsPlace != null) {
            report.problem(
                    Code.CRONTAB,
                    optionsPlace,
                    "",
                    "no line follows that these options could be for",
                    "move or remove them");
        }
        return List.copyOf(lines);
    }

    private void line(String line, String place) {
        if (line.isEmpty()) {
            return;
        }
        if (line.startsWith("#")) {
            comment(line, place);
            return;
        }
        Matcher variable = VARIABLE.matcher(line);
        if (variable.matches()) {
            variable(unquoted(variable.group(1)), unquoted(variable.group(2)), place);
            return;
        }
        entry(line, place);
        options = CrontabOptions.NONE;
        optionsPlace = null;
    }

    private void comment(String line, String place) {
        slips.comment(line);
        String found = CrontabOptions.in(line);
        if (found != null) {
            optionsPlace = place;
            try {
                options = options.and(found);
            } catch (BadField e) {
                report.problem(new Problem(Code.CRONTAB, place, "", e.what(), e.remedy()));
            }
        }
    }

    private void variable(String name, String value, String place) {
        if (name.equals("CRON_TZ")) {
            zone(value, place);
        } else if (slips.variable(name, value, place)) {
            environment.put(name, value);
        }
    }

    private void zone(String value, String place) {
        try {
            zone = value.isEmpty() ? null : Times.zone(value);
        } catch (BadField e) {
            report.problem(new Problem(e.code(), place, "CRON_TZ", e.what(), e.remedy()));
        }
    }

    private void entry(String line, String place) {
        Matcher schedule = SCHEDULE.matcher(line);
        if (!schedule.matches()) {
            report.problem(
                    Code.CRONTAB,
                    place,
                    "",
                    "\"" + line + "\" is neither NAME=value nor five fields and a command",
                    "write it like 30 2 * * * /opt/bin/backup");
            return;
        }
        String rest = Optional.ofNullable(schedule.group(2)).orElse("").strip();
        if (slips.entry(schedule.group(1), rest, place)) {
            return;
        }
        Optional<UnixCron> cron = cron(schedule.group(1), place);
        CrontabCommand command = CrontabCommand.of(rest);
        if (cron.isPresent() && command.line().isEmpty()) {
            report.problem(Code.MISSING, place, "", "no command follows the schedule", "write what to run behind it");
        } else if (cron.isPresent()) {
            slips.days(cron.get(), place);
            lines.add(new CrontabLine(place, cron.get(), zone, command.line(), command.input(), environment, options));
        }
    }

    private Optional<UnixCron> cron(String expression, String place) {
        try {
            return Optional.of(UnixCron.parse(expression));
        } catch (CronException e) {
            String field = e.field().map(f -> f.label() + " field: ").orElse("");
            report.problem(Code.CRON, place, "", "schedule \"" + expression + "\": " + field + e.reason(), e.remedy());
            return Optional.empty();
        }
    }

    /** Quotes around a name or value are not part of it, if both are there; inside them blanks are. */
    private static String unquoted(String text) {
        String value = text.strip();
        boolean quoted = value.length() >= 2
                && ((value.startsWith("\"") && value.endsWith("\"")) || (value.startsWith("'") && value.endsWith("'")));
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
