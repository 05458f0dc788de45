package io.latchkey.console;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** What the server itself refuses, such as a request that is none: said in the same form as all problems, and no more. */
final class Errors extends ErrorHandler {
    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        Answer answer = answer(code);
        fill(response.getHeaders(), answer);
        response.write(true, ByteBuffer.wrap(answer.body()), callback);
    }

    private static void fill(HttpFields.Mutable headers, Answer answer) {
        Headers.secure(headers);
        headers.put("Content-Type", answer.type());
    }

    private static Answer answer(int code) {
        String title = HttpStatus.getMessage(code);
        return new Problem(
                        code,
                        title == null ? "Error" : title,
                        code < 500 ? "the request cannot be understood or is too large" : "an error of ours",
                        code < 500 ? "see /api/v1/openapi.json for what can be asked" : "see the log of this instance")
                .answer();
    }
}
