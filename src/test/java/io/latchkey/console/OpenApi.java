package io.latchkey.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.zookeeper.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The API's document, and a check of answers against it: no field that it does not have, none missing that it promises. */
final class OpenApi {
    private final JsonNode document;

    OpenApi() throws IOException {
        try (InputStream in = OpenApi.class.getResourceAsStream("openapi.json")) {
            document = Json.mapper().readTree(in);
        }
    }

    /** Method and path of each operation, such as {@code GET /leader}. */
    Set<String> operations() {
        Set<String> out = new LinkedHashSet<>();
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(
                                method -> out.add(method.toUpperCase(java.util.Locale.ROOT) + " " + path.getKey())));
        return out;
    }

    /** The names of the query parameters of an operation. */
    Set<String> parameters(String path) {
        Set<String> out = new LinkedHashSet<>();
        document.path("paths").path(path).path("get").path("parameters").forEach(parameter -> {
            if (parameter.path("in").asText().equals("query")) {
                out.add(parameter.path("name").asText());
            }
        });
        return out;
    }

    JsonNode schema(String name) {
        return document.path("components").path("schemas").path(name);
    }

    /** The fields that a schema itself has, without those of one it extends. */
    Set<String> fields(String name) {
        JsonNode schema = schema(name);
        JsonNode own = schema.has("allOf") ? schema.path("allOf").path(1) : schema;
        Set<String> out = new LinkedHashSet<>();
        own.path("properties").fieldNames().forEachRemaining(out::add);
        return out;
    }

    /** What is wrong with the answer to an operation; empty if nothing is. */
    List<String> problems(String method, String path, int status, JsonNode answer) {
        JsonNode content = document.path("paths")
                .path(path)
                .path(method.toLowerCase(java.util.Locale.ROOT))
                .path("responses")
                .path(String.valueOf(status))
                .path("content");
        List<String> problems = new ArrayList<>();
        if (!content.isObject()) {
            problems.add(method + " " + path + " has no answer " + status);
        } else {
            check(content.iterator().next().path("schema"), answer, path, problems);
        }
        return problems;
    }

    private void check(JsonNode schema, JsonNode value, String at, List<String> problems) {
        if (schema.has("$ref")) {
            String ref = schema.path("$ref").asText();
            check(schema(ref.substring(ref.lastIndexOf('/') + 1)), value, at, problems);
            return;
        }
        if (schema.has("allOf") || schema.has("properties")) {
            Map<String, JsonNode> fields = new LinkedHashMap<>();
            Set<String> required = new LinkedHashSet<>();
            collect(schema, fields, required);
            value.fieldNames().forEachRemaining(name -> {
                if (fields.containsKey(name)) {
                    check(fields.get(name), value.get(name), at + "." + name, problems);
                } else {
                    problems.add(at + "." + name + " is not in the document");
                }
            });
            required.stream()
                    .filter(name -> !value.has(name))
                    .forEach(name -> problems.add(at + "." + name + " is missing in the answer"));
            return;
        }
        String type = schema.path("type").asText();
        boolean fits = switch (type) {
            case "array" -> value.isArray();
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            case "object" -> value.isObject();
            default -> value.isTextual();
        };
        if (!fits) {
            problems.add(at + " is no " + type + ": " + value);
        } else if (type.equals("array")) {
            value.forEach(item -> check(schema.path("items"), item, at + "[]", problems));
        } else if (schema.has("enum")) {
            Set<String> names = new LinkedHashSet<>();
            schema.path("enum").forEach(name -> names.add(name.asText()));
            if (!names.contains(value.asText())) {
                problems.add(at + " is none of " + names + ": " + value);
            }
        }
    }

    private void collect(JsonNode schema, Map<String, JsonNode> fields, Set<String> required) {
        if (schema.has("$ref")) {
            String ref = schema.path("$ref").asText();
            collect(schema(ref.substring(ref.lastIndexOf('/') + 1)), fields, required);
        }
        schema.path("allOf").forEach(part -> collect(part, fields, required));
        schema.path("properties").properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        schema.path("required").forEach(name -> required.add(name.asText()));
    }
}
