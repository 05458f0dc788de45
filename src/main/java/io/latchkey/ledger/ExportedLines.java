package io.latchkey.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.JsonTrouble;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZNodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.quartz.TriggerKey;

/**
 * An exported ledger, read and checked to the last line.
 *
 * @param token what the next fencing token must be above
 * @param term the last term
 * @param records one for each znode
 */
record ExportedLines(long token, long term, List<Line> records) {
    /** Says what the file is. */
    static final String KIND = "latchkey-ledger";

    private static final Map<String, Class<?>> PARTS = Map.of(
            "triggers", Cursor.class,
            "running", RunningRecord.class,
            "jobs", JobData.class,
            "history", History.class,
            "paused", Paused.class);

    /**
     * One znode.
     *
     * @param number of its line
     * @param path under the root
     * @param data as it stood
     */
    // An array's identity matters to nobody: it is written as it is.
    @SuppressWarnings("ArrayRecordComponent")
    record Line(int number, String path, byte[] data) {}

    /**
     * Reads all of it.
     *
     * @throws ImportRefusedException at the first line that is wrong, by its number
     */
    static ExportedLines read(Reader in) throws ImportRefusedException, IOException {
        BufferedReader lines = new BufferedReader(in);
        String first = lines.readLine();
        JsonNode header = parse(first == null ? "" : first, 1);
        if (!KIND.equals(header.path("kind").asText())
                || header.path("format").asInt() < 1
                || header.path("format").asInt() > LedgerJson.FORMAT
                || !header.path("token").isIntegralNumber()) {
            throw new ImportRefusedException("line 1 is not the header of a ledger export that this version knows");
        }
        List<Line> records = new ArrayList<>();
        Set<String> paths = new HashSet<>();
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
            Line line = line(text, records.size() + 2);
            if (!paths.add(line.path())) {
                throw new ImportRefusedException("line " + line.number() + " has a path again: " + line.path());
            }
            records.add(line);
        }
        int expected = header.path("records").asInt(-1);
        if (expected != records.size()) {
            throw new ImportRefusedException("the header counts " + expected + " records, but " + records.size()
                    + " follow: the export is not whole");
        }
        return new ExportedLines(
                header.path("token").asLong(), header.path("term").asLong(), List.copyOf(records));
    }

    private static Line line(String text, int number) throws ImportRefusedException {
        JsonNode node = parse(text, number);
        String path = node.path("path").asText();
        byte[] data = node.path("data").asText().getBytes(StandardCharsets.UTF_8);
        if (!isPart(path.split("/", -1))) {
            throw new ImportRefusedException("line " + number + " has a path that is no part of a ledger: " + path);
        }
        try {
            requireRecord(path, data);
        } catch (FormatTooNewException e) {
            throw new ImportRefusedException("line " + number + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new ImportRefusedException(
                    "line " + number + " is no record: " + e.getMessage()
                            + ". Export anew, or delete the line and correct the header's count",
                    e);
        }
        return new Line(number, path, data);
    }

    private static boolean isPart(String[] parts) {
        Class<?> type = PARTS.get(parts[0]);
        int depth = type == Paused.class ? 1 : type == RunningRecord.class ? 2 : 3;
        return type != null && parts.length == depth;
    }

    /**
     * Makes sure that a record is what its path says.
     *
     * @param path under the root, a part of a ledger
     * @throws FormatTooNewException when a newer version wrote it
     * @throws IllegalArgumentException when it is not; the message begins with the path
     */
    static void requireRecord(String path, byte[] data) {
        String[] parts = path.split("/", -1);
        Class<?> type = PARTS.get(parts[0]);
        if (type == null || !isPart(parts)) {
            throw new IllegalArgumentException(path + " is no part of a ledger");
        }
        for (int i = 1; i < parts.length; i++) {
            requireEncoded(path, parts[i]);
        }
        if (new Transaction().create("/" + path, data).sizeBytes() > Transaction.MAX_BYTES) {
            throw new IllegalArgumentException(path + " takes " + data.length + " bytes, which is too much");
        }
        requireOwnPath(LedgerJson.read(data, type, path), parts);
    }

    private static void requireEncoded(String path, String segment) {
        String decoded = ZNodes.decode(segment);
        if (segment.getBytes(StandardCharsets.UTF_8).length <= ZNodes.MAX_SEGMENT_BYTES
                && !ZNodes.encode(decoded).equals(segment)) {
            throw new IllegalArgumentException(path + " has a name that is not encoded as it should be: " + segment);
        }
    }

    private static void requireOwnPath(Object record, String[] parts) {
        boolean own = true;
        if (record instanceof Cursor cursor) {
            own = cursor.job() != null
                    && cursor.anchor() != null
                    && cursor.place() != null
                    && new TriggerKey(ZNodes.decode(parts[2]), ZNodes.decode(parts[1])).equals(cursor.trigger());
        } else if (record instanceof RunningRecord running) {
            own = running.job() != null
                    && running.current() != null
                    && running.id() != null
                    && running.id().toString().equals(ZNodes.decode(parts[1]));
        }
        if (!own) {
            throw new IllegalArgumentException(String.join("/", parts) + " holds the record of something else");
        }
    }

    private static JsonNode parse(String text, int number) throws ImportRefusedException {
        try {
            return Json.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new ImportRefusedException("line " + number + " is no record: " + JsonTrouble.inPlainWords(e), e);
        }
    }
}
