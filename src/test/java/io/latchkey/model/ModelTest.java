package io.latchkey.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.model.Tlc.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The protocol, checked as a model: it holds, and each guard taken out is missed. What is in the model and where in the
 * code it is: {@code src/test/tla/README.md}.
 */
class ModelTest {
    private static final Logger log = LoggerFactory.getLogger(ModelTest.class);

    /** Which invariant each mutant breaks. */
    private static final Map<String, String> MISSED = Map.ofEntries(
            Map.entry("mutant-leader", "OneTermCanClaim"),
            Map.entry("mutant-leader-cursor", "NoDoubleStart"),
            Map.entry("mutant-latch-repair", "OneTermCanClaim"),
            Map.entry("mutant-repair", "OneTermCanClaim"),
            Map.entry("mutant-gate", "NoLateStart"),
            Map.entry("mutant-lease", "NoLateStart"),
            Map.entry("mutant-steps", "NoDoubleStart"),
            Map.entry("mutant-nonce", "NoRunWithoutClaim"),
            Map.entry("mutant-assume", "NoRunWithoutClaim"),
            Map.entry("mutant-session", "NothingLeftOver"),
            Map.entry("mutant-completion", "OneOutcome"),
            Map.entry("mutant-release", "NoDoubleStart"),
            Map.entry("mutant-retry", "NoDoubleStart"),
            Map.entry("mutant-recoveryversion", "OneOutcome"),
            Map.entry("mutant-recoveryfence", "OneTermCanClaim"),
            Map.entry("mutant-draining", "NothingLeftOver"),
            Map.entry("mutant-batch", "NothingLeftOver"),
            Map.entry("mutant-ownnode", "NoneRobbed"),
            Map.entry("mutant-publish-instcheck", "NoneRobbed"),
            Map.entry("mutant-here", "NotTwiceHere"),
            Map.entry("mutant-released", "NotTwiceHere"),
            Map.entry("mutant-process", "NoOverlap"),
            Map.entry("mutant-block", "NoOverlap"),
            Map.entry("mutant-history", "NoDoubleStart"),
            Map.entry("mutant-records-exists", "NoDoubleStart"),
            Map.entry("mutant-memory", "NoDoubleStart"),
            Map.entry("mutant-asinflight", "NoneWasted"),
            Map.entry("mutant-onload", "liveness"),
            Map.entry("mutant-ongone", "liveness"),
            Map.entry("mutant-incarnation", "liveness"));

    static List<String> holding() throws IOException {
        return Tlc.configurations("holds-");
    }

    static List<String> alone() throws IOException {
        return Tlc.configurations("alone-");
    }

    static List<String> mutants() throws IOException {
        return Tlc.configurations("mutant-");
    }

    @Test
    void everyMutantSaysWhatItBreaks() throws Exception {
        assertThat(mutants()).containsExactlyInAnyOrderElementsOf(MISSED.keySet());
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("holding")
    void theProtocolHolds(String configuration) throws Exception {
        assertHolds(configuration);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("alone")
    void aGuardThatAnotherBacksUpIsNotMissedAlone(String configuration) throws Exception {
        assertHolds(configuration);
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("mutants")
    void aGuardTakenOutIsMissed(String configuration) throws Exception {
        Verdict verdict = Tlc.check(configuration);

        assertThat(verdict.violated())
                .as("what %s breaks:%n%s", configuration, verdict.output())
                .isEqualTo(MISSED.get(configuration));
    }

    private static void assertHolds(String configuration) throws Exception {
        Verdict verdict = Tlc.check(configuration);
        log.info("{}: {} distinct states", configuration, verdict.distinctStates());

        assertThat(verdict.violated())
                .as("what does not hold in %s:%n%s", configuration, verdict.output())
                .isEmpty();
        assertThat(verdict.distinctStates()).as("states of %s", configuration).isPositive();
    }
}
