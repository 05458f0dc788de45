package io.latchkey.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Moves a ledger to another ensemble, as lines of JSON: a header with the fencing token to stay above, then one line for
 * each znode, its path under the root and its data. Paths and data are as they stand, so what is written back is what was
 * read; requests and everything ephemeral stay behind.
 */
public final class LedgerExport {
    private static final String KIND = "latchkey-ledger";
    private static final List<String> PARTS = List.of("triggers", "running", "jobs", "history", "paused");

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
     * @return how many records
     * @throws LedgerException when it cannot be read; what was written is of no use then
     */
    public int export(Appendable out) throws LedgerException, IOException {
        List<String> paths = new ArrayList<>(reads.grandchildren(nodes.triggers()));
        paths.addAll(reads.childPaths(nodes.running()));
        paths.addAll(reads.grandchildren(nodes.jobs()));
        paths.addAll(reads.grandchildren(nodes.history()));
        paths.add(nodes.paused());
        List<Found<byte[]>> records = reads.getAll(paths).stream()
                .filter(found -> found.value().length > 0)
                .toList();
        Repair.Seen seen = new Repair(session, nodes, clock).seen();
        ObjectNode header = Json.mapper().createObjectNode();
        header.put("kind", KIND)
                .put("format", LedgerJson.FORMAT)
                .put("token", seen.token())
                .put("term", seen.term());
        line(out, header);
        for (Found<byte[]> found : records) {
            ObjectNode line = Json.mapper().createObjectNode();
            line.put("path", found.path().substring(nodes.root().length() + 1));
            line.put("data", new String(found.value(), StandardCharsets.UTF_8));
            line(out, line);
        }
        return records.size();
    }

    /**
     * Writes an exported ledger into an ensemble that has none, and sets the floor of the fencing tokens.
     *
     * @return how many records
     * @throws LedgerException when there are candidates or records already, when the lines are none of an export, or when
     *     ZooKeeper does not answer; what was written until then is to be deleted before it is tried again
     */
    public int importFrom(Reader in) throws LedgerException, IOException {
        requireEmpty();
        BufferedReader lines = new BufferedReader(in);
        JsonNode header = parse(lines.readLine(), 1);
        if (!KIND.equals(header.path("kind").asText()) || header.path("format").asInt() != LedgerJson.FORMAT) {
            throw new LedgerException("line 1 is not the header of a ledger export that this version knows");
        }
        Parents parents = new Parents();
        int count = 0;
        String line = lines.readLine();
        while (line != null) {
            count++;
            write(parse(line, count + 1), count + 1, parents);
            line = lines.readLine();
        }
        Repair.Result result = new Repair(session, nodes, clock)
                .repair(OptionalLong.of(header.path("token").asLong()));
        if (result instanceof Repair.Result.Candidates) {
            throw new LedgerException("instances joined while the ledger was imported: stop them, and run repair");
        }
        return count;
    }

    private void requireEmpty() throws LedgerException {
        if (!reads.children(nodes.latch()).isEmpty()) {
            throw new LedgerException("there are candidates for the lead: stop all instances first");
        }
        if (!reads.grandchildren(nodes.triggers()).isEmpty()
                || !reads.children(nodes.running()).isEmpty()) {
            throw new LedgerException("there is a ledger under " + nodes.root() + " already");
        }
    }

    private void write(JsonNode line, int number, Parents parents) throws LedgerException {
        String path = line.path("path").asText();
        String first = path.contains("/") ? path.substring(0, path.indexOf('/')) : path;
        if (!PARTS.contains(first)) {
            throw new LedgerException("line " + number + " has a path that is no part of a ledger: " + path);
        }
        byte[] data = line.path("data").asText().getBytes(StandardCharsets.UTF_8);
        String full = nodes.root() + "/" + path;
        try {
            parents.ensureOf(full, session);
            TxResult result = reads.await(
                    session.commitUntilKnown(
                            new Transaction().create(full, data),
                            Part.holds(full, data, 0)::readBack,
                            session.timeout()),
                    full);
            if (!result.isCommitted()) {
                throw new LedgerException("line " + number + ", " + full + ", was not written: " + result);
            }
        } catch (IllegalArgumentException e) {
            throw new LedgerException("line " + number + " cannot be written: " + e.getMessage(), e);
        }
    }

    private static JsonNode parse(@Nullable String line, int number) throws LedgerException {
        try {
            return Json.mapper().readTree(line == null ? "" : line);
        } catch (JsonProcessingException e) {
            throw new LedgerException("line " + number + " is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static void line(Appendable out, ObjectNode node) throws IOException {
        out.append(Json.mapper().writeValueAsString(node)).append('\n');
    }
}
