package io.latchkey.cli;

/** Colours of text on a terminal. */
enum Tint {
    PLAIN(""),
    BOLD("1"),
    FAINT("2"),
    RED("31"),
    GREEN("32"),
    YELLOW("33");

    private final String code;

    Tint(String code) {
        this.code = code;
    }

    /** Whether a person watches who has not asked for none; the launcher knows whether standard output is a terminal. */
    static boolean wanted() {
        String none = System.getenv("NO_COLOR");
        return Boolean.getBoolean("latchkey.tty.out") && (none == null || none.isEmpty());
    }

    /** The text in this colour. */
    String on(String text) {
        return this == PLAIN || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
