package io.latchkey.zookeeper;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The znodes' data: JSON on one line that a person can read in ZooKeeper's CLI, instants and durations as ISO-8601, fields
 * in the order the record declares them, absent ones left out.
 *
 * <p>Every record has an int {@code format}. A reader takes its own format and older ones, and ignores fields it does not
 * know; a newer format is one that must not be read by this version.
 */
public final class Json {
    private static final String FORMAT = "format";

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .build();

    private Json() {}

    /** The mapper itself, for output that is not a record, such as the CLI's; do not change it. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /**
     * A record's bytes.
     *
     * @throws IllegalArgumentException if the record's type cannot be written
     */
    public static byte[] write(Object record) {
        try {
            return MAPPER.writeValueAsBytes(record);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Cannot be written as JSON: " + record.getClass(), e);
        }
    }

    /**
     * Looks at the format alone, whatever else the bytes hold; what is no record of ours passes.
     *
     * @param knownFormat the newest format this version knows for the record
     * @throws FormatTooNewException if it was written by a newer version
     */
    public static void requireKnown(byte[] data, int knownFormat, String path) {
        try {
            int format = format(MAPPER.readTree(data));
            if (format > knownFormat) {
                throw new FormatTooNewException(path, format, knownFormat);
            }
        } catch (IOException e) {
            // Garbage is of no format; who reads it says so.
            return;
        }
    }

    /** From 1; 0 where there is none. */
    private static int format(@Nullable JsonNode tree) {
        JsonNode format = tree == null ? null : tree.get(FORMAT);
        return format == null || !format.isInt() ? 0 : format.intValue();
    }

    /**
     * The record that the bytes hold.
     *
     * @param knownFormat the newest format this version knows for the type
     * @param path where the data comes from, for the messages
     * @throws FormatTooNewException if the record was written by a newer version
     * @throws MalformedRecordException if it is no such record
     */
    public static <T> T read(byte[] data, Class<T> type, int knownFormat, String path) {
        if (data.length == 0) {
            throw new MalformedRecordException(path, "it is empty");
        }
        try {
            JsonNode tree = MAPPER.readTree(data);
            int format = format(tree);
            if (format < 1) {
                throw new MalformedRecordException(path, "it has no \"format\", a number from 1");
            }
            if (format > knownFormat) {
                throw new FormatTooNewException(path, format, knownFormat);
            }
            T record = MAPPER.treeToValue(tree, type);
            if (record == null) {
                throw new MalformedRecordException(path, "it is null");
            }
            return record;
        } catch (IOException e) {
            throw new MalformedRecordException(path, e);
        }
    }
}
