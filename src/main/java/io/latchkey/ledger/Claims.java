package io.latchkey.ledger;

import io.latchkey.ledger.Attempted.Use;
import io.latchkey.ledger.Part.Result;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.TxResult.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims batches of fires for one term. Where a part failed at one operation, that operation says why: what can be mended
 * (a parent deleted by hand, a fire that has a record already) is tried again without it, the rest is dropped.
 */
final class Claims {
    private static final Logger log = LoggerFactory.getLogger(Claims.class);
    private static final int ROUNDS = 4;

    private final TermWork work;
    private final LedgerLoader loader;
    private final Consumer<Claimed> late;

    /** @param late told of claims given up that are found to stand: never started, to be released */
    Claims(TermWork work, LedgerLoader loader, Consumer<Claimed> late) {
        this.work = work;
        this.loader = loader;
        this.late = late;
    }

    List<ClaimResult> claim(List<ClaimRequest> batch) {
        List<Attempted> all = batch.stream().map(Attempted::new).toList();
        refuseBeyondTheLimit(all);
        for (int round = 0; round < ROUNDS; round++) {
            List<Attempted> open = new ArrayList<>();
            List<Part> parts = new ArrayList<>();
            for (Attempted a : all) {
                if (a.result == null) {
                    build(a).ifPresent(part -> {
                        open.add(a);
                        parts.add(part);
                    });
                }
            }
            if (open.isEmpty()) {
                break;
            }
            List<Result> results = work.writer().commit(parts, part -> foundLate(open.get(parts.indexOf(part))));
            for (int i = 0; i < open.size(); i++) {
                settle(open.get(i), results.get(i));
            }
        }
        List<ClaimResult> out = new ArrayList<>(all.size());
        for (Attempted a : all) {
            ClaimResult result = a.result;
            out.add(result != null ? result : new ClaimResult.Refused(a.id(), "its znodes keep changing under it"));
        }
        return out;
    }

    private void refuseBeyondTheLimit(List<Attempted> all) {
        int more = 0;
        for (Attempted a : all) {
            if (!(a.request instanceof ClaimRequest.Retake)) {
                Optional<String> full = work.known().full(++more);
                if (full.isPresent()) {
                    a.result = new ClaimResult.Refused(a.id(), full.get());
                }
            }
        }
    }

    /** Empty, with a result set, where the request cannot be written at all. */
    private Optional<Part> build(Attempted a) {
        if (a.request instanceof ClaimRequest.Due due
                && work.known().cursorVersion(due.id().trigger()).isEmpty()) {
            // A due slot without a cursor: it was deleted under this term, and is to be made anew first.
            conflict(a, "there is no cursor");
            return Optional.empty();
        }
        if (a.request instanceof ClaimRequest.Due due && a.withRecord) {
            Instant latest = work.known().latest(due.id().trigger());
            if (latest != null && !due.id().slot().isAfter(latest)) {
                // A cursor set back by hand, or made anew by a clock that is behind: its record may be history by now.
                log.error("{} is not run: its trigger has run {} already. The trigger goes on", a.id(), latest);
                a.withRecord = false;
            }
        }
        try {
            a.build(work);
        } catch (IllegalArgumentException e) {
            log.error("{} cannot be claimed and is not run: {}", a.id(), e.getMessage());
            a.result = new ClaimResult.Refused(a.id(), String.valueOf(e.getMessage()));
        }
        return Optional.ofNullable(a.result == null ? a.part : null);
    }

    private void foundLate(Attempted a) {
        Held held = a.held;
        if (held != null) {
            work.known().ran(work.runningPath(a.id()));
            late.accept(new Claimed(held, work.term()));
        }
    }

    private void settle(Attempted a, Result result) {
        if (result instanceof Result.Stands stands) {
            stands(a, stands);
        } else if (result instanceof Result.Failed failed) {
            failed(a, failed);
        } else if (result instanceof Result.Fenced fenced) {
            a.result = new ClaimResult.Fenced(a.id(), fenced.reason());
        } else if (result instanceof Result.TooLarge tooLarge) {
            log.error("{} cannot be claimed and is not run: {}", a.id(), tooLarge.why());
            a.result = new ClaimResult.Refused(a.id(), tooLarge.why());
        } else if (result instanceof Result.Unknown unknown) {
            a.result = new ClaimResult.GivenUp(a.id(), unknown.why());
        }
    }

    private void stands(Attempted a, Result.Stands stands) {
        int cursor = a.opOf(Use.CURSOR);
        if (cursor >= 0) {
            work.known()
                    .cursorVersion(a.id().trigger(), stands.ops().get(cursor).version());
        }
        work.known().slot(a.id());
        Held skipped = a.skipped;
        if (skipped != null) {
            work.known().ran(work.runningPath(skipped.record().id()));
            work.done().accept(skipped);
        }
        Held held = a.held;
        if (held == null) {
            a.result = new ClaimResult.AlreadyDecided(a.id(), "this slot was claimed before");
        } else {
            work.known().claimed(work.runningPath(a.id()));
            a.result = new Claimed(held, work.term());
        }
    }

    private void failed(Attempted a, Result.Failed failed) {
        boolean parentMissing = failed.reason() == Reason.NO_NODE;
        switch (a.use(failed.op())) {
            case CURSOR -> conflict(a, "it was changed or deleted by hand");
            case REQUEST -> a.result = new ClaimResult.AlreadyDecided(a.id(), "the request is gone: answered before");
            case RETAKE -> a.result = new ClaimResult.AlreadyDecided(a.id(), "its record has changed or is gone");
            case RECORD -> {
                if (parentMissing) {
                    mendParents(a);
                } else {
                    log.error("{} has a running record already: it is not run again, its trigger goes on", a.id());
                    a.withRecord = false;
                }
            }
            case SKIP -> {
                if (parentMissing) {
                    mendParents(a);
                } else {
                    a.withSkip = false;
                }
            }
        }
    }

    private void mendParents(Attempted a) {
        try {
            work.parents().forget();
            work.parents().ensure(work.nodes().running(), work.term().session());
        } catch (LedgerException e) {
            log.error("{} cannot be claimed and is not run now", a.id(), e);
            a.result = new ClaimResult.GivenUp(a.id(), String.valueOf(e.getMessage()));
        }
    }

    private void conflict(Attempted a, String why) {
        TriggerKey key = a.id().trigger();
        // Said by who plans the trigger anew.
        log.debug("{} is not run: the cursor of its trigger is not as this leader left it, {}", a.id(), why);
        try {
            Optional<Found<byte[]>> there = loader.rawCursor(key);
            there.ifPresentOrElse(
                    found -> work.known().cursorVersion(key, found.version()),
                    () -> work.known().noCursor(key));
            @Nullable Cursor current = there.isPresent() ? LedgerLoader.readable(key, there.get()) : null;
            a.result =
                    new ClaimResult.CursorConflict(a.id(), current, work.known().latest(key));
        } catch (FormatTooNewException e) {
            a.result = new ClaimResult.GivenUp(
                    a.id(), String.valueOf(work.forbid(e).getMessage()));
        } catch (LedgerException e) {
            log.error("The cursor of trigger {} cannot be read", key, e);
            a.result = new ClaimResult.GivenUp(a.id(), String.valueOf(e.getMessage()));
        }
    }
}
