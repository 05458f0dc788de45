package io.latchkey.scheduler;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.quartz.TriggerKey;
import org.quartz.spi.OperableTrigger;

/**
 * What may fire in one term, beside what Quartz's own store knows of it: triggers with their place, fires that are to run
 * once, which of both are paused, and what Quartz has acquired. Guarded by the job store's claim lock, but for what is
 * paused safe to read without it.
 */
final class Shelf {
    private final Map<TriggerKey, Track> tracks = new ConcurrentHashMap<>();
    private final Map<TriggerKey, OneOff> oneOffs = new ConcurrentHashMap<>();
    private final Set<TriggerKey> paused = new HashSet<>();
    private final Map<TriggerKey, String> acquired = new ConcurrentHashMap<>();

    void put(Track track) {
        tracks.put(track.key(), track);
    }

    void put(OneOff fire) {
        oneOffs.put(fire.key(), fire);
    }

    void remove(OneOff fire) {
        oneOffs.remove(fire.key());
        paused.remove(fire.key());
    }

    /** Forgets a trigger, whatever state it is in. */
    void remove(TriggerKey key) {
        tracks.remove(key);
        oneOffs.remove(key);
        paused.remove(key);
        acquired.remove(key);
    }

    @Nullable
    Track track(TriggerKey key) {
        return tracks.get(key);
    }

    @Nullable
    OneOff oneOff(TriggerKey key) {
        return oneOffs.get(key);
    }

    /** As they are now. */
    List<Track> tracks() {
        return List.copyOf(tracks.values());
    }

    /** As they are now. */
    List<OneOff> oneOffs() {
        return List.copyOf(oneOffs.values());
    }

    boolean isPaused(TriggerKey key) {
        return paused.contains(key);
    }

    /** False if it was already. */
    boolean pause(TriggerKey key) {
        return paused.add(key);
    }

    /** False if it was not paused. */
    boolean resume(TriggerKey key) {
        return paused.remove(key);
    }

    /** Quartz has taken the trigger to fire it soon. */
    void acquired(OperableTrigger trigger) {
        acquired.put(trigger.getKey(), trigger.getFireInstanceId());
    }

    /** What Quartz has acquired of it does not count any more: its trigger has changed. */
    void notAcquired(TriggerKey key) {
        acquired.remove(key);
    }

    /** Quartz lets go what it has acquired. False if it does not count any more. */
    boolean released(OperableTrigger trigger) {
        return acquired.remove(trigger.getKey(), trigger.getFireInstanceId());
    }
}
