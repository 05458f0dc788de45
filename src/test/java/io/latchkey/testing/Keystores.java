package io.latchkey.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/** Keystores of servers that have signed their own certificate, made by the JDK's keytool. */
public final class Keystores {
    public static final String ALIAS = "server";

    private Keystores() {}

    /** Writes a PKCS#12 keystore with a key for localhost and 127.0.0.1, and returns what it holds. */
    public static KeyStore selfSigned(Path file, String password)
            throws IOException, InterruptedException, GeneralSecurityException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        password)
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool ended with " + keytool.exitValue());
        }
        return KeyStore.getInstance(file.toFile(), password.toCharArray());
    }
}
