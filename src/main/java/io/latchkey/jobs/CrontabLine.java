package io.latchkey.jobs;

import io.latchkey.jobs.cron.UnixCron;
import java.time.ZoneId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a crontab that runs something, with what the lines above it say of it.
 *
 * @param place {@code file:line}
 * @param zone of the last CRON_TZ above; null: that of jobs.time-zone
 * @param command as the shell gets it
 * @param input what the command reads; null for nothing
 * @param environment of the variables set above, in their order
 * @param options of the comment {@code # latchkey:} above
 */
record CrontabLine(
        String place,
        UnixCron cron,
        @Nullable ZoneId zone,
        String command,
        @Nullable String input,
        Map<String, String> environment,
        CrontabOptions options) {
    CrontabLine {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }
}
