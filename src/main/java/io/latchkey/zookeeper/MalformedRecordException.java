package io.latchkey.zookeeper;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;

/** A znode's data is not the record it should be: something else wrote there. */
public final class MalformedRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;

    MalformedRecordException(String path, Class<?> type, String reason) {
        super(path + " does not hold a " + type.getSimpleName() + ": " + reason);
        this.path = path;
    }

    MalformedRecordException(String path, Class<?> type, IOException cause) {
        super(
                path + " does not hold a " + type.getSimpleName() + ": "
                        + (cause instanceof JsonProcessingException json
                                ? json.getOriginalMessage()
                                : cause.getMessage()),
                cause);
        this.path = path;
    }

    public String path() {
        return path;
    }
}
