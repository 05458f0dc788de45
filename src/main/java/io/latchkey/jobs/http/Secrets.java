package io.latchkey.jobs.http;

import io.latchkey.jobs.http.Template.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of one call: looked up when they are needed, so that a new one counts from the next run on, and taken out of
 * whatever is shown afterwards. Used by one thread.
 */
final class Secrets {
    private static final int MAX_BYTES = 64 * 1024;
    private static final String HIDDEN = "***";
    /** A form of a secret that is shorter than this is hidden nowhere but as the secret itself. */
    private static final int MIN_FORM = 4;

    private final UnaryOperator<@Nullable String> environment;
    private final Set<String> forms = new LinkedHashSet<>();

    Secrets(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    /** @throws HttpCallException if it is not there or empty */
    String get(Kind kind, String name) throws HttpCallException {
        String secret = kind == Kind.ENV ? variable(name) : file(name);
        if (secret.isBlank()) {
            throw new HttpCallException(kind == Kind.ENV ? "the variable " + name + " is empty" : name + " is empty");
        }
        forms.add(secret);
        addForms(secret);
        secret.lines().forEach(this::addForms);
        return secret;
    }

    private String variable(String name) throws HttpCallException {
        String value = environment.apply(name);
        if (value == null) {
            throw new HttpCallException("there is no variable " + name + " in the environment of this instance");
        }
        return value;
    }

    private static String file(String name) throws HttpCallException {
        Path file = Path.of(name);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new HttpCallException(name + " is longer than " + MAX_BYTES + " bytes: that is no secret");
            }
            return new String(bytes, StandardCharsets.UTF_8).replaceAll("[\\r\\n]+$", "");
        } catch (IOException e) {
            throw new HttpCallException("the file " + name + " cannot be read on this instance ("
                    + e.getClass().getSimpleName() + ")");
        }
    }

    /** As others may write it: a receiver that answers with what it was sent does. */
    private void addForms(String secret) {
        String encoded = URLEncoder.encode(secret, StandardCharsets.UTF_8);
        List<String> written = List.of(
                secret,
                encoded,
                encoded.replace("+", "%20"),
                secret.replace("\\", "\\\\").replace("\"", "\\\"").replace("/", "\\/"),
                secret.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"),
                Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8)),
                decoded(secret));
        for (String form : written) {
            if (form.length() >= MIN_FORM) {
                forms.add(form);
            }
        }
        String credentials = decoded(secret);
        String password = credentials.substring(credentials.indexOf(':') + 1);
        if (password.length() >= MIN_FORM) {
            forms.add(password);
        }
    }

    /** What a value for {@code Authorization: Basic} says in plain; empty if it is none. */
    private static String decoded(String secret) {
        try {
            String plain = new String(Base64.getDecoder().decode(secret), StandardCharsets.UTF_8);
            return plain.chars().allMatch(c -> c >= 0x20 && c < 0x7f) ? plain : "";
        } catch (IllegalArgumentException e) {
            // Most secrets are not in Base64.
            return "";
        }
    }

    /** The text without any of the secrets. */
    String hide(String text) {
        String shown = text;
        List<String> longestFirst = forms.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
        for (String form : longestFirst) {
            shown = shown.replace(form, HIDDEN);
        }
        return shown;
    }
}
