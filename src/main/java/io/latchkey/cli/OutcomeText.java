package io.latchkey.cli;

import io.latchkey.cli.TextTable.Cell;
import io.latchkey.ledger.Outcome;
import io.latchkey.view.OutcomeView;

/** What became of a fire, for people. */
final class OutcomeText {
    private OutcomeText() {}

    static Cell kind(OutcomeView outcome, String more) {
        return new Cell(
                outcome.kind() + more,
                switch (outcome.kind()) {
                    case SUCCEEDED -> Tint.GREEN;
                    case FAILED, ABANDONED, INTERRUPTED -> outcome.retried() == null ? Tint.RED : Tint.YELLOW;
                    case RECOVERED, SKIPPED -> Tint.YELLOW;
                });
    }

    /** What there is to say beside the kind. */
    static String note(OutcomeView outcome) {
        StringBuilder note = new StringBuilder();
        if (outcome.kind() == Outcome.Kind.SKIPPED) {
            note.append(outcome.slots()).append(outcome.slots() == 1 ? " slot" : " slots");
            appendFirst(note, outcome);
        } else if (outcome.catchUp() || outcome.slots() > 1) {
            note.append(outcome.catchUp() ? "catch-up" : "late");
            if (outcome.slots() > 1) {
                note.append(" for ").append(outcome.slots()).append(" slots");
                appendFirst(note, outcome);
            }
        }
        if (outcome.retried() != null && outcome.kind() != Outcome.Kind.RECOVERED) {
            note.append(note.isEmpty() ? "" : "; ").append("tried again");
        }
        String output = outcome.output();
        if (outcome.error() == null && output != null) {
            String last = output.strip();
            note.append(note.isEmpty() ? "" : "; ")
                    .append(Printable.firstLine(last.substring(last.lastIndexOf('\n') + 1)));
        }
        if (outcome.error() != null) {
            note.append(note.isEmpty() ? "" : "; ").append(Printable.firstLine(outcome.error()));
        }
        return note.toString();
    }

    private static void appendFirst(StringBuilder note, OutcomeView outcome) {
        if (outcome.firstSlot() != null && outcome.slots() > 1) {
            note.append(" from ").append(Times.at(outcome.firstSlot()));
        }
    }
}
