package io.latchkey.drill;

import io.latchkey.ledger.RunningRecord;
import io.latchkey.lifecycle.ExitCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What operators' hands do to the znodes. */
final class HandFaults {
    private HandFaults() {}

    /** The leader's latch node is deleted. */
    static final class LatchNode extends Fault {
        LatchNode(Rig rig, SplittableRandom random) {
            super(rig, random);
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            Map.Entry<String, String> first =
                    rig().observer().firstCandidate().orElseThrow(() -> new DrillException("there are no candidates"));
            rig().pause(Duration.ofMillis(random().nextInt(1000)));
            strike();
            rig().observer().delete(first.getKey());
            takeoverWithin(Duration.ZERO);
            return first.getValue();
        }

        @Override
        Duration lasts() {
            return sessions(0.3, 0.6);
        }

        @Override
        void heal() {
            // The service does that.
        }

        @Override
        boolean bit(Aftermath after) {
            return after.newTerm();
        }
    }

    /** {@code /leader} is deleted: nobody may lead until it is repaired, with all instances stopped. */
    static final class LeaderNode extends Fault {
        private static final Duration REPAIR_PATIENCE = Duration.ofMinutes(2);
        private static final int REPAIR_TRIES = 4;
        private static final Duration CLAIMS = Duration.ofSeconds(2);

        private Instant deleted = Instant.MIN;

        LeaderNode(Rig rig, SplittableRandom random) {
            super(rig, random);
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            String leader = rig().leader().instance();
            rig().observer().delete(rig().observer().nodes().leader());
            deleted = Instant.now();
            return "under " + leader;
        }

        @Override
        Duration lasts() {
            return sessions(1, 1.5);
        }

        @Override
        void heal() throws DrillException, InterruptedException {
            List<String> ids = rig().instances().ids();
            for (String id : ids) {
                rig().instances().signal(id, "TERM");
            }
            for (String id : ids) {
                ProcessFaults.stopped(rig(), id);
            }
            // The latch nodes go with the sessions, at once.
            int code = ExitCode.UNREACHABLE.code();
            for (int tries = 0; tries < REPAIR_TRIES && code == ExitCode.UNREACHABLE.code(); tries++) {
                // On a machine that is too slow its session ends before it has done anything: what operators do then.
                code = rig().instances()
                        .command(
                                REPAIR_PATIENCE,
                                "repair",
                                "--conf",
                                rig().instances().confDir(ids.get(0)));
            }
            if (code != 0) {
                rig().incident("bin/latchkey repair ended with exit code " + code);
            }
            rig().instances().startAll();
        }

        @Override
        boolean bit(Aftermath after) {
            long later = after.starts().stream()
                    .filter(start -> start.at().isAfter(deleted.plus(CLAIMS)))
                    .count();
            if (later > 0) {
                rig().incident(later + " fires were started without /leader");
            }
            return after.longestGap().compareTo(Aftermath.GATE) > 0;
        }
    }

    /** A cursor is deleted: its trigger goes on from now. */
    static final class CursorNode extends Fault {
        private static final Duration BACK = Duration.ofSeconds(10);

        private String trigger = "";
        private Instant deleted = Instant.MIN;
        private boolean gone;
        private boolean back;

        CursorNode(Rig rig, SplittableRandom random) {
            super(rig, random);
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            List<DrillTrigger> triggers = DrillJobs.always();
            trigger = triggers.get(random().nextInt(triggers.size())).name();
            rig().pause(Duration.ofMillis(random().nextInt(1000)));
            gone = rig().observer().delete(rig().observer().nodes().trigger(DrillJobs.GROUP, trigger));
            deleted = Instant.now();
            return trigger;
        }

        @Override
        void heal() throws InterruptedException {
            back = rig().await(BACK, () -> {
                Snapshot seen = rig().observer().snapshot();
                return seen.at().isAfter(deleted) && seen.next().containsKey(trigger);
            });
            deletedByHand(trigger, null, deleted, Instant.now());
            if (!back) {
                rig().incident("the cursor of " + trigger + " did not come back");
            }
        }

        @Override
        boolean bit(Aftermath after) {
            return gone && back;
        }
    }

    /** The record of a running fire is deleted: its outcome is lost, but it must not run again. */
    static final class RecordNode extends Fault {
        private boolean gone;

        RecordNode(Rig rig, SplittableRandom random) {
            super(rig, random);
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            for (int i = 0; i < 50 && !gone; i++) {
                List<RunningRecord> running =
                        new ArrayList<>(rig().observer().snapshot().running());
                Collections.shuffle(running, new java.util.Random(random().nextLong()));
                for (RunningRecord record : running) {
                    if (rig().observer()
                            .delete(rig().observer().nodes().running(record.id().toString()))) {
                        gone = true;
                        Instant now = Instant.now();
                        deletedByHand(
                                record.id().trigger().getName(), record.id().slot(), now, now);
                        return record.id().toString();
                    }
                }
                rig().pause(Duration.ofMillis(200));
            }
            return "nothing ran";
        }

        @Override
        Duration lasts() {
            return Duration.ofSeconds(2);
        }

        @Override
        void heal() {
            // Nobody can.
        }

        @Override
        boolean bit(Aftermath after) {
            return gone;
        }
    }
}
