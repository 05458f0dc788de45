package io.latchkey.zookeeper;

import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.jspecify.annotations.Nullable;

/** What ZooKeeper's result codes mean for a request that was sent once, on one session. */
final class Codes {
    private Codes() {}

    static Code of(int rc) {
        // Code.get throws for what a later server may say, which would leave a request without an answer.
        for (Code code : Code.values()) {
            if (code.intValue() == rc) {
                return code;
            }
        }
        return Code.SYSTEMERROR;
    }

    static boolean isSessionGone(Code code) {
        return switch (code) {
            case SESSIONEXPIRED, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH -> true;
            default -> false;
        };
    }

    /**
     * The result of a transaction that was not applied, or of which nothing is known.
     *
     * @param results per operation, where the server decided
     */
    static TxResult failure(int rc, @Nullable List<OpResult> results) {
        List<Integer> codes = new ArrayList<>();
        int culprit = TxResult.Refused.WHOLE;
        int decisive = rc;
        if (results != null) {
            for (OpResult result : results) {
                int err = result instanceof OpResult.ErrorResult error ? error.getErr() : 0;
                if (err != 0 && culprit == TxResult.Refused.WHOLE) {
                    culprit = codes.size();
                    decisive = err;
                }
                codes.add(err);
            }
        }
        return of(of(decisive), culprit, codes.isEmpty() ? List.of(rc) : codes);
    }

    private static TxResult of(Code code, int index, List<Integer> codes) {
        return switch (code) {
            case SESSIONEXPIRED, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH -> new TxResult.SessionGone(code.name());
            case OPERATIONTIMEOUT, REQUESTTIMEOUT -> new TxResult.Unknown(TxResult.Cause.TIMEOUT);
            case NONODE -> new TxResult.Refused(index, TxResult.Reason.NO_NODE, codes);
            case BADVERSION -> new TxResult.Refused(index, TxResult.Reason.BAD_VERSION, codes);
            case NODEEXISTS -> new TxResult.Refused(index, TxResult.Reason.NODE_EXISTS, codes);
            case NOAUTH -> new TxResult.Refused(index, TxResult.Reason.NO_AUTH, codes);
            case NOTEMPTY -> new TxResult.Refused(index, TxResult.Reason.NOT_EMPTY, codes);
            case BADARGUMENTS,
                    INVALIDACL,
                    UNIMPLEMENTED,
                    MARSHALLINGERROR,
                    NOCHILDRENFOREPHEMERALS,
                    EPHEMERALONLOCALSESSION,
                    NOTREADONLY,
                    QUOTAEXCEEDED -> new TxResult.Refused(index, TxResult.Reason.OTHER, codes);
            // Whatever else there is (moved session, throttled, server errors) proves nothing: ask again.
            default -> new TxResult.Unknown(TxResult.Cause.CONNECTION_LOSS);
        };
    }
}
