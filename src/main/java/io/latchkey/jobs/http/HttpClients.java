package io.latchkey.jobs.http;

import io.latchkey.jobs.http.HttpCall.Manner;
import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's clients, one for all calls of the same manner: each has threads and kept-alive connections. A trust store that
 * was changed is read anew. Thread-safe.
 */
final class HttpClients {
    private static final int MOST = 8;
    private static final Executor WORKERS =
            Executors.newCachedThreadPool(new Threads(new Faults()).factory("http-call"));

    private record Key(
            Duration connectTimeout,
            @Nullable Path trustStore,
            @Nullable FileTime modified,
            @Nullable String password) {}

    private final Map<Key, HttpClient> clients = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, HttpClient> eldest) {
            return size() > MOST;
        }
    };

    HttpClient of(Manner manner, Secrets secrets) throws HttpCallException {
        Path trustStore = manner.trustStore();
        try {
            FileTime modified = trustStore == null ? null : Files.getLastModifiedTime(trustStore);
            Template secret = manner.trustStorePassword();
            String password = secret == null ? null : secret.resolve(secrets);
            Key key = new Key(manner.connectTimeout(), trustStore, modified, password);
            synchronized (clients) {
                HttpClient client = clients.get(key);
                if (client == null) {
                    client = make(key);
                    clients.put(key, client);
                }
                return client;
            }
        } catch (IOException | GeneralSecurityException e) {
            throw new HttpCallException("the trust store " + trustStore + " cannot be read: "
                    + secrets.hide(e.toString()) + ". It must be PEM, PKCS#12 or JKS, with the right password");
        }
    }

    private static HttpClient make(Key key) throws IOException, GeneralSecurityException {
        HttpClient.Builder builder = HttpClient.newBuilder()
                // An offer to upgrade, which HTTP/2 over plain connections begins with, is not understood by all.
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(key.connectTimeout())
                .executor(WORKERS);
        Path trustStore = key.trustStore();
        if (trustStore != null) {
            builder.sslContext(trusting(trustStore, key.password()));
        }
        return builder.build();
    }

    private static SSLContext trusting(Path file, @Nullable String password)
            throws IOException, GeneralSecurityException {
        byte[] content = Files.readAllBytes(file);
        KeyStore store;
        if (new String(content, StandardCharsets.ISO_8859_1).contains("-----BEGIN CERTIFICATE-----")) {
            store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(content))) {
                store.setCertificateEntry("certificate-" + number++, certificate);
            }
        } else {
            store = KeyStore.getInstance(file.toFile(), password == null ? null : password.toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
