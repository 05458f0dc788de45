package io.latchkey.drill;

import java.util.List;

/** Every promise, judged. */
final class Checks {
    private static final List<Check> ALL = List.of(
            StartChecks::doubles,
            StartChecks::recoveries,
            StartChecks::tokens,
            StartChecks::cuts,
            OutcomeChecks::accounted,
            OutcomeChecks::matching,
            OutcomeChecks::explained,
            TermChecks::rising,
            TermChecks::takeovers,
            OverlapCheck::run);

    private Checks() {}

    static Findings judge(Evidence evidence) {
        Findings findings = new Findings();
        ALL.forEach(check -> check.run(evidence, findings));
        return findings;
    }
}
