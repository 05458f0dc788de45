package io.latchkey.election;

import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Session;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What in ZooKeeper forbids this instance to lead, until a person has acted. The {@code leadership} thread's own. */
final class Obstacles {
    // The election speaks under one name.
    private static final Logger log = LoggerFactory.getLogger(Leadership.class);

    private final Standing standing;
    private final Profile profile;
    private final TermTaker taker;
    private final TermWorker worker;
    private final Backoff backoff;

    /** The record of a newer version that keeps this instance out of the latch. */
    private @Nullable FormatTooNewException newer;

    Obstacles(Standing standing, Profile profile, TermTaker taker, TermWorker worker, Backoff backoff) {
        this.standing = standing;
        this.profile = profile;
        this.taker = taker;
        this.worker = worker;
        this.backoff = backoff;
    }

    /** One read while a known obstacle is there still; everything is looked through when that is gone. */
    Optional<String> look(Session session) throws Exception {
        FormatTooNewException known = newer;
        if (known != null && taker.isStillNewer(session, known)) {
            return Optional.of(TermTaker.advice(known));
        }
        newer = null;
        Optional<String> obstacle = taker.obstacle(session);
        if (obstacle.isEmpty()) {
            try {
                worker.inspect();
            } catch (FormatTooNewException e) {
                newer = e;
                return Optional.of(TermTaker.advice(e));
            }
        }
        return obstacle;
    }

    /** A term met a record of a newer version. */
    void met(FormatTooNewException record) {
        newer = record;
    }

    /** The record of a newer version that is known, as what it forbids; empty if none is. */
    Optional<String> known() {
        return Optional.ofNullable(newer).map(TermTaker::advice);
    }

    /** Not a candidate; said once, also over changes of session, and looked at again after a short pause. */
    void block(String obstacle) {
        boolean news = !standing.trouble.equals(obstacle);
        if (news) {
            log.error("This instance must not lead, and stays out of the latch: {}", obstacle);
            standing.trouble = obstacle;
        }
        if (standing.role != Role.BLOCKED) {
            profile.become(Role.BLOCKED, "what is in ZooKeeper forbids leading");
        } else if (news) {
            profile.publish();
        }
        backoff.reset();
        backoff.begin();
    }
}
