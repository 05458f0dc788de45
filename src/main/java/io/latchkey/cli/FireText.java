package io.latchkey.cli;

import io.latchkey.view.FireView;
import java.time.Duration;
import java.time.Instant;

/** A fire without an outcome, for people. */
final class FireText {
    private FireText() {}

    /** Where it runs and since when. */
    static String where(FireView fire, Instant now) {
        String who = Printable.text(fire.instance()) + (fire.attempt() > 1 ? " (attempt " + fire.attempt() + ")" : "");
        return switch (fire.state()) {
            case RUNNING ->
                who + " since " + Times.at(fire.since()) + ", " + StatusText.ago(Duration.between(fire.since(), now));
            case OWNER_GONE -> who + " is gone; the leader decides";
            case WAITING ->
                "waits for attempt " + fire.attempt()
                        + (fire.retryAt() == null ? "" : " at " + Times.relative(fire.retryAt(), now));
            case RELEASED -> "given back by " + who + "; the leader runs it";
        };
    }
}
