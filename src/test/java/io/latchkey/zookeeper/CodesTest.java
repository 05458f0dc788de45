package io.latchkey.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult.CheckResult;
import org.apache.zookeeper.OpResult.ErrorResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What cannot be had from a real server at will. */
class CodesTest {
    @ParameterizedTest
    @EnumSource(
            value = Code.class,
            names = {"SESSIONEXPIRED", "AUTHFAILED", "SESSIONCLOSEDREQUIRESASLAUTH"})
    void endOfTheSessionIsSeenOnTheWholeAndOnOneOperation(Code code) {
        assertThat(Codes.failure(code.intValue(), null)).isInstanceOf(TxResult.SessionGone.class);
        assertThat(Codes.failure(0, List.of(new CheckResult(), new ErrorResult(code.intValue()))))
                .isInstanceOf(TxResult.SessionGone.class);
    }

    @Test
    void whatProvesNothingIsUnknown() {
        TxResult lost = new TxResult.Unknown(TxResult.Cause.CONNECTION_LOSS);
        assertThat(Codes.failure(Code.CONNECTIONLOSS.intValue(), null)).isEqualTo(lost);
        assertThat(Codes.failure(0, List.of(new ErrorResult(Code.SESSIONMOVED.intValue()))))
                .isEqualTo(lost);
        assertThat(Codes.failure(Code.SYSTEMERROR.intValue(), null)).isEqualTo(lost);
        assertThat(Codes.failure(-987_654, null))
                .as("a code of a later version")
                .isEqualTo(lost);
        assertThat(Codes.failure(Code.OPERATIONTIMEOUT.intValue(), null))
                .isEqualTo(new TxResult.Unknown(TxResult.Cause.TIMEOUT));
        assertThat(Codes.failure(Code.REQUESTTIMEOUT.intValue(), null))
                .isEqualTo(new TxResult.Unknown(TxResult.Cause.TIMEOUT));
    }

    @Test
    void requestRefusedAsAWholeHasNoCulprit() {
        assertThat(Codes.failure(Code.MARSHALLINGERROR.intValue(), null))
                .isEqualTo(new TxResult.Refused(TxResult.Refused.WHOLE, TxResult.Reason.OTHER, List.of(-5)));
    }
}
