package io.latchkey.drill;

import java.time.Duration;
import java.util.Locale;

/** The report as one page that needs nothing else: the table, what was found, and the timeline. */
final class HtmlReport {
    private static final String STYLE = """
        :root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --dim: #6b7280; --line: #d4d7dd;
          --band: rgba(217,119,6,.16); --bad: #c81e1e; --good: #15803d;
          --i0: #2563eb; --i1: #059669; --i2: #b45309; --i3: #7c3aed; --i4: #0891b2; --i5: #be185d;
          --i6: #4d7c0f; --i7: #9f1239; --i8: #475569; }
        @media (prefers-color-scheme: dark) { :root { --ink: #e5e7eb; --paper: #15171a; --dim: #9ca3af;
          --line: #3a3f47; --band: rgba(251,191,36,.16); --bad: #f87171; --good: #4ade80;
          --i0: #60a5fa; --i1: #34d399; --i2: #fbbf24; --i3: #a78bfa; --i4: #22d3ee; --i5: #f472b6;
          --i6: #a3e635; --i7: #fb7185; --i8: #94a3b8; } }
        body { font: 14px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2em; }
        table { border-collapse: collapse; } th, td { padding: .2em .8em; border-bottom: 1px solid var(--line);
          text-align: right; } th:first-child, td:first-child, th.text, td.text { text-align: left; } .bad { color: var(--bad); }
        .good { color: var(--good); } .dim { color: var(--dim); } .scroll { overflow-x: auto; }
        svg text { fill: var(--ink); font: 11px system-ui, sans-serif; } svg .dim { fill: var(--dim); }
        """;

    private HtmlReport() {}

    static String of(Report report) {
        StringBuilder page = new StringBuilder(100_000);
        page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Fault drill, seed ")
                .append(report.seed())
                .append("</title>\n<style>\n")
                .append(STYLE)
                .append("</style></head><body>\n<h1>Fault drill, seed ")
                .append(report.seed())
                .append("</h1>\n<p class=\"")
                .append(report.holds() ? "good" : "bad")
                .append("\"><b>")
                .append(escape(report.verdict()))
                .append("</b></p>\n<p>");
        report.measured().forEach(line -> page.append(escape(line)).append(".<br>\n"));
        page.append("</p>\n<table><tr><th>fault</th><th>tries</th><th>duplicates</th><th>lost</th><th>abandoned</th>")
                .append("<th>other</th><th>takeover, median</th><th>worst</th></tr>\n");
        report.rows()
                .forEach(row -> page.append(String.format(
                        Locale.ROOT,
                        "<tr><td>%s</td>%s<td%s>%d</td><td%s>%d</td><td>%d</td><td%s>%d</td><td>%s</td><td>%s</td></tr>%n",
                        escape(row.kind().text()),
                        row.tries() == 0 ? "<td class=\"bad\">0</td>" : "<td>" + row.tries() + "</td>",
                        bad(row.duplicates()),
                        row.duplicates(),
                        bad(row.lost()),
                        row.lost(),
                        row.abandoned(),
                        bad(row.other()),
                        row.other(),
                        Report.median(row.takeovers()),
                        Report.worst(row.takeovers()))));
        page.append("</table>\n");
        if (!report.holds()) {
            page.append("<h2>What broke</h2>\n<ul>\n");
            report.violations()
                    .forEach(v -> page.append("<li class=\"bad\">")
                            .append(escape(v.kind() + ": " + v.text()))
                            .append(" <span class=\"dim\">")
                            .append(escape(report.underWhat(v)))
                            .append("</span></li>\n"));
            page.append("</ul>\n");
        }
        page.append("<h2>Timeline</h2>\n"
                        + "<p class=\"dim\">Above, who led; below, the starts of each job, in the colour of the ")
                .append("instance that ran it, later attempts longer. Bands are faults, with their number in the"
                        + " list. ")
                .append("Grey dots are slots that were skipped, red ones fires that were abandoned.</p>\n")
                .append("<div class=\"scroll\">")
                .append(Timeline.svg(report))
                .append("</div>\n<h2>Faults</h2>\n<table><tr><th>no.</th><th>after</th><th class=\"text\">fault</th>")
                .append("<th class=\"text\">on</th><th>for</th><th>takeover</th><th>bound</th><th"
                        + " class=\"text\">seen</th></tr>\n");
        int number = 0;
        for (FaultTry fault : report.evidence().tries()) {
            page.append(row(++number, fault, report.evidence()));
        }
        page.append("</table>\n</body></html>\n");
        return page.toString();
    }

    private static String row(int number, FaultTry fault, Evidence evidence) {
        FaultTry.Bound bound = fault.effect().bound();
        return "<tr><td>%d</td><td>%s</td><td class=\"text\">%s</td><td class=\"text\">%s</td><td>%s</td><td>%s</td><td>%s</td><td class=\"text\">%s</td></tr>%n"
                .formatted(
                        number,
                        Findings.seconds(Duration.between(evidence.window().from(), fault.injected())),
                        escape(fault.kind().text()),
                        escape(fault.target()),
                        Findings.seconds(Duration.between(fault.injected(), fault.healed())),
                        fault.takeover(evidence.lines()).map(Findings::seconds).orElse("-"),
                        bound == null ? "-" : Findings.seconds(bound.time()),
                        escape((fault.effect().bit() ? "" : "no effect; ")
                                + fault.effect().note()));
    }

    private static String bad(long count) {
        return count == 0 ? "" : " class=\"bad\"";
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
