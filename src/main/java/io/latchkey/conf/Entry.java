package io.latchkey.conf;

/** One key as somebody set it; {@code place} is as in {@link Problem}, and the value may be secret. */
record Entry(String key, String value, String place) {
    Problem problem(String message, String remedy) {
        return new Problem(place, key, message, remedy);
    }

    /** Without the value, which may be secret. */
    @Override
    public String toString() {
        return key + " (" + place + ")";
    }
}
