package io.latchkey.cli;

import java.io.PrintWriter;
import java.util.List;

/** Lines of several processes on one screen, each with the name of the one that wrote it. Safe for any threads. */
final class DemoOutput {
    private static final List<Integer> COLOURS = List.of(36, 33, 35, 32);
    private static final int BOLD = 1;

    private final PrintWriter out;
    private final boolean coloured;

    DemoOutput(PrintWriter out) {
        this.out = out;
        this.coloured = Tint.wanted();
    }

    /** A line of a process. */
    void line(String name, String text) {
        print(name, COLOURS.get(Math.floorMod(name.hashCode(), COLOURS.size())), text);
    }

    /** What the demo itself has to say. */
    void say(String text) {
        print("demo", BOLD, text);
    }

    private synchronized void print(String name, int style, String text) {
        String prefix = String.format("%-4s | ", name);
        if (!coloured) {
            out.println(prefix + text);
        } else if (style == BOLD) {
            out.println("\u001b[1m" + prefix + text + "\u001b[0m");
        } else {
            out.println("\u001b[" + style + "m" + prefix + "\u001b[0m" + text);
        }
        out.flush();
    }
}
