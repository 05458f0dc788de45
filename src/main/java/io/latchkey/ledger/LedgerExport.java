package io.latchkey.ledger;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Moves a ledger to another ensemble, as lines of JSON: a header with the fencing token to stay above, then one line for
 * each znode, its path under the root and its data. Paths and data are as they stand, so what is written back is what was
 * read; requests and everything ephemeral stay behind.
 */
public final class LedgerExport {
    private final Session session;
    private final ZNodes nodes;
    private final Clock clock;
    private final Reads reads;

    public LedgerExport(Session session, ZNodes nodes, Clock clock) {
        this.session = session;
        this.nodes = nodes;
        this.clock = clock;
        this.reads = new Reads(session);
    }

    /**
     * Writes the ledger. With a leader at work the result is no single moment's: stop the instances first.
     *
     * @param leftOut told of each record that is damaged, and so of no use: what is wrong with it, its path in it
     * @return how many records
     * @throws io.latchkey.zookeeper.FormatTooNewException for a record of a newer version, which alone knows what belongs to
     *     it; nothing was written
     * @throws LedgerException when it cannot be read; what was written is of no use then
     */
    public int export(Appendable out, Consumer<String> leftOut) throws LedgerException, IOException {
        List<String> paths = new ArrayList<>(reads.grandchildren(nodes.triggers()));
        paths.addAll(reads.childPaths(nodes.running()));
        paths.addAll(reads.grandchildren(nodes.jobs()));
        paths.addAll(reads.grandchildren(nodes.history()));
        paths.add(nodes.paused());
        List<Found<byte[]>> all = reads.getAll(paths);
        all.forEach(found -> Json.requireKnown(found.value(), LedgerJson.FORMAT, found.path()));
        List<Found<byte[]>> records = new ArrayList<>();
        for (Found<byte[]> found : all) {
            if (found.value().length > 0) {
                try {
                    ExportedLines.requireRecord(pathOf(found), found.value());
                    records.add(found);
                } catch (IllegalArgumentException e) {
                    leftOut.accept(nodes.root() + "/" + e.getMessage());
                }
            }
        }
        Repair.Seen seen = new Repair(session, nodes, clock).seen();
        ObjectNode header = Json.mapper().createObjectNode();
        header.put("kind", ExportedLines.KIND)
                .put("format", LedgerJson.FORMAT)
                .put("token", seen.token())
                .put("term", seen.term())
                .put("records", records.size());
        line(out, header);
        for (Found<byte[]> found : records) {
            ObjectNode line = Json.mapper().createObjectNode();
            line.put("path", pathOf(found));
            line.put("data", new String(found.value(), StandardCharsets.UTF_8));
            line(out, line);
        }
        return records.size();
    }

    /**
     * Writes an exported ledger into an ensemble that has none, and sets the floor of the fencing tokens. Every line is
     * checked before the first is written. {@code /leader} is written last: after an import that was cut short nobody can
     * lead.
     *
     * @return how many records
     * @throws ImportRefusedException when there are candidates or a ledger already, or when the lines are no whole export
     *     that this version knows; nothing was written
     * @throws LedgerException when ZooKeeper does not answer; what was written until then is to be deleted before it is
     *     tried again
     */
    public int importFrom(Reader in) throws LedgerException, IOException {
        ExportedLines lines = ExportedLines.read(in);
        requireEmpty();
        Parents parents = new Parents();
        for (ExportedLines.Line line : lines.records()) {
            write(line, parents);
        }
        Repair.Result result = new Repair(session, nodes, clock).repair(OptionalLong.of(lines.token()), lines.term());
        if (result instanceof Repair.Result.Instances) {
            throw new LedgerException("instances joined while the ledger was imported: stop them, and run repair with"
                    + " --token-floor " + lines.token());
        }
        return lines.records().size();
    }

    private void requireEmpty() throws LedgerException {
        List<String> there = new Repair(session, nodes, clock).instances();
        if (!there.isEmpty()) {
            throw new ImportRefusedException(
                    "instances are running here (" + String.join(", ", there) + "): stop all of them first");
        }
        if (!reads.grandchildren(nodes.triggers()).isEmpty()
                || !reads.children(nodes.running()).isEmpty()
                || reads.get(nodes.leader()).isPresent()) {
            throw new ImportRefusedException("there is a ledger under " + nodes.root()
                    + " already: choose another zookeeper.root, or delete what is there if nobody needs it");
        }
    }

    private void write(ExportedLines.Line line, Parents parents) throws LedgerException {
        String path = nodes.root() + "/" + line.path();
        parents.ensureOf(path, session);
        TxResult result = reads.await(
                session.commitUntilKnown(
                        new Transaction().create(path, line.data()),
                        Part.holds(path, line.data(), 0)::readBack,
                        session.timeout()),
                path);
        if (!result.isCommitted()) {
            throw new LedgerException(
                    "line " + line.number() + ", " + path + ", was not written: " + result + ". Delete what is under "
                            + nodes.root() + " before you try again; nobody can lead there until then");
        }
    }

    private String pathOf(Found<byte[]> found) {
        return found.path().substring(nodes.root().length() + 1);
    }

    private static void line(Appendable out, ObjectNode node) throws IOException {
        out.append(Json.mapper().writeValueAsString(node)).append('\n');
    }
}
