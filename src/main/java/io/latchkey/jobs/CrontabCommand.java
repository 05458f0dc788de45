package io.latchkey.jobs;

import org.jspecify.annotations.Nullable;

/**
 * What stands behind the schedule, taken apart at its percent signs as cron does it: the first ends the command, what
 * follows is its input, every further one a new line there. {@code \\%} is a plain percent sign.
 *
 * @param line for the shell
 * @param input null for none; otherwise it ends in a new line
 */
record CrontabCommand(String line, @Nullable String input) {
    static CrontabCommand of(String text) {
        StringBuilder line = new StringBuilder();
        StringBuilder input = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            StringBuilder out = input == null ? line : input;
            if (c == '\\' && i + 1 < text.length() && text.charAt(i + 1) == '%') {
                out.append('%');
                i++;
            } else if (c != '%') {
                out.append(c);
            } else if (input == null) {
                input = new StringBuilder();
            } else {
                input.append('\n');
            }
        }
        if (input == null || input.isEmpty()) {
            return new CrontabCommand(line.toString().strip(), null);
        }
        if (input.charAt(input.length() - 1) != '\n') {
            input.append('\n');
        }
        return new CrontabCommand(line.toString().strip(), input.toString());
    }
}
