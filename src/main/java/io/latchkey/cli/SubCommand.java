package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.latchkey.zookeeper.Json;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What commands below the root share: its options, and where their output goes. */
abstract class SubCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    final LatchkeyCommand root() {
        return (LatchkeyCommand) spec.root().userObject();
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Prints an object as JSON, all of it in ASCII: no terminal acts on that. */
    final void printJson(Object view) throws JsonProcessingException {
        out().println(Json.mapper()
                .writerWithDefaultPrettyPrinter()
                .with(JsonWriteFeature.ESCAPE_NON_ASCII)
                .writeValueAsString(view));
    }
}
