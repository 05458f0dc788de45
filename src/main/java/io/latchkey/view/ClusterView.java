package io.latchkey.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.latchkey.election.ReloadAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Who leads and who stands by, as ZooKeeper has it at one moment. Its fields are those of {@code status --json}.
 *
 * @param zookeeper what was asked
 * @param root where the service's nodes are
 * @param embedded whether it is an embedded server, for evaluation only
 * @param leader who leads; null if nobody does
 * @param instances all of them: those in the latch first, in its order
 * @param notes what an operator should know, a sentence each
 */
public record ClusterView(
        String zookeeper,
        String root,
        boolean embedded,
        @Nullable Leader leader,
        List<Instance> instances,
        List<String> notes) {
    public ClusterView {
        instances = List.copyOf(instances);
        notes = List.copyOf(notes);
    }

    /**
     * The current term.
     *
     * @param instance its leader's id
     * @param term its number
     * @param token its fencing token
     * @param since when it was taken, by the leader's clock
     * @param latchNode the latch node it was taken under
     * @param conf digest of the leader's jobs
     */
    public record Leader(String instance, long term, long token, Instant since, String latchNode, String conf) {}

    /**
     * One instance.
     *
     * @param id its id
     * @param place in the latch, from 1; null if it is not in it
     * @param latchNode its node there, null without one
     * @param role as it says itself, "unknown" if its record is missing
     * @param host where it runs, null if unknown
     * @param pid its process, null if unknown
     * @param version what it runs
     * @param started when it started, by its own clock
     * @param conf digest of its jobs
     * @param heartbeat when it wrote its record last; old on a standby
     * @param console address of its console; null if it has none
     * @param trouble why it does not lead though it might, null if nothing is wrong
     * @param reload what became of its last reload, null if there was none
     */
    public record Instance(
            String id,
            @Nullable Integer place,
            @Nullable String latchNode,
            String role,
            @Nullable String host,
            @Nullable Long pid,
            @Nullable String version,
            @Nullable Instant started,
            @Nullable String conf,
            @Nullable Instant heartbeat,
            @Nullable String console,
            @Nullable String trouble,
            @Nullable ReloadAnswer reload) {
        Instance withoutHeartbeat() {
            return new Instance(
                    id, place, latchNode, role, host, pid, version, started, conf, null, console, trouble, reload);
        }
    }

    /** Whether somebody leads. */
    @JsonProperty("led")
    public boolean isLed() {
        return leader != null;
    }

    /**
     * The ids of the instances whose jobs differ from the leader's; without a leader, from those of most. Empty while all
     * are the same.
     */
    @JsonProperty("confDiffers")
    public List<String> confDiffers() {
        String right = conf().orElse(null);
        return instances.stream()
                .filter(instance -> instance.conf() != null && !instance.conf().equals(right))
                .map(Instance::id)
                .toList();
    }

    /** The digest that others are held against: the leader's; without a leader that of most. */
    private Optional<String> conf() {
        if (leader != null) {
            return Optional.of(leader.conf());
        }
        Map<String, Long> counts = instances.stream()
                .filter(instance -> instance.conf() != null)
                .collect(Collectors.groupingBy(
                        instance -> String.valueOf(instance.conf()), TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /** Who differs from whom, for people; empty while all instances have the same jobs. */
    public Optional<String> confDrift() {
        List<String> differing = confDiffers();
        if (differing.isEmpty()) {
            return Optional.empty();
        }
        Map<String, List<String>> others = new LinkedHashMap<>();
        for (Instance instance : instances) {
            if (differing.contains(instance.id())) {
                others.computeIfAbsent(String.valueOf(instance.conf()), digest -> new ArrayList<>())
                        .add(instance.id());
            }
        }
        List<String> parts = new ArrayList<>();
        others.forEach(
                (digest, ids) -> parts.add(String.join(", ", ids) + (ids.size() == 1 ? " has " : " have ") + digest));
        return Optional.of("The instances' jobs differ: "
                + (leader == null ? "most have conf " : "the leader " + leader.instance() + " runs conf ")
                + conf().orElse("") + ", but " + String.join("; ", parts)
                + ". Bring every host to the same conf and run `latchkey reload`.");
    }

    public Optional<Leader> currentLeader() {
        return Optional.ofNullable(leader);
    }

    /** The same but for what changes by itself. */
    public ClusterView withoutHeartbeats() {
        return new ClusterView(
                zookeeper,
                root,
                embedded,
                leader,
                instances.stream().map(Instance::withoutHeartbeat).toList(),
                notes);
    }

    /** The record of one instance. */
    public Optional<Instance> instance(String id) {
        return instances.stream().filter(instance -> instance.id().equals(id)).findFirst();
    }
}
