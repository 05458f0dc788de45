package io.latchkey.zookeeper;

import java.util.function.Predicate;

/** A transaction as it would be without one of its guards. */
public final class Rewritten {
    private Rewritten() {}

    /** Without the checks of the nodes that the test names. */
    public static Transaction withoutChecks(Transaction whole, Predicate<String> path) {
        Transaction less = new Transaction();
        whole.steps().stream()
                .filter(step -> !(step.kind() == Transaction.Kind.CHECK && path.test(step.path())))
                .forEach(step -> add(less, step, step.version()));
        return less;
    }

    /** The nodes that the test names are set and deleted whatever their version. */
    public static Transaction withoutVersions(Transaction whole, Predicate<String> path) {
        Transaction less = new Transaction();
        whole.steps()
                .forEach(step -> add(less, step, path.test(step.path()) ? Transaction.ANY_VERSION : step.version()));
        return less;
    }

    private static void add(Transaction to, Transaction.Step step, int version) {
        switch (step.kind()) {
            case CHECK -> to.check(step.path(), version);
            case CREATE -> to.create(step.path(), step.data().bytes(), step.mode());
            case SET -> to.set(step.path(), step.data().bytes(), version);
            case DELETE -> to.delete(step.path(), version);
        }
    }
}
