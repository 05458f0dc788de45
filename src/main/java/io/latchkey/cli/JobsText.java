package io.latchkey.cli;

import io.latchkey.cli.TextTable.Cell;
import io.latchkey.conf.CatchUp;
import io.latchkey.conf.SchedulerSettings;
import io.latchkey.view.FireView;
import io.latchkey.view.JobsView;
import io.latchkey.view.OutcomeView;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code jobs} for people. */
final class JobsText {
    private JobsText() {}

    static void print(JobsView view, Instant now, SchedulerSettings settings, PrintWriter out) {
        if (view.jobs().isEmpty()) {
            out.println("The ledger knows no job yet: the first leader writes them.");
        } else {
            TextTable table = new TextTable("job", "trigger", "next fire", "last outcome", "running");
            view.jobs().forEach(job -> rows(job, now, table));
            table.print(out, Tint.wanted());
        }
        List<String> notes = notes(view, now, settings);
        if (!notes.isEmpty()) {
            out.println();
            notes.forEach(out::println);
        }
    }

    private static void rows(JobsView.Job job, Instant now, TextTable table) {
        OutcomeView last = job.last();
        int lines = Math.max(1, Math.max(job.triggers().size(), job.running().size()));
        for (int line = 0; line < lines; line++) {
            boolean first = line == 0;
            Cell trigger = first ? Cell.NONE : Cell.EMPTY;
            Cell next = trigger;
            if (line < job.triggers().size()) {
                JobsView.Trigger shown = job.triggers().get(line);
                trigger = Cell.of(Printable.name(shown.key()));
                next = next(shown, now);
            } else if (first && job.paused()) {
                next = new Cell("paused", Tint.YELLOW);
            }
            Cell running = first ? Cell.NONE : Cell.EMPTY;
            if (line < job.running().size()) {
                FireView fire = job.running().get(line);
                running = new Cell(
                        FireText.where(fire, now), fire.state() == FireView.State.RUNNING ? Tint.PLAIN : Tint.YELLOW);
            }
            Cell outcome = !first ? Cell.EMPTY : last == null ? Cell.NONE : outcome(last, now);
            table.add(first ? Cell.of(Printable.name(job.key())) : Cell.EMPTY, trigger, next, outcome, running);
        }
    }

    private static Cell next(JobsView.Trigger trigger, Instant now) {
        Instant next = trigger.next();
        Instant orphaned = trigger.orphanedSince();
        if (orphaned != null) {
            return new Cell("not in the conf since " + Times.relative(orphaned, now), Tint.YELLOW);
        }
        if (next == null) {
            return new Cell("finished", Tint.FAINT);
        }
        JobsView.Hold hold = trigger.onHold();
        if (hold != null) {
            return new Cell("on hold, " + slots(hold.slots()) + (hold.slots() == 1 ? " waits" : " wait"), Tint.YELLOW);
        }
        if (trigger.paused()) {
            return new Cell("paused (" + Times.relative(next, now) + ")", Tint.YELLOW);
        }
        return Cell.of(Times.relative(next, now));
    }

    private static Optional<String> hold(JobsView.Trigger trigger) {
        JobsView.Hold hold = trigger.onHold();
        if (hold == null) {
            return Optional.empty();
        }
        String when = hold.slots() == 1
                ? "of " + Times.at(hold.first())
                : "from " + Times.at(hold.first()) + " to " + Times.at(hold.last());
        String effect = hold.runs() == 0
                ? "runs none and skips " + hold.skips()
                : "runs " + hold.runs() + (hold.skips() == 0 ? "" : ", the latest, and skips " + hold.skips());
        String name = Printable.name(trigger.key());
        return Optional.of("Trigger " + name + " is on hold since " + Times.at(hold.since()) + ": "
                + slots(hold.slots()) + " " + when + " missed (as of " + Times.at(hold.counted())
                + "). `latchkey resume --trigger " + name + "` " + effect + ".");
    }

    private static String slots(long count) {
        return count == 1 ? "1 slot" : count + " slots";
    }

    private static Cell outcome(OutcomeView last, Instant now) {
        return OutcomeText.kind(last, " " + Times.relative(last.at(), now));
    }

    private static List<String> notes(JobsView view, Instant now, SchedulerSettings settings) {
        List<String> notes = new ArrayList<>();
        if (view.leader() == null) {
            notes.add("Nobody leads: nothing fires now. `latchkey status` says more.");
        }
        if (view.allPaused()) {
            notes.add("Everything is paused; `latchkey resume --all` goes on.");
        }
        if (view.requests() > 0) {
            notes.add(
                    view.requests() == 1
                            ? "1 request waits for the leader."
                            : view.requests() + " requests wait for the leader.");
        }
        for (JobsView.Job job : view.jobs()) {
            job.triggers().forEach(trigger -> hold(trigger).ifPresent(notes::add));
        }
        Instant threshold = now.minus(settings.misfireThreshold());
        long overdue = view.jobs().stream()
                .flatMap(job -> job.triggers().stream())
                .filter(trigger -> trigger.overdue(threshold))
                .count();
        if (overdue > 0 && view.leader() == null && settings.catchUp() == CatchUp.HOLD) {
            notes.add((overdue == 1 ? "1 trigger is" : overdue + " triggers are")
                    + " overdue; the next leader puts on hold what was missed (scheduler.catch-up).");
        }
        return notes;
    }
}
