package io.latchkey.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Persisted job data: scalars that keep their Java type. A long or a float is written as {@code {"long": 5}}, because
 * plain JSON would give an int or a double back and the job's own cast would fail after a failover.
 *
 * @param data by name, each value text, boolean, int, double (plain), long, float, short, byte, char (tagged) or null
 */
record JobData(ObjectNode data) {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    static JobData of(Map<String, ? extends @Nullable Object> values) {
        ObjectNode out = NODES.objectNode();
        values.forEach((name, value) -> out.set(name, encode(name, value)));
        return new JobData(out);
    }

    Map<String, @Nullable Object> values() {
        Map<String, @Nullable Object> out = new LinkedHashMap<>();
        data.properties().forEach(e -> out.put(e.getKey(), decode(e.getKey(), e.getValue())));
        return out;
    }

    private static JsonNode encode(String name, @Nullable Object value) {
        if (value == null) {
            return NODES.nullNode();
        } else if (value instanceof String s) {
            return NODES.textNode(s);
        } else if (value instanceof Boolean b) {
            return NODES.booleanNode(b);
        } else if (value instanceof Integer i) {
            return NODES.numberNode(i);
        } else if (value instanceof Double d && Double.isFinite(d)) {
            return NODES.numberNode(d);
        } else if (value instanceof Long
                || value instanceof Float
                || value instanceof Double
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Character) {
            return NODES.objectNode().put(tag(value), value.toString());
        }
        throw new IllegalArgumentException("job data \"" + name + "\" is a "
                + value.getClass().getName() + ": only text, numbers, booleans and null can be kept across instances");
    }

    private static String tag(Object value) {
        return value.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }

    private static @Nullable Object decode(String name, JsonNode node) {
        if (node.isNull()) {
            return null;
        } else if (node.isTextual()) {
            return node.textValue();
        } else if (node.isBoolean()) {
            return node.booleanValue();
        } else if (node.isInt()) {
            return node.intValue();
        } else if (node.isNumber()) {
            return node.doubleValue();
        } else if (node.isObject() && node.size() == 1) {
            Map.Entry<String, JsonNode> tagged = node.properties().iterator().next();
            String text = tagged.getValue().asText();
            return switch (tagged.getKey()) {
                case "long" -> Long.valueOf(text);
                case "float" -> Float.valueOf(text);
                case "double" -> Double.valueOf(text);
                case "short" -> Short.valueOf(text);
                case "byte" -> Byte.valueOf(text);
                case "character" -> text.charAt(0);
                default -> throw new IllegalArgumentException("job data \"" + name + "\" is " + node);
            };
        }
        throw new IllegalArgumentException("job data \"" + name + "\" is " + node);
    }
}
