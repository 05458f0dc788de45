package io.latchkey.drill;

import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Owner;
import io.latchkey.lifecycle.Threads;
import io.latchkey.zookeeper.ReadFailedException;
import io.latchkey.zookeeper.Session;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * Looks at {@link TextbookService}, which has a latch and nothing else: whoever is first in it leads, and what has ended is
 * what the run log says has ended.
 */
final class TextbookObserver extends Observer {
    private final DrillFiles files;

    TextbookObserver(Ensemble ensemble, DrillFiles files, Threads threads) throws DrillException {
        super(ensemble, threads);
        this.files = files;
    }

    @Override
    Snapshot see(Session session, Instant at) throws ReadFailedException, TimeoutException {
        List<Candidate> candidates = candidates(session);
        Map<String, String> sessions = new HashMap<>();
        candidates.forEach(candidate -> sessions.putIfAbsent(candidate.instance(), candidate.session()));
        Optional<Sightings.LeaderSeen> leader = candidates.stream()
                .findFirst()
                .map(first -> new Sightings.LeaderSeen(at, first.instance(), first.made(), first.made()));
        leader.ifPresent(this::note);
        Map<String, Instant> next = new HashMap<>();
        DrillJobs.always().forEach(trigger -> next.put(trigger.name(), at));
        return new Snapshot(at, leader, "", sessions, next, List.of());
    }

    @Override
    List<Decision> decisions() throws DrillException {
        try {
            return new RunLogReader(files.runLog())
                    .read().stream()
                            .filter(line -> !line.isStart())
                            .map(end -> new Decision(
                                    end.fire(),
                                    Outcome.Kind.SUCCEEDED,
                                    end.at(),
                                    1,
                                    new Owner(end.instance(), "", end.term(), end.token()),
                                    end.at(),
                                    false))
                            .toList();
        } catch (IOException e) {
            throw new DrillException("the run log cannot be read", e);
        }
    }
}
