package io.latchkey.scheduler;

import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredBundle;

/** What Quartz needs to run a fire, with the claim that allows it. */
final class FiredBundle extends TriggerFiredBundle {
    private static final long serialVersionUID = 1L;

    private final transient Flight flight;

    FiredBundle(Flight flight, JobDetail job, OperableTrigger trigger, Instant firedAt, Slots slots) {
        super(
                job,
                trigger,
                null,
                slots.recovering(),
                Date.from(firedAt),
                Date.from(slots.scheduled()),
                slots.previous() == null ? null : Date.from(slots.previous()),
                slots.next() == null ? null : Date.from(slots.next()));
        this.flight = flight;
    }

    Flight flight() {
        return flight;
    }

    /**
     * The instants a run sees.
     *
     * @param recovering whether an earlier attempt died with its instance
     */
    record Slots(
            Instant scheduled,
            @Nullable Instant previous,
            @Nullable Instant next,
            boolean recovering) {}
}
