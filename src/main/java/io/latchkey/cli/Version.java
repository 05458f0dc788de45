package io.latchkey.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine;

/** The version of this build. */
public final class Version {
    private Version() {}

    /** The line for people. */
    static String line() {
        return "latchkey " + current() + " (Java " + Runtime.version() + ", " + System.getProperty("java.vendor") + ")";
    }

    /** The same for {@code --version}. */
    static final class Text implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {line()};
        }
    }

    /** Such as {@code 0.1.0}. */
    public static String current() {
        try (InputStream in = Version.class.getResourceAsStream("/latchkey-version.properties")) {
            if (in == null) {
                return "unknown";
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version", "unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
