package io.latchkey.ledger;

import io.latchkey.ledger.Part.Result;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes cursors outside of claims: made, moved past a skip, orphaned, deleted. */
final class CursorWrites {
    private static final Logger log = LoggerFactory.getLogger(CursorWrites.class);

    private final TermWork work;
    private final LedgerLoader loader;

    CursorWrites(TermWork work, LedgerLoader loader) {
        this.work = work;
        this.loader = loader;
    }

    /** A write with its part; {@code skipped} is the record that the part creates as its second operation. */
    private record Planned(
            CursorWrite write, Part part, @Nullable Held skipped) {}

    WriteResult write(List<CursorWrite> writes) {
        Map<TriggerKey, String> failed = new LinkedHashMap<>();
        List<CursorWrite> again = new ArrayList<>(writes);
        for (int round = 0; round < 2 && !again.isEmpty(); round++) {
            List<Planned> planned = new ArrayList<>();
            for (CursorWrite write : again) {
                plan(write, failed).ifPresent(planned::add);
            }
            again.clear();
            List<Result> results =
                    work.writer().commit(planned.stream().map(Planned::part).toList());
            for (int i = 0; i < planned.size(); i++) {
                Planned p = planned.get(i);
                Result result = results.get(i);
                if (result instanceof Result.Fenced fenced) {
                    return new WriteResult.Fenced(fenced.reason());
                } else if (result instanceof Result.Unknown unknown) {
                    return new WriteResult.GivenUp(unknown.why());
                } else if (result instanceof Result.Stands) {
                    stands(p);
                } else if (result instanceof Result.TooLarge tooLarge) {
                    failed.put(p.write().trigger(), tooLarge.why());
                } else if (result instanceof Result.Failed f && round == 0 && mended(p, f, failed)) {
                    again.add(p.write());
                }
            }
        }
        again.forEach(write -> failed.putIfAbsent(write.trigger(), "its znode keeps changing under it"));
        failed.forEach((key, why) -> log.error("The cursor of trigger {} was not written: {}", key, why));
        return new WriteResult.Written(failed);
    }

    private Optional<Planned> plan(CursorWrite write, Map<TriggerKey, String> failed) {
        try {
            Transaction ops = new Transaction();
            if (write instanceof CursorWrite.Put put) {
                work.parents()
                        .ensureOf(work.cursorPath(put.trigger()), work.term().session());
                Part.Proof proof = work.put(ops, put.cursor());
                Held skipped = null;
                if (put.skip().isPresent()) {
                    skipped = new Held(RunningRecord.skipped(put.skip().get(), work.attempt(1)), 0);
                    proof = work.create(ops, skipped.record());
                }
                return Optional.of(new Planned(write, new Part(ops, proof), skipped));
            }
            Optional<Integer> version = work.known().cursorVersion(write.trigger());
            if (version.isEmpty()) {
                return Optional.empty();
            }
            String path = work.cursorPath(write.trigger());
            return Optional.of(new Planned(write, new Part(ops.delete(path, version.get()), Part.gone(path)), null));
        } catch (IllegalArgumentException | LedgerException e) {
            failed.put(write.trigger(), String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private void stands(Planned p) {
        TriggerKey key = p.write().trigger();
        if (p.write() instanceof CursorWrite.Put put) {
            work.known()
                    .cursorVersion(
                            key, work.known().cursorVersion(key).map(v -> v + 1).orElse(0));
            work.known().slot(key, put.cursor().place().previous());
        } else {
            work.known().noCursor(key);
        }
        Held skipped = p.skipped();
        if (skipped != null) {
            work.known().slot(skipped.record().id());
            work.known().ran(work.runningPath(skipped.record().id()));
            work.done().accept(skipped);
        }
    }

    /** Whether a second try can do better: the version as it is now, parents that were deleted, a skip on record. */
    private boolean mended(Planned p, Result.Failed f, Map<TriggerKey, String> failed) {
        TriggerKey key = p.write().trigger();
        if (f.op() > 0 && f.reason() == Reason.NODE_EXISTS && p.write() instanceof CursorWrite.Put put) {
            // The skip is on record: an earlier term was cut off before its cursor moved, or the cursor was set back.
            WriteResult alone = write(List.of(new CursorWrite.Put(put.cursor(), Optional.empty())));
            if (alone instanceof WriteResult.Written written) {
                failed.putAll(written.failed());
            }
            return false;
        }
        try {
            work.parents().forget();
            work.parents().ensure(work.nodes().running(), work.term().session());
            Optional<Found<byte[]>> there = loader.rawCursor(key);
            there.ifPresentOrElse(
                    found -> work.known().cursorVersion(key, found.version()),
                    () -> work.known().noCursor(key));
            log.warn(
                    "The cursor of trigger {} was changed by someone else; it is set to what this leader decided", key);
            return true;
        } catch (LedgerException e) {
            failed.put(key, String.valueOf(e.getMessage()));
            return false;
        }
    }
}
