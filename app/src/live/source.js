// The live stream of this browser. A browser allows six connections to a host: so one tab holds the stream, and passes on to
// the others what it hears. Where there are no locks (plain http), each tab has a stream of its own.
class LiveSource extends EventTarget {
  constructor(after) {
    super();
    this.after = after;
    this.end = new AbortController();
    this.others = new BroadcastChannel("presstime-live");
    this.others.onmessage = (event) => this.hear(...event.data);
    const hold = () => new Promise((done) => { this.done = done; this.listen(); });
    navigator.locks ? navigator.locks.request("presstime-live", { signal: this.end.signal }, hold).catch(() => {}) : hold();
  }
  listen() {
    const source = this.source = new EventSource(this.after == null ? "/live" : "/live?after=" + this.after);
    for (const name of ["hello", "beat", "signals", "reload"]) {
      source.addEventListener(name, (event) => {
        this.hear(name, event.data, event.lastEventId);
        this.others.postMessage([name, event.data, event.lastEventId]);
      });
    }
    source.onerror = () => source.readyState == 2 && this.dispatchEvent(new MessageEvent("broken"));
  }
  hear(name, data, lastEventId) {
    if (lastEventId) this.after = lastEventId;
    // Who joins late reads anew, as after a hello of the server's own.
    if (!this.is_known && name == "beat") name = "hello";
    this.is_known = true;
    this.dispatchEvent(new MessageEvent(name, { data, lastEventId }));
  }
  close() {
    this.end.abort();
    this.others.close();
    this.source?.close();
    this.done?.();
  }
}
self.LiveSource = LiveSource;
