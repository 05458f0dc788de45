package io.latchkey.ledger;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.JsonTrouble;
import java.io.IOException;
import java.util.function.Function;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * The ledger's records as JSON that a person can read: keys and fire ids as one text each, the format version first. An
 * older instance must not act on a record of a newer format.
 */
final class LedgerJson {
    /** The format of every record of this package. */
    static final int FORMAT = 1;

    private static final JsonMapper MAPPER =
            Json.mapper().rebuild().addModule(keys()).build();

    private LedgerJson() {}

    static byte[] write(Object record) {
        try {
            return MAPPER.writeValueAsBytes(tree(record));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + record, e);
        }
    }

    /** The record as a JSON object with its format. */
    static ObjectNode tree(Object record) {
        ObjectNode tree = MAPPER.createObjectNode().put("format", FORMAT);
        tree.setAll((ObjectNode) MAPPER.valueToTree(record));
        return tree;
    }

    /**
     * Reads a record.
     *
     * @throws io.latchkey.zookeeper.FormatTooNewException when a newer version wrote it
     * @throws IllegalArgumentException when it is not what it should be; the message says why and where
     */
    static <T> T read(byte[] data, Class<T> type, String path) {
        ObjectNode tree;
        try {
            tree = Json.read(data, ObjectNode.class, FORMAT, path);
        } catch (io.latchkey.zookeeper.MalformedRecordException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return read(tree, type, path);
    }

    static <T> T read(ObjectNode tree, Class<T> type, String path) {
        try {
            tree.remove("format");
            T record = MAPPER.treeToValue(tree, type);
            Complete.require(record);
            return record;
        } catch (JsonProcessingException | RuntimeException e) {
            throw new IllegalArgumentException(path + " is damaged: " + JsonTrouble.inPlainWords(e), e);
        }
    }

    private static SimpleModule keys() {
        SimpleModule module = new SimpleModule();
        add(module, JobKey.class, KeyText::of, KeyText::job);
        add(module, TriggerKey.class, KeyText::of, KeyText::trigger);
        add(module, FireId.class, FireId::toString, FireId::parse);
        return module;
    }

    private static <T> void add(
            SimpleModule module, Class<T> type, Function<T, String> write, Function<String, T> read) {
        module.addSerializer(type, new StdScalarSerializer<T>(type) {
            @Override
            public void serialize(T value, JsonGenerator out, SerializerProvider provider) throws IOException {
                out.writeString(write.apply(value));
            }
        });
        module.addDeserializer(type, new StdScalarDeserializer<T>(type) {
            @Override
            public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
                return read.apply(in.getValueAsString(""));
            }
        });
        module.addKeyDeserializer(type, new KeyDeserializer() {
            @Override
            public Object deserializeKey(String key, DeserializationContext context) {
                return read.apply(key);
            }
        });
    }
}
