package io.latchkey.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who may act: operators by their bearer tokens. The file has one on each line, {@code name:token}, or a token alone, which
 * is then the operator's called "operator"; empty lines and those with a # at the beginning do not count. Immutable.
 */
public final class Tokens {
    /** Nobody may act. */
    static final Tokens NONE = new Tokens(List.of());

    private static final int MIN_LENGTH = 16;
    private static final int MAX_NAME = 40;

    private final List<Operator> operators;

    private Tokens(List<Operator> operators) {
        this.operators = List.copyOf(operators);
    }

    // An array's identity matters to nobody here.
    @SuppressWarnings("ArrayRecordComponent")
    private record Operator(String name, byte[] digest) {}

    /**
     * Reads the file.
     *
     * @throws ConsoleException if it cannot be read, holds no token or a bad one, or others than its owner's group can read
     *     it; no token is part of the message
     */
    public static Tokens read(Path file) throws ConsoleException {
        String what = "http.token-file " + file;
        List<String> lines;
        try {
            refuseIfOpen(file, what);
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ConsoleException(what + " cannot be read (" + e + "). Write the tokens there, one a line", e);
        }
        List<Operator> operators = new ArrayList<>();
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                operators.add(operator(line, what + ", line " + number));
            }
        }
        if (operators.isEmpty()) {
            throw new ConsoleException(
                    what + " holds no token. Write one, such as the output of: openssl rand -hex 32");
        }
        return new Tokens(operators);
    }

    private static void refuseIfOpen(Path file, String what) throws IOException, ConsoleException {
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.OTHERS_READ)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new ConsoleException(
                    what + " can be read or written by everybody on this host. Close it: chmod 600 " + file);
        }
    }

    private static Operator operator(String line, String where) throws ConsoleException {
        int colon = line.indexOf(':');
        String name = colon < 0 ? "operator" : line.substring(0, colon).strip();
        String token = line.substring(colon + 1).strip();
        if (name.isEmpty() || name.length() > MAX_NAME || !name.matches("[A-Za-z0-9._@-]+")) {
            throw new ConsoleException(
                    where + ": the operator's name must be of letters, digits and . _ @ -, at most " + MAX_NAME);
        }
        if (token.length() < MIN_LENGTH || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new ConsoleException(where + ": a token must have " + MIN_LENGTH
                    + " characters or more, visible ASCII and no spaces. Make one with: openssl rand -hex 32");
        }
        return new Operator(name, digest(token));
    }

    /** Whether anybody may act. */
    boolean any() {
        return !operators.isEmpty();
    }

    /** Whose token it is, if anybody's. Takes as long for a wrong one as for a right one. */
    Optional<String> operator(String token) {
        byte[] given = digest(token);
        Optional<String> found = Optional.empty();
        for (Operator operator : operators) {
            // Of digests, so that neither length nor content tells by the time it takes.
            if (MessageDigest.isEqual(operator.digest(), given)) {
                found = Optional.of(operator.name());
            }
        }
        return found;
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
