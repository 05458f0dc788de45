package io.latchkey.conf;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the runs of a job are bounded, tried again, and told of. The same names mean the same in job data
 * ({@code latchkey.timeout}), of a job or over it of a trigger, and as defaults in conf ({@code jobs.timeout}). Immutable.
 *
 * @param timeout after which an attempt is interrupted and has failed; empty for none
 * @param retries how many more attempts a fire gets when one has failed
 * @param retryBackoff the pause before the first retry; it doubles with each, and is spread by up to a fifth
 * @param retryBackoffMax no pause is longer, but the first
 * @param retryPastNext whether a fire may still be tried again when its trigger's next one has come due
 * @param onLeadershipLost what becomes of a run whose instance may not be the leader any more
 * @param onFailure a shell command or an http(s) URL, called once a fire has failed for good; empty for none. A URL may
 *     refer to secrets as those of HTTP jobs do: {@code ${env:NAME}}, {@code ${file:/path}}
 */
public record RunPolicy(
        Optional<Duration> timeout,
        int retries,
        Duration retryBackoff,
        Duration retryBackoffMax,
        boolean retryPastNext,
        LeadershipLost onLeadershipLost,
        Optional<String> onFailure) {
    /** What becomes of a run whose instance may not be the leader any more. */
    public enum LeadershipLost {
        INTERRUPT,
        CONTINUE
    }

    public static final String TIMEOUT = "timeout";
    public static final String RETRIES = "retries";
    public static final String RETRY_BACKOFF = "retry-backoff";
    public static final String RETRY_BACKOFF_MAX = "retry-backoff-max";
    public static final String RETRY_PAST_NEXT = "retry-past-next";
    public static final String ON_LEADERSHIP_LOST = "on-leadership-lost";
    public static final String ON_FAILURE = "on-failure";

    /** All names, without the prefix that says where they stand. */
    public static final List<String> NAMES = List.of(
            TIMEOUT, RETRIES, RETRY_BACKOFF, RETRY_BACKOFF_MAX, RETRY_PAST_NEXT, ON_LEADERSHIP_LOST, ON_FAILURE);

    private static final Range<Duration> TIMEOUTS = new Range<>(Duration.ofMillis(1), Duration.ofDays(365));
    private static final Range<Duration> PAUSES = new Range<>(Duration.ZERO, Duration.ofDays(30));
    // Each failed attempt is kept in the fire's record, which is one znode.
    private static final Range<Integer> RETRY_COUNT = new Range<>(0, 50);
    private static final Pattern WITH_SCHEME = Pattern.compile("(?i)([a-z][a-z0-9+.-]*)://.*");
    /** To a secret, as jobs that call URLs have them: what it stands for is not known here. */
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file):[^{}]+}");

    private static final String NONE = "none";

    /** What is so where nobody says anything. */
    public static final RunPolicy DEFAULT = new RunPolicy(
            Optional.empty(),
            0,
            Duration.ofSeconds(10),
            Duration.ofMinutes(10),
            false,
            LeadershipLost.INTERRUPT,
            Optional.empty());

    public RunPolicy {
        timeout.ifPresent(limit -> TIMEOUTS.require(TIMEOUT, limit));
        RETRY_COUNT.require(RETRIES, retries);
        PAUSES.require(RETRY_BACKOFF, retryBackoff);
        PAUSES.require(RETRY_BACKOFF_MAX, retryBackoffMax);
    }

    /**
     * The same with one of them as a user wrote it.
     *
     * @param name one of {@link #NAMES}
     * @throws IllegalArgumentException with what is wrong and, after a colon, what to write
     */
    public RunPolicy with(String name, String text) {
        String value = text.strip();
        return switch (name) {
            case TIMEOUT ->
                new RunPolicy(
                        value.equalsIgnoreCase(NONE)
                                ? Optional.empty()
                                : Optional.of(Values.checked(TIMEOUTS, duration(value, " or none"))),
                        retries,
                        retryBackoff,
                        retryBackoffMax,
                        retryPastNext,
                        onLeadershipLost,
                        onFailure);
            case RETRIES -> {
                int count = Values.checked(RETRY_COUNT, Values.wholeNumber(value));
                yield new RunPolicy(
                        timeout, count, retryBackoff, retryBackoffMax, retryPastNext, onLeadershipLost, onFailure);
            }
            case RETRY_BACKOFF -> {
                Duration pause = Values.checked(PAUSES, duration(value, ""));
                yield new RunPolicy(
                        timeout, retries, pause, retryBackoffMax, retryPastNext, onLeadershipLost, onFailure);
            }
            case RETRY_BACKOFF_MAX -> {
                Duration most = Values.checked(PAUSES, duration(value, ""));
                yield new RunPolicy(timeout, retries, retryBackoff, most, retryPastNext, onLeadershipLost, onFailure);
            }
            case RETRY_PAST_NEXT -> {
                boolean past = Values.flag(value);
                yield new RunPolicy(timeout, retries, retryBackoff, retryBackoffMax, past, onLeadershipLost, onFailure);
            }
            case ON_LEADERSHIP_LOST -> {
                LeadershipLost lost = leadershipLost(value);
                yield new RunPolicy(timeout, retries, retryBackoff, retryBackoffMax, retryPastNext, lost, onFailure);
            }
            case ON_FAILURE ->
                new RunPolicy(
                        timeout,
                        retries,
                        retryBackoff,
                        retryBackoffMax,
                        retryPastNext,
                        onLeadershipLost,
                        value.equalsIgnoreCase(NONE) ? Optional.empty() : Optional.of(hook(value)));
            default -> throw new IllegalArgumentException("is no part of a run policy: " + String.join(", ", NAMES));
        };
    }

    /** The pause after the attempt that was the {@code failed}th to fail, counted from 1, before it is spread. */
    public Duration pauseAfter(int failed) {
        Duration pause = retryBackoff;
        for (int i = 1; i < failed && pause.compareTo(retryBackoffMax) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return failed > 1 && pause.compareTo(retryBackoffMax) > 0 ? max(retryBackoffMax, retryBackoff) : pause;
    }

    /** Whether {@link #onFailure} is a URL, or begins with a reference to one, rather than a command. */
    public static boolean isUrl(String hook) {
        return hook.startsWith("${env:")
                || hook.startsWith("${file:")
                || hook.regionMatches(true, 0, "http://", 0, 7)
                || hook.regionMatches(true, 0, "https://", 0, 8);
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    private static Duration duration(String value, String orElse) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("is empty: write a duration such as 30s or 5m" + orElse);
        }
        return Durations.parse(value);
    }

    private static LeadershipLost leadershipLost(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "interrupt" -> LeadershipLost.INTERRUPT;
            case "continue" -> LeadershipLost.CONTINUE;
            default -> throw new IllegalArgumentException("is neither interrupt nor continue: write one of them");
        };
    }

    private static String hook(String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("is empty: write a shell command, an http(s) URL or none");
        }
        if (isUrl(value)) {
            try {
                String url = REFERENCE.matcher(value).replaceAll("x");
                if (!REFERENCE.matcher(value).lookingAt() && new URI(url).getHost() == null) {
                    throw new IllegalArgumentException("is no URL: it names no host");
                }
            } catch (URISyntaxException e) {
                throw new IllegalArgumentException("is no URL: " + e.getReason(), e);
            }
        } else if (WITH_SCHEME.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "is neither a shell command nor a URL that can be called: write http:// or https://");
        }
        return value;
    }
}
