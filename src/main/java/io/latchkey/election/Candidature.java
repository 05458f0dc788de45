package io.latchkey.election;

import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a session to a place in the latch, and back: publishes this instance, looks for what forbids leading, joins. The
 * {@code leadership} thread's own.
 */
final class Candidature {
    // The election speaks under one name.
    private static final Logger log = LoggerFactory.getLogger(Leadership.class);

    private final Standing standing;
    private final Profile profile;
    private final LatchElector latch;
    private final Backoff backoff;
    private final ZooKeeperClient client;
    private final Joining joining;
    private final TermTaker taker;
    private final Obstacles obstacles;
    private final Consumer<DuplicateInstanceException> whenDuplicate;
    private final Runnable whenJoined;

    /**
     * @param whenDuplicate told that another has the id
     * @param whenJoined run each time this instance is a candidate, or found that it must not be one
     */
    Candidature(
            Shared shared,
            ZooKeeperClient client,
            Joining joining,
            TermTaker taker,
            Obstacles obstacles,
            Consumer<DuplicateInstanceException> whenDuplicate,
            Runnable whenJoined) {
        this.standing = shared.standing();
        this.profile = shared.profile();
        this.latch = shared.latch();
        this.backoff = shared.backoff();
        this.client = client;
        this.joining = joining;
        this.taker = taker;
        this.obstacles = obstacles;
        this.whenDuplicate = whenDuplicate;
        this.whenJoined = whenJoined;
    }

    void leaveSession(Membership membership, String why) {
        latch.leave();
        standing.membership = null;
        if (standing.role != Role.JOINING) {
            profile.become(Role.JOINING, why);
        }
        Session session = membership.session();
        if (!session.alive()) {
            return;
        }
        // Others take this incarnation for dead, or will: going on under it would make two truths of one session.
        log.warn("Ending {} to come back under a new one: {}", session, why);
        try {
            client.curator().getZookeeperClient().reset();
        } catch (Exception e) {
            log.error("Ending {} failed; it is tried again when Curator has noticed its loss", session, e);
        }
    }

    @Nullable
    Membership join() throws InterruptedException {
        Optional<Membership> membership;
        try {
            membership = joining.tryJoin();
        } catch (NotConnectedException e) {
            log.debug("Not connected yet", e);
            return null;
        } catch (DuplicateInstanceException e) {
            whenDuplicate.accept(e);
            return null;
        }
        standing.membership = membership.orElse(null);
        return membership.orElse(null);
    }

    /** Joins the latch, unless something speaks against it. */
    boolean apply(Membership membership) throws InterruptedException {
        if (backoff.active()) {
            if (standing.role == Role.JOINING) {
                profile.become(Role.BACKING_OFF, "in a new session; still standing back: " + standing.trouble);
            }
            return false;
        }
        Optional<String> obstacle;
        try {
            obstacle = obstacles.look(membership.session());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (membership.session().connected()) {
                String trouble = "it cannot be told whether anything in ZooKeeper forbids leading: " + e.getMessage();
                log.warn("Not joining the latch, {}. Tried again", trouble);
                if (standing.role != Role.BLOCKED) {
                    standing.trouble = trouble;
                }
                backoff.begin();
            }
            log.debug("Cannot tell whether anything forbids leading", e);
            return false;
        }
        if (obstacle.isPresent()) {
            obstacles.block(obstacle.get());
        } else {
            standing.trouble = "";
            taker.follow(membership.session());
            latch.join(membership.session());
            if (standing.role != Role.STANDBY) {
                profile.become(
                        Role.STANDBY,
                        "joined the latch in session " + membership.session().incarnation());
            }
        }
        whenJoined.run();
        return obstacle.isEmpty();
    }
}
