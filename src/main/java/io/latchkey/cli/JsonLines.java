package io.latchkey.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Writes each event of the log as one JSON object on one line: {@code time} (UTC), {@code level}, {@code logger},
 * {@code thread}, {@code instance}, {@code message}; of a run {@code job}, {@code fire}, {@code term}, {@code attempt} and
 * whatever else is in the MDC; {@code error} with the stack trace. Named in logback.xml.
 *
 * <p>Logback's own encoder writes times as numbers, stack traces as trees, and no instance.
 */
public final class JsonLines extends EncoderBase<ILoggingEvent> {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final byte[] NOTHING = {};

    /** Of the encoder for text, in whose place this may be; means nothing here. */
    public void setPattern(String pattern) {
        // Nothing to set.
    }

    /** Of the encoder for text; JSON is always in UTF-8. */
    public void setCharset(Charset charset) {
        // Nothing to set.
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        ObjectNode line = MAPPER.createObjectNode();
        line.put("time", event.getInstant().toString());
        line.put("level", event.getLevel().toString());
        line.put("logger", event.getLoggerName());
        line.put("thread", event.getThreadName());
        line.put("instance", event.getLoggerContextVO().getPropertyMap().get("latchkey.instance"));
        line.put("message", event.getFormattedMessage());
        event.getMDCPropertyMap().forEach((key, value) -> {
            if (!line.has(key)) {
                line.put(key, value);
            }
        });
        if (event.getThrowableProxy() != null) {
            line.put("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        try {
            return (MAPPER.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An object of texts is always JSON", e);
        }
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
