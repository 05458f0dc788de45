package io.latchkey.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunPolicyTest {
    @Test
    void pausesDoubleUpToTheLongest() {
        RunPolicy policy = RunPolicy.DEFAULT.with("retry-backoff", "10s").with("retry-backoff-max", "1m");

        assertThat(policy.pauseAfter(1)).isEqualTo(Duration.ofSeconds(10));
        assertThat(policy.pauseAfter(2)).isEqualTo(Duration.ofSeconds(20));
        assertThat(policy.pauseAfter(3)).isEqualTo(Duration.ofSeconds(40));
        assertThat(policy.pauseAfter(4)).isEqualTo(Duration.ofMinutes(1));
        assertThat(policy.pauseAfter(50)).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void firstPauseThatIsLongerThanTheLongestStays() {
        RunPolicy policy = RunPolicy.DEFAULT.with("retry-backoff", "1h");

        assertThat(policy.pauseAfter(1)).isEqualTo(Duration.ofHours(1));
        assertThat(policy.pauseAfter(5)).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void noneTakesBackWhatADefaultGives() {
        RunPolicy policy = RunPolicy.DEFAULT.with("timeout", "30s").with("on-failure", "https://hooks.example/x");

        assertThat(policy.timeout()).contains(Duration.ofSeconds(30));
        assertThat(policy.with("timeout", "none").timeout()).isEmpty();
        assertThat(policy.with("on-failure", " None ").onFailure()).isEmpty();
    }

    @Test
    void urlMayReferToSecrets() {
        assertThat(RunPolicy.isUrl(RunPolicy.DEFAULT
                        .with("on-failure", "${env:ALERT_URL}")
                        .onFailure()
                        .orElseThrow()))
                .isTrue();
        assertThat(RunPolicy.isUrl(RunPolicy.DEFAULT
                        .with("on-failure", "https://hooks.example/${file:/etc/alert token}")
                        .onFailure()
                        .orElseThrow()))
                .isTrue();
        assertThat(RunPolicy.isUrl("logger \"$LATCHKEY_FIRE_ID\"")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        timeout            | 30                | has no unit
        timeout            | 0s                | must be between 1ms and 365d
        timeout            | ''                | is empty: write a duration
        retries            | many              | is not a whole number
        retries            | 51                | must be between 0 and 50
        retries            | -1                | must be between 0 and 50
        retry-backoff      | soon              | is not a duration
        retry-backoff-max  | 31d               | must be between 0s and 30d
        retry-past-next    | yes               | is neither true nor false
        on-leadership-lost | stop              | is neither interrupt nor continue
        on-failure         | ''                | is empty
        on-failure         | ftp://host/x      | is neither a shell command nor a URL
        on-failure         | https:///x        | is no URL
        on-failure         | http://ho st/     | is no URL
        """)
    void badValuesAreRefused(String name, String value, String why) {
        assertThatThrownBy(() -> RunPolicy.DEFAULT.with(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
