package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.RunPolicy;
import io.latchkey.conf.Suggestions;
import io.latchkey.jobs.Fields.BadField;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quartz.Job;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.TriggerKey;

/**
 * Makes specs of the tree of one job file, in Quartz's {@code job-scheduling-data} format.
 *
 * <p>Elements may stand in any order. Names, classes, crons and all other texts are trimmed; so are job data keys and
 * values, as Quartz does it, and an empty value is null. The pre-processing commands have no effect: they are there to
 * clear what an earlier load left, and here each load replaces all. Of the directives, {@code ignore-duplicates} lets the
 * first of two equal names stand, with a warning; otherwise a name given twice is refused, whatever
 * {@code overwrite-existing-data} says.
 */
final class JobFileReader {
    private static final List<String> TOP = List.of("pre-processing-commands", "processing-directives", "schedule");
    private static final List<String> DIRECTIVES = List.of("overwrite-existing-data", "ignore-duplicates");
    private static final List<String> JOB =
            List.of("name", "group", "description", "job-class", "durability", "recover", "job-data-map");

    private final Entries entries;
    private final Function<String, Class<? extends Job>> classes;
    private final TriggerReader triggers;
    private final Report report;

    /** @param classes gives the class of that name, or throws {@link BadField} */
    JobFileReader(Entries entries, Function<String, Class<? extends Job>> classes, ZoneId zone, Report report) {
        this.entries = entries;
        this.classes = classes;
        this.report = report;
        this.triggers = new TriggerReader(zone, report);
    }

    void read(XmlNode root) {
        boolean ignoreDuplicates = root.children().stream()
                .filter(node -> node.name().equals("processing-directives"))
                .map(node -> new Fields(node, DIRECTIVES, node.name(), report))
                .map(directives -> {
                    directives.flag("overwrite-existing-data", true);
                    return directives.flag("ignore-duplicates", false);
                })
                .reduce(false, Boolean::logicalOr);
        for (XmlNode node : root.children()) {
            if (node.name().equals("schedule")) {
                schedule(node, ignoreDuplicates);
            } else if (!TOP.contains(node.name())) {
                unknown(node, TOP, "<job> and <trigger> belong into <schedule>");
            }
        }
    }

    private void schedule(XmlNode schedule, boolean ignoreDuplicates) {
        for (XmlNode node : schedule.children()) {
            switch (node.name()) {
                case "job" -> job(node, ignoreDuplicates);
                case "trigger" -> trigger(node, ignoreDuplicates);
                default -> unknown(node, List.of("job", "trigger"), "only <job> and <trigger> stand in <schedule>");
            }
        }
    }

    private void job(XmlNode node, boolean ignoreDuplicates) {
        Fields fields = new Fields(node, JOB, "job", report);
        Optional<String> name = fields.required("name");
        String group = fields.text("group").orElse(Scheduler.DEFAULT_GROUP);
        JobKey key = new JobKey(name.orElse("?"), group);
        fields.subject("job " + key);
        Optional<Class<? extends Job>> type =
                fields.required("job-class").isEmpty() ? Optional.empty() : fields.read("job-class", classes);
        String description = fields.text("description").orElse(null);
        boolean durable = fields.flag("durability", false);
        boolean recover = fields.flag("recover", false);
        Map<String, @Nullable String> data = fields.data();
        if (name.isEmpty()) {
            return;
        }
        checkLength(fields, group, name.get());
        JobSpec spec = type.map(t -> new JobSpec(key, t, description, durable, recover, data, RunPolicy.DEFAULT))
                .orElse(null);
        Entries.Place place = new Entries.Place(node.place(), node.place(), fields.dataPlaces());
        entries.job(key, spec, place, ignoreDuplicates);
    }

    private void trigger(XmlNode node, boolean ignoreDuplicates) {
        if (node.children().isEmpty()) {
            report.problem(
                    node.place(),
                    "trigger",
                    "<trigger> is empty",
                    "put <cron>, <simple> or <calendar-interval> into it");
        }
        for (XmlNode kind : node.children()) {
            List<String> known = TriggerReader.fieldsOf(kind.name());
            if (known.isEmpty()) {
                unknown(kind, TriggerReader.KINDS, "known here: " + String.join(", ", TriggerReader.KINDS));
                continue;
            }
            Fields fields = new Fields(kind, known, "trigger", report);
            Optional<String> name = fields.required("name");
            String group = fields.text("group").orElse(Scheduler.DEFAULT_GROUP);
            TriggerKey key = new TriggerKey(name.orElse("?"), group);
            fields.subject("trigger " + key);
            name.ifPresent(given -> checkLength(fields, group, given));
            Optional<String> job = fields.required("job-name");
            JobKey jobKey = new JobKey(job.orElse("?"), fields.text("job-group").orElse(Scheduler.DEFAULT_GROUP));
            TriggerSpec spec = triggers.read(kind.name(), fields, key, jobKey);
            if (name.isPresent()) {
                entries.trigger(
                        key,
                        spec,
                        job.isPresent() ? jobKey : null,
                        new Entries.Place(kind.place(), fields.place("job-name"), fields.dataPlaces()),
                        ignoreDuplicates);
            }
        }
    }

    private void unknown(XmlNode node, List<String> known, String otherwise) {
        if (!report.ignoresOld(node)) {
            String remedy = Suggestions.nearest(node.name(), known)
                    .map(near -> "did you mean <" + near + ">?")
                    .orElse(otherwise);
            report.problem(Code.UNKNOWN, node.place(), "", "unknown element <" + node.name() + ">", remedy);
        }
    }

    /** A key and a date must fit into one path element of 255 bytes, some characters taking three there. */
    private static void checkLength(Fields fields, String group, String name) {
        int bytes = encodedLength(group) + encodedLength(name);
        if (bytes > Entries.MAX_KEY_BYTES) {
            fields.problem(
                    "name",
                    "group and name have " + bytes + " bytes, at most " + Entries.MAX_KEY_BYTES + " can be kept",
                    "shorten them");
        }
    }

    private static int encodedLength(String text) {
        return text.codePoints()
                .map(c -> c < 0x20 || c == '/' || c == '%' ? 3 : c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)
                .sum();
    }
}
