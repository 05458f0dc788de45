package io.latchkey.drill;

import io.latchkey.ledger.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** The drill as a picture: lanes for instances and jobs, bands for faults. */
final class Timeline {
    private static final int LEFT = 170;
    private static final int LANE = 20;
    private static final int TOP = 36;
    private static final int NUMBERS = 30;
    private static final int NARROWEST = 1000;
    private static final int WIDEST = 24_000;
    private static final double PIXELS_A_SECOND = 5;

    private final Report report;
    private final Evidence evidence;
    private final Instant from;
    private final double scale;
    private final int width;
    private final List<String> instances;
    private final StringBuilder svg = new StringBuilder(64_000);

    private Timeline(Report report) {
        this.report = report;
        this.evidence = report.evidence();
        this.from = evidence.window().from();
        double seconds = Math.max(1, evidence.length().toMillis() / 1000.0);
        this.width = (int) Math.min(WIDEST, Math.max(NARROWEST, seconds * PIXELS_A_SECOND));
        this.scale = width / seconds;
        TreeSet<String> ids = new TreeSet<>();
        evidence.sightings().processes().forEach(life -> ids.add(life.instance()));
        evidence.lines().forEach(line -> ids.add(line.instance()));
        this.instances = List.copyOf(ids);
    }

    static String svg(Report report) {
        return new Timeline(report).draw();
    }

    private String draw() {
        LinkedHashSet<String> jobs = new LinkedHashSet<>();
        DrillJobs.byName().values().forEach(trigger -> jobs.add(trigger.job().name()));
        int height = TOP + LANE * (instances.size() + jobs.size() + 2);
        svg.append(String.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " aria-label=\"timeline of the drill\">%n",
                LEFT + width + 20, height));
        faults(height);
        axis(height);
        int lane = 0;
        for (String id : instances) {
            leading(id, lane++);
        }
        lane++;
        for (String job : jobs) {
            runs(job, lane++);
        }
        violations(height);
        return svg.append("</svg>").toString();
    }

    private void faults(int height) {
        int number = 0;
        for (FaultTry fault : evidence.tries()) {
            number++;
            svg.append(String.format(
                    Locale.ROOT,
                    "<text class=\"dim\" x=\"%.1f\" y=\"%d\">%d</text>%n",
                    x(fault.injected()),
                    NUMBERS,
                    number));
            rect(
                    fault.injected(),
                    fault.healed(),
                    TOP,
                    height - TOP,
                    "var(--band)",
                    number + ": " + fault.kind().text() + ", " + fault.target()
                            + (fault.effect().bit() ? "" : " (no effect)"));
        }
    }

    private void axis(int height) {
        long seconds = evidence.length().toSeconds();
        long step = seconds > 1200 ? 60 : 10;
        for (long at = 0; at <= seconds; at += step) {
            double x = LEFT + at * scale;
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"var(--line)\" stroke-width=\".5\"/>"
                            + "<text class=\"dim\" x=\"%.1f\" y=\"14\">%d s</text>%n",
                    x,
                    x,
                    TOP,
                    height,
                    x,
                    at));
        }
    }

    /** From a term's first start to its last. */
    private void leading(String id, int lane) {
        label(id + " leads", lane);
        Map<Long, List<Instant>> terms = new LinkedHashMap<>();
        evidence.runs().stream()
                .map(Evidence.Run::start)
                .filter(start -> start.instance().equals(id))
                .forEach(start -> terms.computeIfAbsent(start.term(), term -> new ArrayList<>())
                        .add(start.at()));
        terms.forEach((term, starts) -> rect(
                starts.get(0),
                starts.get(starts.size() - 1),
                TOP + lane * LANE + 3,
                LANE - 6,
                colour(id),
                id + ", term " + term));
    }

    private void runs(String job, int lane) {
        label(job, lane);
        int y = TOP + lane * LANE;
        for (Evidence.Run run : evidence.runs()) {
            if (run.start().job().equals(job) && !run.start().at().isBefore(from)) {
                double x = x(run.start().at());
                svg.append(String.format(
                        Locale.ROOT,
                        "<path d=\"M%.1f %dv%d\" stroke=\"%s\"/>",
                        x,
                        y + (run.start().fire().attempt() > 1 ? 2 : 6),
                        LANE - 8,
                        colour(run.start().instance())));
            }
        }
        svg.append('\n');
        evidence.decisions().stream()
                .filter(d -> d.kind() == Outcome.Kind.ABANDONED || d.kind() == Outcome.Kind.SKIPPED)
                .filter(d -> isOf(d, job))
                .filter(d -> !d.fire().slot().isBefore(from))
                .forEach(d -> svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%d\" r=\"2.5\" fill=\"%s\"><title>%s</title></circle>%n",
                        x(d.fire().slot()),
                        y + 3,
                        d.kind() == Outcome.Kind.SKIPPED ? "var(--dim)" : "var(--bad)",
                        HtmlReport.escape(d.fire() + " " + d.kind() + (d.count() > 1 ? " x" + d.count() : "")))));
    }

    private static boolean isOf(Decision decision, String job) {
        DrillTrigger trigger = DrillJobs.byName().get(decision.fire().trigger());
        return trigger != null && trigger.job().name().equals(job);
    }

    private void violations(int height) {
        for (Violation violation : report.violations()) {
            double x = x(violation.at());
            svg.append(String.format(
                    Locale.ROOT,
                    "<path d=\"M%.1f %dv%d\" stroke=\"var(--bad)\" stroke-dasharray=\"3 3\"><title>%s</title></path>%n",
                    x,
                    TOP,
                    height - TOP,
                    HtmlReport.escape(violation.text())));
        }
    }

    private void label(String text, int lane) {
        svg.append(
                String.format("<text x=\"4\" y=\"%d\">%s</text>%n", TOP + lane * LANE + 14, HtmlReport.escape(text)));
    }

    private void rect(Instant begin, Instant end, int y, int height, String colour, String title) {
        double x = x(begin);
        svg.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"><title>%s</title></rect>%n",
                x,
                y,
                Math.max(1, x(end) - x),
                height,
                colour,
                HtmlReport.escape(title)));
    }

    private double x(Instant at) {
        return LEFT + Math.max(0, Math.min(width, Duration.between(from, at).toMillis() / 1000.0 * scale));
    }

    private String colour(String instance) {
        return "var(--i" + Math.max(0, instances.indexOf(instance)) % 9 + ")";
    }
}
