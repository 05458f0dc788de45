package io.latchkey.jobs;

import java.util.ArrayList;
import java.util.List;

/** One element of a job file: what it says and where it stands. Built by {@link XmlFile}. */
final class XmlNode {
    private final String name;
    private final String place;
    private final List<XmlNode> children = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    /**
     * @param name without namespace
     * @param place {@code file:line:column} of its start tag
     */
    XmlNode(String name, String place) {
        this.name = name;
        this.place = place;
    }

    String name() {
        return name;
    }

    String place() {
        return place;
    }

    List<XmlNode> children() {
        return children;
    }

    /** Its own text, without white space around it. */
    String text() {
        return text.toString().strip();
    }

    void append(String more) {
        text.append(more);
    }
}
