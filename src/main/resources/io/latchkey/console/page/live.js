// The event stream, and what becomes of it: opened again with growing pauses, and never trusted to be alive in silence.
const FIRST = 1000;
const LONGEST = 30_000;
const SILENCE = 15_000;

export class Live {
  /**
   * @param changed called with the versions of the parts, whenever the stream says so
   * @param probe asks for something, to see whether the instance is there; true if it is
   * @param moved called when it came or went
   */
  constructor(changed, probe, moved) {
    this.changed = changed;
    this.probe = probe;
    this.moved = moved;
    this.up = null;
    this.pause = FIRST;
    this.retryAt = 0;
    this.heard = Date.now();
    this.timer = 0;
    this.source = null;
  }

  open() {
    clearTimeout(this.timer);
    this.source?.close();
    const source = new EventSource("api/v1/events");
    this.source = source;
    source.addEventListener("changed", (event) => {
      this.pause = FIRST;
      this.heard = Date.now();
      this.be(true);
      this.changed(JSON.parse(event.data));
    });
    source.onerror = () => {
      source.close();
      if (this.source === source) {
        this.source = null;
        this.later();
      }
    };
  }

  /** Without a stream there are still answers, perhaps: there may be too many streams. */
  async later() {
    this.be(await this.probe());
    if (this.source) {
      return;
    }
    clearTimeout(this.timer);
    const wait = this.pause * (0.8 + Math.random() * 0.4);
    this.retryAt = Date.now() + wait;
    this.pause = Math.min(LONGEST, this.pause * 2);
    this.timer = setTimeout(() => this.open(), wait);
    this.moved();
  }

  /** At once, because somebody asks. */
  hurry() {
    this.pause = FIRST;
    this.open();
  }

  /** To be called every second or so. */
  async watch() {
    if (this.source && Date.now() - this.heard > SILENCE) {
      this.heard = Date.now();
      const source = this.source;
      if (!(await this.probe()) && this.source === source) {
        source.close();
        this.source = null;
        this.later();
      }
    }
  }

  be(up) {
    if (up) {
      this.heard = Date.now();
    }
    if (this.up !== up) {
      this.up = up;
      this.moved();
    }
  }
}
