package io.latchkey.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.common.PathUtils;
import org.apache.zookeeper.data.ACL;

/**
 * What one ZooKeeper transaction does, in order: all of it or nothing. A builder; not thread-safe while being built, and
 * not to be changed once committed.
 *
 * <p>ZooKeeper answers a request over its buffer limit by dropping the connection, so a transaction past
 * {@value #MAX_BYTES} bytes or {@value #MAX_OPS} operations is refused here, before anything is sent.
 */
public final class Transaction {
    public static final int MAX_BYTES = 64 * 1024;
    public static final int MAX_OPS = 100;

    /** Any version will do. */
    public static final int ANY_VERSION = -1;

    /** What an operation's header, lengths, version and ACL come to, rounded up. */
    private static final int OVERHEAD = 80;

    private final List<Step> steps = new ArrayList<>();
    private int sizeBytes;

    enum Kind {
        CHECK,
        CREATE,
        SET,
        DELETE
    }

    /** One operation: data is empty for those that carry none, the mode matters for a creation alone. */
    record Step(Kind kind, String path, Payload data, int version, CreateMode mode) {
        Op toOp(List<ACL> acl) {
            return switch (kind) {
                case CHECK -> Op.check(path, version);
                case CREATE -> Op.create(path, data.bytes(), acl, mode);
                case SET -> Op.setData(path, data.bytes(), version);
                case DELETE -> Op.delete(path, version);
            };
        }

        /** The node's data version after this operation, or {@link OpOutcome#UNKNOWN_VERSION}. */
        int versionAfter() {
            return switch (kind) {
                case CHECK -> version;
                case CREATE -> 0;
                case SET -> version == ANY_VERSION ? OpOutcome.UNKNOWN_VERSION : version + 1;
                case DELETE -> OpOutcome.UNKNOWN_VERSION;
            };
        }
    }

    /** Bytes of a node, kept out of a record's equality. */
    static final class Payload {
        static final Payload NONE = new Payload(new byte[0]);
        private final byte[] bytes;

        Payload(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /** Requires that the node exists, at this version unless it is {@link #ANY_VERSION}. */
    public Transaction check(String path, int version) {
        return add(new Step(Kind.CHECK, path, Payload.NONE, version, CreateMode.PERSISTENT));
    }

    public Transaction create(String path, byte[] data, CreateMode mode) {
        return add(new Step(Kind.CREATE, path, new Payload(data), ANY_VERSION, mode));
    }

    /** A persistent node. */
    public Transaction create(String path, byte[] data) {
        return create(path, data, CreateMode.PERSISTENT);
    }

    public Transaction set(String path, byte[] data, int version) {
        return add(new Step(Kind.SET, path, new Payload(data), version, CreateMode.PERSISTENT));
    }

    public Transaction delete(String path, int version) {
        return add(new Step(Kind.DELETE, path, Payload.NONE, version, CreateMode.PERSISTENT));
    }

    /** Appends all operations of another transaction. */
    public Transaction addAll(Transaction other) {
        List.copyOf(other.steps).forEach(this::add);
        return this;
    }

    private Transaction add(Step step) {
        PathUtils.validatePath(step.path(), step.mode().isSequential());
        steps.add(step);
        sizeBytes += OVERHEAD
                + step.path().getBytes(StandardCharsets.UTF_8).length
                + step.data().bytes().length;
        return this;
    }

    /** The number of operations. */
    public int size() {
        return steps.size();
    }

    /** What it takes on the wire, near enough, never less. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /** Whether another transaction can be appended and the limits still hold. */
    public boolean hasRoomFor(Transaction other) {
        return size() + other.size() <= MAX_OPS && sizeBytes + other.sizeBytes <= MAX_BYTES;
    }

    public boolean isEmpty() {
        return steps.isEmpty();
    }

    List<Step> steps() {
        return steps;
    }

    boolean hasSequential() {
        return steps.stream().anyMatch(step -> step.mode().isSequential());
    }

    /**
     * Refuses what must not be sent.
     *
     * @throws TransactionTooLargeException naming the limit passed
     */
    void requireWithinLimits() {
        if (size() > MAX_OPS || sizeBytes > MAX_BYTES) {
            throw new TransactionTooLargeException(size(), sizeBytes);
        }
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder("Transaction[");
        String separator = "";
        for (Step step : steps) {
            out.append(separator).append(step.kind()).append(' ').append(step.path());
            if (step.version() != ANY_VERSION) {
                out.append('@').append(step.version());
            }
            separator = ", ";
        }
        return out.append(']').toString();
    }
}
