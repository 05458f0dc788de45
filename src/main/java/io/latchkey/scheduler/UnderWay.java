package io.latchkey.scheduler;

import io.latchkey.ledger.FireId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.spi.OperableTrigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The fires that one term's Quartz scheduler runs, by the trigger it runs them for. Safe for use by many threads. */
final class UnderWay {
    private static final Logger log = LoggerFactory.getLogger(UnderWay.class);

    private final TermContext in;
    private final Consumer<FireId> whenGivenBack;
    private final Map<String, Flight> flights = new ConcurrentHashMap<>();
    /** Those that were begun before their job was changed. */
    private final Set<String> older = ConcurrentHashMap.newKeySet();

    /** @param whenGivenBack told of a fire that was claimed here and goes on: given back, to be tried again; must return at once */
    UnderWay(TermContext in, Consumer<FireId> whenGivenBack) {
        this.in = in;
        this.whenGivenBack = whenGivenBack;
    }

    void add(OperableTrigger trigger, Flight flight) {
        flights.put(trigger.getFireInstanceId(), flight);
    }

    /** What runs of this job now was begun before its job was changed. */
    void ofOlderConf(JobKey job) {
        flights.forEach((id, flight) -> {
            if (flight.job().equals(job)) {
                older.add(id);
            }
        });
    }

    boolean isOfOlderConf(OperableTrigger trigger) {
        return older.contains(trigger.getFireInstanceId());
    }

    boolean has(OperableTrigger trigger) {
        return flights.containsKey(trigger.getFireInstanceId());
    }

    /** Quartz says that the run is over: the fire, closed if it was not; null if it was let go before. */
    @Nullable
    Flight ended(OperableTrigger trigger, JobDetail detail, CompletedExecutionInstruction instruction) {
        Flight flight = flights.remove(trigger.getFireInstanceId());
        if (flight == null) {
            return null;
        }
        older.remove(trigger.getFireInstanceId());
        if (!flight.isClosed()) {
            if (instruction == CompletedExecutionInstruction.SET_ALL_JOB_TRIGGERS_ERROR) {
                giveBack(flight, "no thread took it");
            } else {
                flight.skip(in.now(), "a trigger listener vetoed it");
            }
        } else if (instruction != CompletedExecutionInstruction.NOOP
                && instruction != CompletedExecutionInstruction.DELETE_TRIGGER) {
            log.warn(
                    "Job {} asked to be unscheduled ({}); that is ignored: take its trigger out of the job files",
                    detail.getKey(),
                    flight.id());
        }
        return flight;
    }

    /** The frame around a run is gone: a fire that never started, or is to be tried again, is looked at again. */
    void left(Flight flight) {
        if (flight.goesOn()) {
            whenGivenBack.accept(flight.id());
        }
    }

    void giveBack(Flight flight, String why) {
        if (flight.giveBack(why)) {
            whenGivenBack.accept(flight.id());
        }
    }

    /** A fire that was to run once, and whose claim was not granted: what became of it is looked at. */
    void notGranted(OneOff fire) {
        whenGivenBack.accept(fire.id());
    }
}
