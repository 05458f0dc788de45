package io.latchkey.ledger;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which configurations have led, each where it began to lead last, the present one at the end. Older and newer is told by
 * this order: no clock and no file's time has to be right for it, and what never led cannot be told.
 *
 * @param led at most {@link #MOST}
 */
public record ConfsLed(List<Led> led) {
    static final ConfsLed NONE = new ConfsLed(List.of());
    private static final int MOST = 20;

    /**
     * One configuration.
     *
     * @param conf its digest
     * @param since when it began to lead, by the leader's clock
     * @param instance who led with it then
     * @param backFrom the digest that led before it, where this one had led earlier still and came back with a change of leader
     */
    public record Led(
            String conf,
            Instant since,
            String instance,
            @Nullable String backFrom) {}

    public ConfsLed {
        led = List.copyOf(led);
    }

    /** The one that leads, or led last. */
    public Optional<Led> last() {
        return led.isEmpty() ? Optional.empty() : Optional.of(led.get(led.size() - 1));
    }

    /**
     * The same once {@code conf} leads.
     *
     * @param meant whether it was chosen where it leads, so that it is no older one that came back unseen
     */
    ConfsLed then(String conf, Instant since, String instance, boolean meant) {
        String before = last().map(Led::conf).orElse(null);
        boolean back = !meant && led.stream().anyMatch(one -> one.conf().equals(conf));
        List<Led> next = new ArrayList<>(led);
        next.removeIf(one -> one.conf().equals(conf));
        next.add(new Led(conf, since, instance, back ? before : null));
        return new ConfsLed(next.subList(Math.max(0, next.size() - MOST), next.size()));
    }
}
