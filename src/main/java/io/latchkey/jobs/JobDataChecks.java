package io.latchkey.jobs;

import io.latchkey.jobs.data.DataProblem;
import io.latchkey.jobs.http.HttpData;
import io.latchkey.jobs.shell.ShellData;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quartz.Job;

/**
 * What the built-in jobs say about their data before they run. A job class has no say in this by itself: it may be an
 * author's, and no code of authors runs before its first fire.
 */
public final class JobDataChecks {
    private static final Map<Class<? extends Job>, Function<Map<String, @Nullable String>, List<DataProblem>>> CHECKS =
            Map.of(
                    ShellJob.class, ShellData::check,
                    SingleShellJob.class, ShellData::check,
                    HttpJob.class, HttpData::check,
                    SingleHttpJob.class, HttpData::check);

    private JobDataChecks() {}

    /** What is wrong with the data of a job of that class; empty if nothing is, or it is no built-in one. */
    public static List<DataProblem> check(Class<? extends Job> type, Map<String, @Nullable String> data) {
        Function<Map<String, @Nullable String>, List<DataProblem>> check = CHECKS.get(type);
        return check == null ? List.of() : check.apply(data);
    }

    /** The built-in jobs that take data of a set form. */
    static List<String> classNames() {
        return CHECKS.keySet().stream().map(Class::getName).sorted().toList();
    }
}
