package io.latchkey.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every pair of roles, against a table written out a second time. */
class RoleTest {
    private static final Map<Role, Set<Role>> LEGAL = Map.of(
            Role.JOINING, EnumSet.of(Role.STANDBY, Role.BLOCKED, Role.BACKING_OFF, Role.DRAINING),
            Role.STANDBY, EnumSet.of(Role.TAKING, Role.BLOCKED, Role.JOINING, Role.DRAINING),
            Role.TAKING, EnumSet.of(Role.LEADING, Role.STANDBY, Role.STOPPING, Role.BACKING_OFF, Role.BLOCKED),
            Role.LEADING, EnumSet.of(Role.STOPPING),
            Role.STOPPING, EnumSet.of(Role.STANDBY, Role.BACKING_OFF, Role.BLOCKED, Role.JOINING, Role.DRAINING),
            Role.BACKING_OFF, EnumSet.of(Role.STANDBY, Role.BLOCKED, Role.JOINING, Role.DRAINING),
            Role.BLOCKED, EnumSet.of(Role.STANDBY, Role.JOINING, Role.DRAINING),
            Role.DRAINING, EnumSet.of(Role.CLOSED),
            Role.CLOSED, EnumSet.noneOf(Role.class));

    static List<List<Role>> pairs() {
        return Arrays.stream(Role.values())
                .flatMap(from -> Arrays.stream(Role.values()).map(to -> List.of(from, to)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void becomesWhatTheTableSaysAndNothingElse(List<Role> pair) {
        Role from = pair.get(0);
        Role to = pair.get(1);
        if (LEGAL.getOrDefault(from, Set.of()).contains(to)) {
            assertThat(from.become(to)).isSameAs(to);
        } else {
            assertThatThrownBy(() -> from.become(to))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(from.name())
                    .hasMessageContaining(to.name());
        }
    }
}
