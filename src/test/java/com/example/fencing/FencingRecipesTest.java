package com.example.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.jobs.http.FireHeaders;
import io.latchkey.jobs.http.HttpCaller;
import io.latchkey.jobs.http.HttpData;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The recipes that the README has for systems that jobs write to, as it has them. */
class FencingRecipesTest {
    private static final Pattern PARAMETER = Pattern.compile(":([a-z_]+)");
    private static final String REPORT = "finance.report";
    private static final String OTHER = "finance.other";

    private enum Result {
        WRITTEN,
        STALE,
        DONE_BEFORE
    }

    private final String database = "jdbc:h2:mem:fence-" + System.nanoTime() + ";DB_CLOSE_DELAY=-1";
    private List<String> statements = List.of();

    @BeforeEach
    void create() throws Exception {
        statements = resource()
                .lines()
                .filter(line -> !line.startsWith("--") && !line.isBlank())
                .toList();
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements.subList(0, 3)) {
                statement.execute(sql);
            }
            statement.execute(statements.get(2).replace(REPORT, OTHER));
            statement.execute("CREATE TABLE ledger (entry VARCHAR(100))");
        }
    }

    @Test
    void readmeShowsWhatIsTestedHere() throws Exception {
        String readme = Files.readString(Path.of("README.md"));
        String java = Files.readString(Path.of("src/test/java/com/example/fencing/FencedReceiver.java"));
        String recipe = java.substring(java.indexOf("// recipe\n") + "// recipe\n".length(), java.indexOf("    // end"))
                .indent(-4);

        assertThat(readme).contains("```sql\n" + resource() + "```");
        assertThat(readme).contains("```java\n" + recipe + "```");
    }

    @Test
    void staleTokenWritesNothing() throws Exception {
        assertThat(run(REPORT, 42, "a")).isEqualTo(Result.WRITTEN);
        assertThat(run(REPORT, 41, "b")).isEqualTo(Result.STALE);
        assertThat(run(REPORT, 43, "c")).isEqualTo(Result.WRITTEN);
        assertThat(run(REPORT, 43, "d")).isEqualTo(Result.WRITTEN);

        assertThat(entries()).containsExactly("a", "c", "d");
    }

    @Test
    void secondAttemptOfAFireChangesNothing() throws Exception {
        assertThat(run(REPORT, 42, "a")).isEqualTo(Result.WRITTEN);
        assertThat(run(REPORT, 42, "a")).isEqualTo(Result.DONE_BEFORE);
        assertThat(run(REPORT, 43, "a")).isEqualTo(Result.DONE_BEFORE);

        assertThat(entries()).containsExactly("a");
    }

    @Test
    void attemptThatFailedHalfWayMayBeMadeAgain() throws Exception {
        try (Connection connection = connect()) {
            assertThat(fence(connection, REPORT, 42, "a")).isEqualTo(Result.WRITTEN);
            connection.rollback();
        }

        assertThat(run(REPORT, 43, "a")).isEqualTo(Result.WRITTEN);
    }

    @Test
    void jobThatDrainsOnTheOldLeaderIsNotRefusedForAnotherJobsToken() throws Exception {
        assertThat(run(OTHER, 42, "of the new leader")).isEqualTo(Result.WRITTEN);
        assertThat(run(REPORT, 41, "of the old one")).isEqualTo(Result.WRITTEN);
    }

    @Test
    void newerRunWaitsForTheTransactionOfTheOlderAndThenShutsItOut() throws Exception {
        try (Connection old = connect()) {
            assertThat(fence(old, REPORT, 41, "a")).isEqualTo(Result.WRITTEN);
            CompletableFuture<Result> newer = CompletableFuture.supplyAsync(() -> {
                try {
                    return run(REPORT, 42, "a");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            write(old, "a");
            old.commit();

            assertThat(newer.get()).isEqualTo(Result.DONE_BEFORE);
        }
        assertThat(run(REPORT, 41, "b")).isEqualTo(Result.STALE);
        assertThat(entries()).containsExactly("a");
    }

    @Test
    void receiverRefusesTheStaleAndTakesEachFireOnce() throws Exception {
        try (FencedReceiver receiver = new FencedReceiver()) {
            assertThat(call(receiver, REPORT, 42, 1, "a")).isEqualTo(200);
            assertThat(call(receiver, REPORT, 41, 1, "b")).isEqualTo(409);
            assertThat(call(receiver, REPORT, 42, 2, "a")).isEqualTo(200);
            assertThat(call(receiver, OTHER, 41, 1, "c")).isEqualTo(200);
            assertThat(call(receiver, REPORT, 43, 1, "d")).isEqualTo(200);

            assertThat(receiver.done()).containsExactly("a", "c", "d");
        }
    }

    /** As an HTTP job calls it. */
    private static int call(FencedReceiver receiver, String job, long token, int attempt, String fire)
            throws Exception {
        Map<String, String> headers = FireHeaders.of(fire, Instant.EPOCH, token, attempt, job);
        HttpData data = HttpData.of(Map.of("url", receiver.url(), "body", fire));
        return HttpCaller.call(data.call(), headers).status();
    }

    /** A run of a job that writes its fire into the ledger. */
    private Result run(String job, long token, String fire) throws SQLException {
        try (Connection connection = connect()) {
            Result result = fence(connection, job, token, fire);
            if (result == Result.STALE) {
                connection.rollback();
                return result;
            }
            if (result == Result.WRITTEN) {
                write(connection, fire);
            }
            connection.commit();
            return result;
        }
    }

    private Result fence(Connection connection, String job, long token, String fire) throws SQLException {
        Map<String, Object> values = Map.of("job", job, "token", token, "fire_id", fire);
        if (update(connection, statements.get(3), values) == 0) {
            return Result.STALE;
        }
        return update(connection, statements.get(4), values) == 0 ? Result.DONE_BEFORE : Result.WRITTEN;
    }

    private static int update(Connection connection, String sql, Map<String, Object> values) throws SQLException {
        List<String> names = new ArrayList<>();
        Matcher matcher = PARAMETER.matcher(sql);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        try (PreparedStatement statement = connection.prepareStatement(matcher.replaceAll("?"))) {
            for (int i = 0; i < names.size(); i++) {
                statement.setObject(i + 1, values.get(names.get(i)));
            }
            return statement.executeUpdate();
        }
    }

    private static void write(Connection connection, String entry) throws SQLException {
        update(connection, "INSERT INTO ledger VALUES (:entry)", Map.of("entry", entry));
    }

    private List<String> entries() throws SQLException {
        try (Connection connection = DriverManager.getConnection(database);
                ResultSet rows = connection.createStatement().executeQuery("SELECT entry FROM ledger")) {
            List<String> entries = new ArrayList<>();
            while (rows.next()) {
                entries.add(rows.getString(1));
            }
            return entries.stream().sorted().toList();
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(database);
        connection.setAutoCommit(false);
        return connection;
    }

    private static String resource() throws IOException {
        try (InputStream in = FencingRecipesTest.class.getResourceAsStream("/fencing/fence.sql")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
