package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.Problem;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import javax.xml.XMLConstants;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads one job file into a tree with places. It is closed against everything that XML can reach out for: a document type
 * is refused before its first declaration counts, no entity is expanded, nothing is fetched.
 */
final class XmlFile {
    static final String ROOT = "job-scheduling-data";
    static final String NAMESPACE = "http://www.quartz-scheduler.org/xml/JobSchedulingData";

    private static final XMLInputFactory FACTORY = factory();

    private final String file;
    private final Consumer<Problem> problems;

    /** @param file the name to show */
    XmlFile(String file, Consumer<Problem> problems) {
        this.file = file;
        this.problems = problems;
    }

    /** The root element, or empty if the file cannot be read as job data; the reason is then a problem. */
    Optional<XmlNode> read(byte[] content) {
        if (isBlank(content)) {
            return refuse(
                    file + ":1:1",
                    "the file is empty",
                    "write <" + ROOT + "><schedule/></" + ROOT + "> if it shall register nothing, or remove the file");
        }
        int broken = Utf8.brokenLine(content);
        if (broken > 0) {
            // Java's parser would print to standard error, and not know the line.
            return refuse(
                    file + ":" + broken,
                    "not UTF-8, in which XML is that names no other encoding",
                    "save the file as UTF-8, or name its encoding in the first line: <?xml version=\"1.0\""
                            + " encoding=\"ISO-8859-1\"?>");
        }
        try {
            XMLStreamReader reader = FACTORY.createXMLStreamReader(new ByteArrayInputStream(content));
            try {
                return tree(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            return refuse(
                    place(e.getLocation(), false),
                    "not well-formed XML: " + reason(e),
                    "correct the file, or copy it anew");
        }
    }

    private Optional<XmlNode> tree(XMLStreamReader reader) throws XMLStreamException {
        Deque<XmlNode> open = new ArrayDeque<>();
        String namespace = "";
        XmlNode root = null;
        Location before = reader.getLocation();
        boolean afterText = false;
        while (reader.hasNext()) {
            int event = reader.next();
            switch (event) {
                case XMLStreamConstants.DTD -> {
                    return refuse(
                            place(reader.getLocation(), false),
                            "a document type (<!DOCTYPE ...>) is not allowed, and nothing it names was read",
                            "remove it");
                }
                case XMLStreamConstants.START_ELEMENT -> {
                    String place = place(root == null ? reader.getLocation() : before, afterText);
                    XmlNode node = new XmlNode(reader.getLocalName(), place);
                    String own = namespace(reader);
                    if (root == null) {
                        if (!isJobData(node, own)) {
                            return Optional.empty();
                        }
                        root = node;
                        namespace = own;
                    } else if (!own.equals(namespace)) {
                        return refuse(
                                place,
                                "<" + node.name() + "> is in " + shown(own) + ", the file is in " + shown(namespace),
                                "remove its namespace");
                    } else {
                        open.element().children().add(node);
                    }
                    open.push(node);
                }
                case XMLStreamConstants.END_ELEMENT -> open.pop();
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA ->
                    open.element().append(reader.getText());
                default -> {
                    // Comments, processing instructions and white space around the root say nothing to us.
                }
            }
            before = reader.getLocation();
            afterText = event == XMLStreamConstants.CHARACTERS;
        }
        return Optional.ofNullable(root);
    }

    private boolean isJobData(XmlNode root, String namespace) {
        if (root.name().equals(ROOT) && (namespace.isEmpty() || namespace.equals(NAMESPACE))) {
            return true;
        }
        refuse(
                root.place(),
                "found <" + root.name() + "> in " + shown(namespace) + ", wanted <" + ROOT + "> in namespace "
                        + NAMESPACE,
                root.name().equals("quartz")
                        ? "this is the format of Quartz 1.5: write it as <" + ROOT
                                + "> with <schedule>, <job> and <trigger>"
                        : "write <" + ROOT + " xmlns=\"" + NAMESPACE + "\" version=\"2.0\">");
        return false;
    }

    private Optional<XmlNode> refuse(String place, String message, String remedy) {
        problems.accept(new Problem(Code.XML, place, "", message, remedy));
        return Optional.empty();
    }

    /** The parser has eaten the "<" that ends a text; the element begins there. */
    private String place(Location location, boolean afterText) {
        int column = Math.max(1, location.getColumnNumber() - (afterText ? 1 : 0));
        return file + ":" + Math.max(1, location.getLineNumber()) + ":" + column;
    }

    private static String namespace(XMLStreamReader reader) {
        String uri = reader.getNamespaceURI();
        return uri == null ? "" : uri;
    }

    private static String shown(String namespace) {
        return namespace.isEmpty() ? "no namespace" : "namespace " + namespace;
    }

    private static boolean isBlank(byte[] content) {
        return new String(content, StandardCharsets.UTF_8).replace("\uFEFF", "").isBlank();
    }

    /** The parser's own words, without the place it puts before them. */
    private static String reason(XMLStreamException e) {
        String text = String.valueOf(e.getMessage());
        int at = text.indexOf("Message: ");
        String reason = at < 0 ? text : text.substring(at + "Message: ".length());
        return reason.strip().replaceAll("\\.$", "");
    }

    private static XMLInputFactory factory() {
        // Java's own, not one that happens to be on the class path with other defaults.
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("nothing outside the file is read: " + systemId);
        });
        return factory;
    }
}
