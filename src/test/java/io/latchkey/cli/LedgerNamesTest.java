package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.latchkey.ledger.KeyText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;

class LedgerNamesTest {
    private static final JobKey TICK = new JobKey("tick", "ops");
    private static final JobKey OTHER_TICK = new JobKey("tick", "demo");
    private static final JobKey BACKUP = new JobKey("backup", "ops");
    private static final JobKey HOSTILE = new JobKey("ev\u001b[31mil\u202e/%", "a.b\n");
    private static final List<JobKey> KNOWN = List.of(TICK, OTHER_TICK, BACKUP, HOSTILE);

    @Test
    void jobIsFoundByGroupAndName() throws Exception {
        assertThat(LedgerNames.find("job", "ops.tick", KNOWN)).contains(TICK);
    }

    @Test
    void nameAloneIsEnoughWhereOneHasIt() throws Exception {
        assertThat(LedgerNames.find("job", "backup", KNOWN)).contains(BACKUP);
    }

    @Test
    void nameOfSeveralIsRefusedWithAllOfThem() {
        assertThatThrownBy(() -> LedgerNames.find("job", "tick", KNOWN))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("demo.tick, ops.tick");
    }

    @Test
    void keysThatReadTheSameAreToldApartByTheirEscapedForm() throws Exception {
        JobKey one = new JobKey("c", "a.b");
        JobKey other = new JobKey("b.c", "a");
        assertThatThrownBy(() -> LedgerNames.find("job", "a.b.c", List.of(one, other)))
                .hasMessageContaining("a%2Eb.c, a.b%2Ec")
                .isInstanceOf(CliException.class);
        assertThat(LedgerNames.find("job", "a.b%2Ec", List.of(one, other))).contains(other);
        assertThat(LedgerNames.find("job", "a%2Eb.c", List.of(one, other))).contains(one);
    }

    @Test
    void unknownNameGetsANearOneOffered() {
        assertThat(LedgerNames.unknown("job", "ops.bakcup", KNOWN))
                .hasMessageContaining("did you mean \"ops.backup\"?");
        assertThat(LedgerNames.unknown("job", "backpu", KNOWN)).hasMessageContaining("did you mean \"backup\"?");
        assertThat(LedgerNames.unknown("job", "zzzzzz", KNOWN)).hasMessageContaining("`latchkey jobs` shows all");
    }

    @Test
    void hostileNameIsShownHarmlessAndFoundAsShown() throws Exception {
        String shown = Printable.name(HOSTILE);
        assertThat(shown).isEqualTo("a%2Eb%0A.ev%1B[31mil%E2%80%AE/%25");
        assertThat(KeyText.job(shown)).as("reads back").isEqualTo(HOSTILE);
        assertThat(LedgerNames.find("job", shown, KNOWN)).contains(HOSTILE);
        assertThat(LedgerNames.unknown("job", "\u001b[2J", KNOWN))
                .hasMessageContaining("\\u001b[2J")
                .hasMessageNotContaining("\u001b");
    }

    @Test
    void lettersOfAnyScriptStay() {
        assertThat(Printable.name(new JobKey("größe 数据 😀", "ops"))).isEqualTo("ops.größe 数据 😀");
    }

    @Test
    void messageIsCutToItsFirstLine() {
        assertThat(Printable.firstLine("one\u0007\ntwo")).isEqualTo("one\\u0007");
        assertThat(Printable.firstLine("x".repeat(500))).hasSize(161).endsWith("…");
        assertThat(Printable.firstLine("")).isEmpty();
    }
}
