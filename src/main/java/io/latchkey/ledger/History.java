package io.latchkey.ledger;

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

    /** What is left of an error text when space is short. */
    private static final int SHORT_ERROR = 160;

    History {
        entries = List.copyOf(entries);
    }

    /** The entries a finished record makes: one for it, and one RECOVERED for each attempt taken over. */
    static List<HistoryEntry> entries(RunningRecord record) {
        Outcome outcome = record.outcome();
        if (outcome == null) {
            throw new IllegalArgumentException(record.id() + " has no outcome yet");
        }
        List<HistoryEntry> out = new ArrayList<>();
        for (Attempt earlier : record.earlier()) {
            Outcome recovered = Outcome.failed(
                    Outcome.Kind.RECOVERED,
                    record.current().claimed(),
                    java.time.Duration.ZERO,
                    "its instance died; run again");
            out.add(new HistoryEntry(
                    record.id(), earlier.number(), earlier.owner(), earlier.claimed(), recovered, null));
        }
        Attempt last = record.current();
        Missed missed = Missed.NONE.equals(record.info().missed())
                ? null
                : record.info().missed();
        out.add(new HistoryEntry(record.id(), last.number(), last.owner(), last.claimed(), outcome, missed));
        return out;
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

    private static History fit(History history) {
        if (LedgerJson.write(history).length <= MAX_BYTES) {
            return history;
        }
        List<HistoryEntry> shorter =
                new ArrayList<>(history.entries.stream().map(History::shorten).toList());
        int bytes = LedgerJson.write(new History(shorter)).length;
        while (bytes > MAX_BYTES) {
            bytes -= LedgerJson.write(shorter.remove(0)).length - "{'format':1,}".length();
        }
        return new History(shorter);
    }

    private static HistoryEntry shorten(HistoryEntry e) {
        Outcome o = e.outcome();
        String error = o.error();
        if (error == null || error.length() <= SHORT_ERROR) {
            return e;
        }
        Outcome cut = new Outcome(o.kind(), o.at(), o.ran(), error.substring(0, SHORT_ERROR) + "…", o.count());
        return new HistoryEntry(e.id(), e.attempt(), e.owner(), e.claimed(), cut, e.missed());
    }
}
