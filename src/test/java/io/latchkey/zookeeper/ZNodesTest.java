package io.latchkey.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZNodesTest {
    private final ZNodes nodes = new ZNodes("/latchkey");

    @Test
    void pathsAreWhereTheyAreSaidToBe() {
        assertThat(nodes.latch()).isEqualTo("/latchkey/latch");
        assertThat(nodes.leader()).isEqualTo("/latchkey/leader");
        assertThat(nodes.instance("host-7")).isEqualTo("/latchkey/instances/host-7");
        assertThat(nodes.trigger("billing", "end of month")).isEqualTo("/latchkey/triggers/billing/end of month");
        assertThat(nodes.job("a/b", "c")).isEqualTo("/latchkey/jobs/a%2Fb/c");
        assertThat(nodes.running("g.t@2026-11-29T12:00:00Z")).isEqualTo("/latchkey/running/g.t@2026-11-29T12:00:00Z");
        assertThat(nodes.history("g", "j")).isEqualTo("/latchkey/history/g/j");
        assertThat(nodes.request("request-0000000003")).isEqualTo("/latchkey/requests/request-0000000003");
        assertThat(nodes.paused()).isEqualTo("/latchkey/paused");
        assertThat(ZNodes.nameOf("/a/b%2Fc")).isEqualTo("b%2Fc");
        assertThat(ZNodes.parentOf("/a/b")).isEqualTo("/a");
        assertThat(ZNodes.parentOf("/a")).isEqualTo("/");
    }

    @ParameterizedTest
    @CsvSource({
        "daily report, daily report",
        "Abrechnung für März, Abrechnung für März",
        "日次, 日次",
        "50%, 50%25",
        "a/b, a%2Fb",
        "., %2E",
        ".., %2E%2E",
        "..., ...",
        "\uD83D\uDE00, %uD83D%uDE00",
    })
    void namesStayReadable(String name, String segment) {
        assertThat(ZNodes.encode(name)).isEqualTo(segment);
        assertThat(ZNodes.decode(segment)).isEqualTo(name);
    }

    /** Seeded, with every kind of character ZooKeeper refuses over-represented. */
    @Test
    void everyNameComesBackAndIsAPathZooKeeperTakesAndNoOthers() {
        Random random = new Random(20261129);
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            String name = randomName(random);
            String segment = ZNodes.encode(name);
            assertThat(ZNodes.decode(segment)).isEqualTo(name);
            assertThat(segment).doesNotContain("/");
            PathUtils.validatePath(nodes.triggers() + '/' + segment);
            String other = names.put(segment, name);
            assertThat(other == null || other.equals(name)).isTrue();
        }
    }

    private static String randomName(Random random) {
        StringBuilder name = new StringBuilder();
        int length = 1 + random.nextInt(12);
        for (int i = 0; i < length; i++) {
            switch (random.nextInt(6)) {
                case 0 -> name.append("/.%u ".charAt(random.nextInt(5)));
                case 1 -> name.append((char) random.nextInt(0xa0));
                case 2 -> name.append((char) (0xd800 + random.nextInt(0x2100)));
                case 3 -> name.append((char) (0xfff0 + random.nextInt(16)));
                case 4 -> name.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
                default -> name.append((char) ('0' + random.nextInt(70)));
            }
        }
        return name.toString();
    }

    @Test
    void everyUnitByItselfComesBack() {
        for (int c = 0; c <= 0xffff; c++) {
            String name = String.valueOf((char) c);
            if (!ZNodes.decode(ZNodes.encode(name)).equals(name)) {
                throw new AssertionError("U+" + Integer.toHexString(c));
            }
            PathUtils.validatePath("/" + ZNodes.encode(name));
        }
    }

    @Test
    void emptyNameIsRefused() {
        assertThatThrownBy(() -> nodes.trigger("", "t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("empty name");
    }

    @Test
    void longNameIsRefusedWithTheLimit() {
        String longest = "ü".repeat(127) + "x";
        assertThat(ZNodes.encode(longest).getBytes(StandardCharsets.UTF_8)).hasSize(255);
        assertThatThrownBy(() -> ZNodes.encode(longest + "y"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("takes 256 bytes")
                .hasMessageContaining("limit is 255 bytes");
        assertThat(nodes.running("x".repeat(600))).hasSize("/latchkey/running/".length() + 600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%2", "%u12", "%zz", "%u12zz", "%-1", "%+1"})
    void whatNoNameEncodesToIsRefused(String segment) {
        assertThatThrownBy(() -> ZNodes.decode(segment))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not an encoded name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "latchkey", "/latchkey/", "/a//b", "/a/../b"})
    void badRootIsRefused(String root) {
        assertThatThrownBy(() -> new ZNodes(root)).isInstanceOf(IllegalArgumentException.class);
    }
}
