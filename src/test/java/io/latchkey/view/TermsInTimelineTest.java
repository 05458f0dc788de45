package io.latchkey.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.ledger.PastTerm;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A time without a leader shows in the picture, and only where there was one. */
class TermsInTimelineTest {
    private static final Instant T = Instant.parse("2026-11-29T12:00:00Z");

    @Test
    void aTermEndsWhereItsLeaderSaysSo() {
        assertThat(until(term(1, at(0), at(50), at(52)), term(2, at(90), at(95), null)))
                .isEqualTo(at(52));
    }

    @Test
    void aTermThatJustStoppedEndsWhereItWasLastKnown() {
        assertThat(until(term(1, at(0), at(50), null), term(2, at(90), at(95), null)))
                .isEqualTo(at(50));
        assertThat(until(term(1, at(0), at(50), null))).isEqualTo(at(50));
    }

    @Test
    void noNewsForAMomentIsNoEnd() {
        assertThat(until(term(1, at(0), at(85), null), term(2, at(90), at(95), null)))
                .isEqualTo(at(90));
        assertThat(until(term(1, at(0), at(95), null))).isNull();
    }

    @Test
    void whatWasNeverWrittenIsNotMadeUp() {
        assertThat(until(term(1, at(0), null, null), term(2, at(90), at(95), null)))
                .isEqualTo(at(90));
        assertThat(until(term(1, at(0), null, null))).isNull();
    }

    private static @Nullable Instant until(PastTerm... terms) {
        return TimelineView.leadership(List.of(terms), at(100), at(0).minusSeconds(1), at(100))
                .get(0)
                .until();
    }

    private static PastTerm term(long number, Instant since, @Nullable Instant alive, @Nullable Instant ended) {
        return new PastTerm(number, number, "a", since, alive, ended);
    }

    private static Instant at(int seconds) {
        return T.plus(Duration.ofSeconds(seconds));
    }
}
