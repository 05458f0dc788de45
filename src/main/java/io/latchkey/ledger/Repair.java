package io.latchkey.ledger;

import io.latchkey.election.LeaderRecord;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.MalformedRecordException;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts {@code /leader} back after it was lost, or raises the floor of the fencing tokens after an ensemble was wiped or
 * restored. Works only while no instance is there, as a candidate or out of the latch: a {@code /leader} made anew has
 * version 0 again, and a claim of an old term could pass. No code is trusted for that: the same transaction deletes the
 * parents of the latch nodes and of the instances' nodes, which ZooKeeper refuses while they have children. The next
 * instance makes them again.
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
         * Done.
         *
         * @param nextTerm the number that the next leader's term has
         * @param nextToken its fencing token is this or higher
         * @param created whether {@code /leader} was missing
         */
        record Repaired(long nextTerm, long nextToken, boolean created) implements Result {}

        /** There is nothing to repair, and no higher floor was asked for. */
        record Nothing(long token) implements Result {}

        /**
         * Instances are there; they must be stopped first.
         *
         * @param who the ids, or names of nodes where there is no id
         */
        record Instances(List<String> who) implements Result {}
    }

    /**
     * Repairs {@code /leader}, or says why not.
     *
     * @param floor tokens are to rise above this; empty: above what the records that are left show
     * @throws LedgerException when ZooKeeper does not answer, or the outcome is not known
     */
    public Result repair(OptionalLong floor) throws LedgerException {
        return repair(floor, 0);
    }

    /** The same, with terms to be counted on from {@code lastTerm} where the ensemble shows none later. */
    Result repair(OptionalLong floor, long lastTerm) throws LedgerException {
        Reads reads = new Reads(session);
        List<String> there = instances();
        if (!there.isEmpty()) {
            return new Result.Instances(there);
        }
        Optional<Found<byte[]>> leader = reads.get(nodes.leader());
        Seen seen = seen(reads, leader);
        if (leader.isPresent() && seen.readable && floor.orElse(0) <= seen.token) {
            return new Result.Nothing(seen.token);
        }
        long above = Math.max(seen.token, floor.orElse(0));
        long term = Math.max(seen.term, lastTerm);
        byte[] record = Json.write(LeaderRecord.repaired(term, above, clock.instant()));
        new Parents().ensureOf(nodes.leader(), session);
        Transaction transaction = new Transaction();
        for (String parent : List.of(nodes.latch(), nodes.instances())) {
            if (!(reads.await(session.exists(parent), parent) instanceof Found<?>)) {
                transaction.create(parent, new byte[0]);
            }
            transaction.delete(parent, Transaction.ANY_VERSION);
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
        if (result instanceof TxResult.Refused) {
            there = instances();
            if (!there.isEmpty()) {
                return new Result.Instances(there);
            }
        }
        if (!result.isCommitted()) {
            throw new LedgerException("/leader was not repaired: " + result);
        }
        // A write's id is above those of all writes before it, this one's too.
        long written =
                reads.get(nodes.leader()).map(found -> found.stat().getMzxid()).orElse(0L);
        log.info("/leader repaired: the next term is {}, its fencing token above {}", term + 1, above);
        return new Result.Repaired(term + 1, Math.max(above, written) + 1, leader.isEmpty());
    }

    /** Who is there, in the latch or out of it: the ids, or the nodes' names where there is none. */
    List<String> instances() throws LedgerException {
        Reads reads = new Reads(session);
        List<String> who = new ArrayList<>();
        for (String name : reads.children(nodes.instances())) {
            who.add(readable(name));
        }
        for (Found<byte[]> candidate : reads.startChildren(nodes.latch()).get()) {
            String id = new String(candidate.value(), StandardCharsets.UTF_8);
            who.add(id.isEmpty() ? ZNodes.nameOf(candidate.path()) : id);
        }
        return who.stream().distinct().sorted().toList();
    }

    private static String readable(String name) {
        try {
            return ZNodes.decode(name);
        } catch (IllegalArgumentException e) {
            log.debug("{} is no instance's name", name, e);
            return name;
        }
    }

    /** The highest term and token that the ensemble still shows. */
    record Seen(long term, long token, boolean readable) {
        Seen and(long otherTerm, long otherToken) {
            return new Seen(Math.max(term, otherTerm), Math.max(token, otherToken), readable);
        }

        Seen and(Owner owner) {
            return and(owner.term(), owner.token());
        }
    }

    Seen seen() throws LedgerException {
        Reads reads = new Reads(session);
        return seen(reads, reads.get(nodes.leader()));
    }

    private Seen seen(Reads reads, Optional<Found<byte[]>> leader) throws LedgerException {
        Seen seen = new Seen(0, 0, false);
        if (leader.isPresent()) {
            long zxid = leader.get().stat().getMzxid();
            try {
                LeaderRecord record =
                        Json.read(leader.get().value(), LeaderRecord.class, LeaderRecord.FORMAT, nodes.leader());
                seen = new Seen(record.term(), record.token(zxid), true);
            } catch (MalformedRecordException e) {
                log.warn("{}; it is made anew", e.getMessage());
                seen = seen.and(0, zxid);
            }
        }
        LedgerLoader loader = new LedgerLoader(
                nodes, reads, (record, why, cursor) -> log.warn("{}; what it says of terms is not known", why));
        for (Held held : loader.running()) {
            seen = seen.and(held.record().owner());
        }
        for (History history : loader.histories().values()) {
            for (HistoryEntry entry : history.entries()) {
                seen = seen.and(entry.owner());
            }
        }
        return seen;
    }
}
