package io.latchkey.ledger;

import io.latchkey.election.LeaderRecord;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts {@code /leader} back after it was lost, or raises the floor of the fencing tokens after an ensemble was wiped or
 * restored. Works only while no instance is a candidate: a {@code /leader} made anew has version 0 again, and a claim of
 * an old term could pass. No code is trusted for that: the same transaction deletes the latch's parent, which ZooKeeper
 * refuses while it has children.
 */
public final class Repair {
    private static final Logger log = LoggerFactory.getLogger(Repair.class);

    private final Session session;
    private final ZNodes nodes;
    private final Clock clock;

    public Repair(Session session, ZNodes nodes, Clock clock) {
        this.session = session;
        this.nodes = nodes;
        this.clock = clock;
    }

    /** What became of a repair. */
    public sealed interface Result {
        /**
         * Done: the next term's token is above this.
         *
         * @param floor of the fencing tokens
         * @param created whether {@code /leader} was missing
         */
        record Repaired(long floor, boolean created) implements Result {}

        /** There is nothing to repair, and no higher floor was asked for. */
        record Nothing(String why) implements Result {}

        /** Instances are candidates; they must be stopped first. */
        record Candidates(int count) implements Result {}
    }

    /**
     * Repairs {@code /leader}, or says why not.
     *
     * @param floor tokens are to rise above this; empty: above what running records and {@code /leader} show
     * @throws LedgerException when ZooKeeper does not answer, or the outcome is not known
     */
    public Result repair(OptionalLong floor) throws LedgerException {
        return repair(floor, 0);
    }

    /** The same, with terms to be counted on from {@code lastTerm} where the ensemble shows none later. */
    Result repair(OptionalLong floor, long lastTerm) throws LedgerException {
        Reads reads = new Reads(session);
        int candidates = reads.children(nodes.latch()).size();
        if (candidates > 0) {
            return new Result.Candidates(candidates);
        }
        Optional<Found<byte[]>> leader = reads.get(nodes.leader());
        Seen seen = seen(reads, leader);
        if (leader.isPresent() && seen.readable && floor.orElse(0) <= seen.token) {
            return new Result.Nothing("/leader is there, and its token " + seen.token + " is no lower than asked for");
        }
        long above = Math.max(seen.token, floor.orElse(0));
        long term = Math.max(seen.term, lastTerm);
        byte[] record = Json.write(LeaderRecord.repaired(term, above, clock.instant()));
        new Parents().ensureOf(nodes.leader(), session);
        Transaction transaction = new Transaction();
        if (reads.await(session.exists(nodes.latch()), nodes.latch()) instanceof Found<?>) {
            transaction.delete(nodes.latch(), Transaction.ANY_VERSION);
        } else {
            transaction.create(nodes.latch(), new byte[0]).delete(nodes.latch(), Transaction.ANY_VERSION);
        }
        int version = leader.map(Found::version).orElse(-1);
        if (leader.isPresent()) {
            transaction.set(nodes.leader(), record, version);
        } else {
            transaction.create(nodes.leader(), record);
        }
        TxResult result = reads.await(
                session.commitUntilKnown(
                        transaction, Part.holds(nodes.leader(), record, version + 1)::readBack, session.timeout()),
                "repair");
        if (result instanceof TxResult.Refused refused && refused.index() == 0) {
            return new Result.Candidates(
                    Math.max(1, reads.children(nodes.latch()).size()));
        }
        if (!result.isCommitted()) {
            throw new LedgerException("/leader was not repaired: " + result);
        }
        log.info("/leader repaired: the next term is {}, its fencing token above {}", term + 1, above);
        return new Result.Repaired(above, leader.isEmpty());
    }

    /** The highest term and token that the ensemble still shows. */
    record Seen(long term, long token, boolean readable) {}

    Seen seen() throws LedgerException {
        Reads reads = new Reads(session);
        return seen(reads, reads.get(nodes.leader()));
    }

    private Seen seen(Reads reads, Optional<Found<byte[]>> leader) throws LedgerException {
        long term = 0;
        long token = 0;
        boolean readable = false;
        if (leader.isPresent()) {
            try {
                LeaderRecord record =
                        Json.read(leader.get().value(), LeaderRecord.class, LeaderRecord.FORMAT, nodes.leader());
                term = record.term();
                token = record.token(leader.get().stat().getMzxid());
                readable = true;
            } catch (io.latchkey.zookeeper.MalformedRecordException e) {
                log.warn("{}; it is made anew", e.getMessage());
            }
        }
        for (Held held : new LedgerLoader(nodes, reads).running()) {
            term = Math.max(term, held.record().owner().term());
            token = Math.max(token, held.record().owner().token());
        }
        return new Seen(term, token, readable);
    }
}
