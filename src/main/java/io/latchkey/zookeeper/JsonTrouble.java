package io.latchkey.zookeeper;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import java.util.stream.Collectors;

/** What is wrong with a record's JSON, for people: which field or where, and nothing of the parser's own words. */
public final class JsonTrouble {
    private JsonTrouble() {}

    /** A clause such as {@code it is not JSON (character 7)}. */
    public static String inPlainWords(Exception e) {
        if (e instanceof JsonMappingException mapping) {
            return inField(mapping);
        }
        if (e instanceof JsonProcessingException json) {
            boolean located = e instanceof JsonParseException && json.getLocation() != null;
            return "it is not JSON"
                    + (located ? " (character " + json.getLocation().getColumnNr() + ")" : "");
        }
        return e.getMessage() == null ? "it cannot be read" : e.getMessage();
    }

    private static String inField(JsonMappingException e) {
        String field = e.getPath().stream().map(JsonTrouble::name).collect(Collectors.joining("."));
        Throwable cause = e.getCause();
        if (cause instanceof NullPointerException missing && missing.getMessage() != null) {
            if (!missing.getMessage().matches("\\w+")) {
                return "a field that it must have is missing" + (field.isEmpty() ? "" : " in \"" + field + "\"");
            }
            // Records require their fields by name.
            return "its field \"" + (field.isEmpty() ? "" : field + ".") + missing.getMessage() + "\" is missing";
        }
        if (cause instanceof IllegalArgumentException ours && ours.getMessage() != null) {
            return field.isEmpty() ? ours.getMessage() : "its field \"" + field + "\" is wrong: " + ours.getMessage();
        }
        return field.isEmpty()
                ? "it is not the JSON object that belongs there"
                : "its field \"" + field + "\" is not what it should be";
    }

    private static String name(JsonMappingException.Reference reference) {
        return reference.getFieldName() == null ? String.valueOf(reference.getIndex()) : reference.getFieldName();
    }
}
