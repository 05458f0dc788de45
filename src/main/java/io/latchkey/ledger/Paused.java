package io.latchkey.ledger;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * What does not fire though it is due: what operators paused, and what is on hold until an operator has looked at it.
 *
 * @param all whether everything is paused
 * @param jobs paused jobs
 * @param triggers paused triggers
 * @param held triggers on hold, whoever leads, until they are resumed
 * @param released when an operator last let go something on hold; null before
 */
public record Paused(
        boolean all,
        Set<JobKey> jobs,
        Set<TriggerKey> triggers,
        Map<TriggerKey, OnHold> held,
        @Nullable Instant released) {
    /** Nothing is paused. */
    public static final Paused NOTHING = new Paused(false, Set.of(), Set.of());

    public Paused {
        jobs = Set.copyOf(jobs);
        triggers = Set.copyOf(triggers);
        held = copyOf(held);
    }

    /** Nothing on hold. */
    public Paused(boolean all, Set<JobKey> jobs, Set<TriggerKey> triggers) {
        this(all, jobs, triggers, Map.of(), null);
    }

    /** Records written before there was such a thing have none. */
    private static Map<TriggerKey, OnHold> copyOf(@Nullable Map<TriggerKey, OnHold> held) {
        return held == null ? Map.of() : Map.copyOf(held);
    }

    /** Whether a trigger of a job is paused. */
    public boolean covers(TriggerKey trigger, JobKey job) {
        return all || jobs.contains(job) || triggers.contains(trigger);
    }

    /** This with other triggers on hold. */
    public Paused holding(Map<TriggerKey, OnHold> now) {
        return new Paused(all, jobs, triggers, now, released);
    }

    /** What is paused once the request is granted. Resuming lets go what is on hold, too. */
    public Paused after(Request request) {
        boolean pause = request.kind() == Request.Kind.PAUSE;
        JobKey job = request.job();
        TriggerKey trigger = request.trigger();
        if (trigger == null && job == null) {
            // Resuming all is what people mean by it: nothing stays paused.
            return pause
                    ? new Paused(true, jobs, triggers, held, released)
                    : new Paused(false, Set.of(), Set.of(), Map.of(), held.isEmpty() ? released : request.at());
        }
        Map<TriggerKey, OnHold> still = new HashMap<>(held);
        if (!pause) {
            still.entrySet()
                    .removeIf(entry -> trigger != null
                            ? entry.getKey().equals(trigger)
                            : entry.getValue().job().equals(job));
        }
        return new Paused(
                all,
                trigger == null && job != null ? with(jobs, job, pause) : jobs,
                trigger != null ? with(triggers, trigger, pause) : triggers,
                still,
                still.size() < held.size() ? request.at() : released);
    }

    private static <T> Set<T> with(Set<T> set, T element, boolean in) {
        Set<T> changed = new HashSet<>(set);
        if (in) {
            changed.add(element);
        } else {
            changed.remove(element);
        }
        return changed;
    }
}
