package io.latchkey.console;

import static io.latchkey.console.Cluster.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.ServiceInstance;
import io.latchkey.testing.Keystores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console when ZooKeeper is away, when its port is taken, and when nobody may listen in. */
@Tag("slow")
class HardTimesTest {
    private static final String PASSWORD = "changed-it";

    private static Cluster cluster;

    @TempDir
    private Path dir;

    @BeforeAll
    static void start(@TempDir Path dir) throws Exception {
        cluster = new Cluster(dir);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void whatWasSeenLastIsToldWithItsAgeWhileZooKeeperIsAway() throws Exception {
        ServiceInstance standby = cluster.standby();
        assertThat(cluster.json(standby, "/api/v1/cluster").path("stale").asBoolean())
                .isFalse();
        String leader = cluster.leader().id();

        cluster.zookeeper().stop();
        try {
            patiently()
                    .until(() -> cluster.json(standby, "/api/v1/cluster")
                            .path("stale")
                            .asBoolean());
            JsonNode told = cluster.json(standby, "/api/v1/cluster");
            assertThat(told.path("ageMillis").asLong()).isPositive();
            assertThat(told.path("cluster").path("leader").path("instance").asText())
                    .isEqualTo(leader);
            patiently().until(() -> cluster.get(standby, "/health/ready").statusCode() == 503);
            assertThat(cluster.get(standby, "/health/ready").body()).contains("Not connected to ZooKeeper");
            assertThat(cluster.get(standby, "/health/live").statusCode())
                    .as("a restart would not help")
                    .isEqualTo(200);
        } finally {
            cluster.zookeeper().restart();
        }

        patiently().until(() -> cluster.get(standby, "/health/ready").statusCode() == 200);
        patiently()
                .until(() ->
                        !cluster.json(standby, "/api/v1/cluster").path("stale").asBoolean());
        patiently().until(() -> cluster.instances().stream().anyMatch(ServiceInstance::leads));
    }

    @Test
    void aPortThatWasAskedForAndIsTakenIsRefused() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> ServiceInstance.start(
                            cluster.conf(),
                            "d",
                            cluster.zookeeper().connectString(),
                            "http.enabled=true",
                            "http.port=" + taken.getLocalPort()))
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("set another http.port");
        }
    }

    @Test
    void withAKeystoreItSpeaksNothingButTls() throws Exception {
        Path keystore = dir.resolve("console.p12");
        Path password = Files.writeString(dir.resolve("password"), PASSWORD + "\n");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        KeyStore keys = Keystores.selfSigned(keystore, PASSWORD);

        try (ServiceInstance secure = ServiceInstance.start(
                cluster.conf(),
                "e",
                cluster.zookeeper().connectString(),
                "http.enabled=true",
                "http.port=0",
                "http.keystore=" + keystore,
                "http.keystore-password-file=" + password)) {
            URI live = URI.create(secure.console() + "/health/live");
            assertThat(live.getScheme()).isEqualTo("https");
            HttpClient trusting =
                    HttpClient.newBuilder().sslContext(trust(keys)).build();
            assertThat(trusting.send(HttpRequest.newBuilder(live).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            URI plain = URI.create("http" + live.toString().substring("https".length()));
            assertThatThrownBy(() -> trusting.send(HttpRequest.newBuilder(plain).build(), BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
    }

    private static SSLContext trust(KeyStore keys) throws Exception {
        // Its own certificate is the one to trust.
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(Keystores.ALIAS, keys.getCertificate(Keystores.ALIAS));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
