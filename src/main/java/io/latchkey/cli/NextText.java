package io.latchkey.cli;

import io.latchkey.cli.TextTable.Cell;
import java.io.PrintWriter;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** Fires to come, for a person: on the clocks of their zone and in UTC; a line where the clocks are moved. */
final class NextText {
    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss xxx", Locale.ROOT);

    private NextText() {}

    static void print(NextView view, PrintWriter out) {
        TextTable table = new TextTable("local time", "zone", "UTC", "job", "trigger");
        Deque<NextView.ClockChange> changes = new ArrayDeque<>(view.clockChanges());
        boolean seen = false;
        for (NextView.Fire fire : view.fires()) {
            while (!changes.isEmpty() && !changes.element().at().isAfter(fire.at())) {
                change(changes.remove(), table);
            }
            table.add(
                    Cell.of(fire.clock().format(LOCAL) + (fire.startsWhenSeen() ? " *" : "")),
                    Cell.of(fire.zone()),
                    Cell.of(Times.at(fire.at())),
                    Cell.of(Printable.name(fire.jobKey())),
                    Cell.of(Printable.name(fire.triggerKey())));
            seen |= fire.startsWhenSeen();
        }
        table.print(out, Tint.wanted());
        if (seen) {
            out.println();
            out.println(
                    "* if it is first seen now: the trigger names no start time. `latchkey jobs` has the real ones.");
        }
    }

    private static void change(NextView.ClockChange change, TextTable table) {
        table.note(
                "-- " + change.zone() + ": the clocks go " + (change.forward() ? "forward" : "back") + ", "
                        + change.offsetBefore() + " to " + change.offsetAfter() + ", at " + Times.at(change.at()),
                Tint.YELLOW);
        for (NextView.Effect effect : change.effects()) {
            table.note("   " + Printable.name(effect.triggerKey()) + ": " + effect.effect(), Tint.YELLOW);
        }
    }
}
