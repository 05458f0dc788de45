package io.latchkey.conf;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The console over HTTP.
 *
 * @param enabled whether there is one
 * @param bind the address it listens at; a name or an IP address
 * @param port 0 picks a free one
 * @param portAskedFor whether somebody wrote that port down; the default gives way to a free one when it is taken
 * @param tokenFile the operators' bearer tokens; without one there are no actions
 * @param showData job data keys whose values are shown, a {@code *} at the end standing for any rest
 * @param tls how it is encrypted; empty for plain HTTP
 */
public record HttpSettings(
        boolean enabled,
        String bind,
        int port,
        boolean portAskedFor,
        Optional<Path> tokenFile,
        List<String> showData,
        Optional<Tls> tls) {
    static final Range<Integer> PORT = new Range<>(0, 65_535);

    public HttpSettings {
        PORT.require("http.port", port);
        showData = List.copyOf(showData);
    }

    /**
     * What encrypts it.
     *
     * @param keystore PKCS#12 or JKS, with the key and its certificates
     * @param passwordFile holds the keystore's password and nothing else
     */
    public record Tls(Path keystore, Path passwordFile) {}
}
