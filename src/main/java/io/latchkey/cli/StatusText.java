package io.latchkey.cli;

import io.latchkey.view.ClusterView;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code status} for people. */
final class StatusText {
    private StatusText() {}

    static void print(ClusterView view, Instant now, PrintWriter out) {
        view.currentLeader()
                .ifPresentOrElse(
                        leader -> {
                            out.printf("leader     %s%s%n", leader.instance(), whereabouts(view, leader.instance()));
                            out.printf(
                                    "term       %d, since %s (%s), fencing token %d%n",
                                    leader.term(),
                                    leader.since().truncatedTo(ChronoUnit.SECONDS),
                                    ago(Duration.between(leader.since(), now)),
                                    leader.token());
                        },
                        () -> out.println("leader     nobody leads"));
        out.printf("zookeeper  %s, root %s%s%n", view.zookeeper(), view.root(), view.embedded() ? " (embedded)" : "");
        if (view.instances().isEmpty()) {
            out.println("instances  none");
        } else {
            out.println();
            table(view, out);
        }
        if (!view.notes().isEmpty()) {
            out.println();
            view.notes().forEach(note -> out.println(Printable.text(note)));
        }
    }

    /** The instances, in latch order. */
    static void table(ClusterView view, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("latch", "instance", "role", "host", "pid", "version", "conf", "console"));
        for (ClusterView.Instance instance : view.instances()) {
            rows.add(List.of(
                    text(instance.place()),
                    instance.id(),
                    instance.role(),
                    text(instance.host()),
                    text(instance.pid()),
                    text(instance.version()),
                    text(instance.conf()),
                    text(instance.console())));
        }
        int columns = rows.get(0).size();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < columns; column++) {
                int at = column;
                int width = rows.stream()
                        .mapToInt(each -> each.get(at).length())
                        .max()
                        .orElse(0);
                line.append(row.get(column))
                        .append(" ".repeat(width - row.get(column).length() + 2));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static String whereabouts(ClusterView view, String id) {
        return view.instance(id)
                .filter(instance -> instance.host() != null)
                .map(instance -> " (" + instance.host() + ", pid " + instance.pid() + ")")
                .orElse("");
    }

    private static String text(@Nullable Object value) {
        return Objects.toString(value, "-");
    }

    /** Such as {@code 2 h 5 min}; never negative, whatever the clocks say. */
    static String ago(Duration elapsed) {
        Duration time = elapsed.isNegative() ? Duration.ZERO : elapsed;
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        if (time.toHours() > 0) {
            return time.toHours() + " h " + time.toMinutesPart() + " min";
        }
        if (time.toMinutes() > 0) {
            return time.toMinutes() + " min " + time.toSecondsPart() + " s";
        }
        return time.toSeconds() + " s";
    }
}
