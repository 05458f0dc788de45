package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gathers what is wrong and what is merely worth saying, over all files of one load. Used by one thread. */
final class Report {
    private static final Map<String, String> OLD = Map.of(
            "job-listener-ref", "no listener of that name is called; register it in quartz.properties",
            "trigger-listener-ref", "no listener of that name is called; register it in quartz.properties",
            "volatility", "every job and trigger lives as long as it is in the file");

    private final List<Problem> problems = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();
    private final Set<String> oldSaid = new HashSet<>();

    void problem(Problem problem) {
        problems.add(problem);
    }

    void problem(String place, String subject, String message, String remedy) {
        problem(Code.INVALID, place, subject, message, remedy);
    }

    void problem(Code code, String place, String subject, String message, String remedy) {
        problems.add(new Problem(code, place, subject, message, remedy));
    }

    void warning(Code code, String place, String subject, String message, String remedy) {
        warnings.add(new Problem(code, place, subject, message, remedy));
    }

    /** Whether this is an element of the format before 2.0 that has no effect any more; each name is said once a file. */
    boolean ignoresOld(XmlNode node) {
        String effect = OLD.get(node.name());
        if (effect == null) {
            return false;
        }
        String file = node.place().replaceAll(":\\d+:\\d+$", "");
        if (oldSaid.add(file + "|" + node.name())) {
            String value = node.text().isEmpty() ? "" : " (" + node.text() + ")";
            warning(
                    Code.IGNORED,
                    node.place(),
                    "",
                    "<" + node.name() + ">" + value + " of the old format is ignored: " + effect,
                    "remove it");
        }
        return true;
    }

    List<Problem> problems() {
        return List.copyOf(problems);
    }

    List<Problem> warnings() {
        return List.copyOf(warnings);
    }
}
