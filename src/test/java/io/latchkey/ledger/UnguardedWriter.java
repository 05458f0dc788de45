package io.latchkey.ledger;

import io.latchkey.election.Term;
import io.latchkey.ledger.Part.Result;
import io.latchkey.zookeeper.Rewritten;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Writes as a leader does, some of its guards taken out. */
final class UnguardedWriter extends FencedWriter {
    /** What a write is guarded by. */
    enum Guard {
        LEADER_VERSION,
        LATCH_NODE,
        CURSOR_VERSION,
        RECORD_VERSION
    }

    private final Term term;
    private final ZNodes nodes;
    private final Set<Guard> out;

    /** @param out the guards that are not there */
    UnguardedWriter(Term term, ZNodes nodes, Set<Guard> out) {
        super(term);
        this.term = term;
        this.nodes = nodes;
        this.out = Set.copyOf(out);
    }

    @Override
    Transaction fence() {
        return Rewritten.withoutChecks(
                term.fenced(),
                path -> (out.contains(Guard.LEADER_VERSION) && path.equals(nodes.leader()))
                        || (out.contains(Guard.LATCH_NODE) && path.equals(term.latchNode())));
    }

    @Override
    synchronized List<Result> commit(List<Part> parts, Consumer<Part> late) {
        List<Part> less = new ArrayList<>();
        for (Part part : parts) {
            less.add(new Part(
                    Rewritten.withoutVersions(
                            part.ops(),
                            path -> (out.contains(Guard.CURSOR_VERSION) && path.startsWith(nodes.triggers()))
                                    || (out.contains(Guard.RECORD_VERSION) && path.startsWith(nodes.running()))),
                    part.proof()));
        }
        return super.commit(less, part -> late.accept(parts.get(less.indexOf(part))));
    }
}
