package io.latchkey.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A job's last outcomes, oldest first: one znode. Immutable.
 *
 * @param entries in the order they ended
 */
record History(List<HistoryEntry> entries) {
    static final History EMPTY = new History(List.of());

    /** What a history may take, so that it goes into a transaction with the records it replaces. */
    static final int MAX_BYTES = 40 * 1024;

    History {
        entries = List.copyOf(entries);
    }

    /** The entries a finished record makes: one for it, and one for each attempt that was tried again or taken over. */
    static List<HistoryEntry> entries(RunningRecord record) {
        Outcome outcome = record.outcome();
        if (outcome == null) {
            throw new IllegalArgumentException(record.id() + " has no outcome yet");
        }
        List<HistoryEntry> out = new ArrayList<>(before(record));
        Attempt last = record.current();
        Missed missed = Missed.NONE.equals(record.info().missed())
                ? null
                : record.info().missed();
        out.add(new HistoryEntry(record.id(), last.number(), last.owner(), last.claimed(), outcome, missed));
        return out;
    }

    /** What became of the attempts of a fire before the current one. */
    static List<HistoryEntry> before(RunningRecord record) {
        List<HistoryEntry> out = new ArrayList<>();
        List<Attempt> earlier = record.earlier();
        for (int i = 0; i < earlier.size(); i++) {
            Attempt attempt = earlier.get(i);
            Instant again = (i + 1 < earlier.size() ? earlier.get(i + 1) : record.current()).claimed();
            Outcome ended = attempt.ended();
            Outcome how = ended != null
                    ? ended
                    : Outcome.failed(Outcome.Kind.RECOVERED, again, Duration.ZERO, "its instance died; run again");
            out.add(new HistoryEntry(
                    record.id(), attempt.number(), attempt.owner(), attempt.claimed(), how, null, again));
        }
        return out;
    }

    /** All there is to show: this, what is not folded yet, and what became of earlier attempts of fires that go on. */
    List<HistoryEntry> shownWith(List<RunningRecord> records) {
        List<RunningRecord> ended =
                records.stream().filter(r -> r.outcome() != null).toList();
        List<HistoryEntry> all = new ArrayList<>(with(ended, Integer.MAX_VALUE).entries());
        records.stream()
                .filter(r -> r.outcome() == null)
                .flatMap(r -> before(r).stream())
                .forEach(all::add);
        all.sort(Comparator.comparing((HistoryEntry e) -> e.outcome().at()));
        return all;
    }

    /** This history with finished records added, the newest {@code limit} kept; adding one twice changes nothing. */
    History with(List<RunningRecord> records, int limit) {
        List<HistoryEntry> all = new ArrayList<>(entries);
        Set<String> there = new HashSet<>();
        entries.forEach(e -> there.add(e.id() + "#" + e.attempt()));
        records.stream()
                .flatMap(r -> entries(r).stream())
                .filter(e -> there.add(e.id() + "#" + e.attempt()))
                .forEach(all::add);
        all.sort(Comparator.comparing((HistoryEntry e) -> e.outcome().at()));
        return fit(new History(all.subList(Math.max(0, all.size() - limit), all.size())));
    }

    /** What is oldest gives way first: first it is shortened, then it goes. */
    private static History fit(History history) {
        int bytes = LedgerJson.write(history).length;
        if (bytes <= MAX_BYTES) {
            return history;
        }
        List<HistoryEntry> shorter = new ArrayList<>(history.entries);
        for (int i = 0; i < shorter.size() && bytes > MAX_BYTES; i++) {
            HistoryEntry whole = shorter.get(i);
            HistoryEntry brief = new HistoryEntry(
                    whole.id(),
                    whole.attempt(),
                    whole.owner(),
                    whole.claimed(),
                    whole.outcome().brief(),
                    whole.missed(),
                    whole.retried());
            if (!brief.equals(whole)) {
                bytes -= LedgerJson.write(whole).length - LedgerJson.write(brief).length;
                shorter.set(i, brief);
            }
        }
        while (bytes > MAX_BYTES) {
            bytes -= LedgerJson.write(shorter.remove(0)).length - "{'format':1,}".length();
        }
        return new History(shorter);
    }
}
