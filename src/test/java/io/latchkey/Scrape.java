package io.latchkey;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an instance's metrics are at one moment, as Prometheus gets them. */
final class Scrape {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*})? (\\S+)");

    private final String text;
    private final Map<String, Double> samples = new LinkedHashMap<>();
    private final Set<String> names = new TreeSet<>();

    private Scrape(String text) {
        this.text = text;
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                throw new IllegalStateException("no sample: " + line);
            }
            names.add(sample.group(1));
            samples.put(
                    line.substring(0, line.lastIndexOf(' ')),
                    Double.parseDouble(sample.group(3).replace("+Inf", "Infinity")));
        });
    }

    static Scrape of(ServiceInstance instance) throws Exception {
        HttpResponse<String> answer = get(instance, "*/*");
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(answer.statusCode() + " " + answer.body());
        }
        return new Scrape(answer.body());
    }

    static HttpResponse<String> get(ServiceInstance instance, String accept) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(instance.console() + "/metrics"))
                        .timeout(Duration.ofSeconds(30))
                        .header("Accept", accept)
                        .build(),
                BodyHandlers.ofString());
    }

    /** A sample by its name and labels, as it is written. */
    double value(String sample) {
        Double value = samples.get(sample);
        if (value == null) {
            throw new IllegalStateException("no sample " + sample + " in\n" + text);
        }
        return value;
    }

    Set<String> names() {
        return names;
    }

    Map<String, Double> samples() {
        return samples;
    }

    String text() {
        return text;
    }
}
