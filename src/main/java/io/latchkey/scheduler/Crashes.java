package io.latchkey.scheduler;

import io.latchkey.ledger.Held;
import io.latchkey.ledger.RunningRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What instances had in flight when they went. A job that takes its whole process down takes the fires beside it along,
 * and costs them attempts: it is named by how often it was there, and later attempts wait a little, so that what is short
 * can end in between.
 */
final class Crashes {
    private static final Logger log = LoggerFactory.getLogger(Crashes.class);
    private static final int MOST_NAMED = 10;

    private Crashes() {}

    /**
     * How long a fire whose instance went waits before it is run again. The second attempt does not: one crash is most often
     * no fault of the job, and its run is late already.
     */
    static Duration pauseBefore(RunningRecord again) {
        // What has failed by itself has waited for its retry.
        int attempt = again.current().number() + 1 - again.failures();
        if (attempt <= 2) {
            return Duration.ZERO;
        }
        return attempt == 3 ? Duration.ofSeconds(5) : Duration.ofSeconds(30);
    }

    /** At how many crashes of its instance a fire was in flight, if the one that holds it is gone now. */
    static long of(RunningRecord record) {
        return Stream.concat(
                        record.earlier().stream().filter(attempt -> attempt.ended() == null),
                        Stream.of(record.current()))
                .map(attempt -> attempt.owner().incarnation())
                .distinct()
                .count();
    }

    /** Says which fires fell together, those that were there most often first. */
    static void tell(List<Held> left) {
        Map<String, List<RunningRecord>> byIncarnation = new LinkedHashMap<>();
        for (Held held : left) {
            byIncarnation
                    .computeIfAbsent(held.record().owner().incarnation(), key -> new ArrayList<>())
                    .add(held.record());
        }
        byIncarnation.forEach((incarnation, records) -> {
            records.sort(Comparator.comparing(Crashes::of).reversed());
            log.warn(
                    "Instance {} (session {}) went with {} fires in flight: {}{}",
                    records.get(0).owner().instance(),
                    incarnation,
                    records.size(),
                    records.stream().limit(MOST_NAMED).map(Crashes::named).collect(Collectors.joining(", ")),
                    records.size() > MOST_NAMED ? ", and others" : "");
        });
    }

    private static String named(RunningRecord record) {
        long crashes = of(record);
        return "job " + record.job() + " (" + record.id()
                + (crashes > 1
                        ? "; it was in flight at each of the last " + crashes + " crashes of its instance)"
                        : ")");
    }
}
