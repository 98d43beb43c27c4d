// The event stream of this browser. A browser permits six connections to a host, so one tab holds the stream
// and forwards its messages to the other tabs. Without the Web Locks API (plain HTTP), each tab has a stream.
class LiveSource extends EventTarget {
  constructor(after) {
    super();
    this.after = after;
    this.end = new AbortController();
    this.others = new BroadcastChannel("presstime-live");
    this.others.onmessage = (event) => this.receive(...event.data);
    const hold = () => new Promise((done) => { this.done = done; this.listen(); });
    navigator.locks ? navigator.locks.request("presstime-live", { signal: this.end.signal }, hold).catch(() => {}) : hold();
  }
  listen() {
    const source = this.source = new EventSource(this.after == null ? "/live" : "/live?after=" + this.after);
    for (const name of ["hello", "heartbeat", "signals", "reload"]) {
      source.addEventListener(name, (event) => {
        this.receive(name, event.data, event.lastEventId);
        this.others.postMessage([name, event.data, event.lastEventId]);
      });
    }
    source.onerror = () => source.readyState == 2 && this.dispatchEvent(new MessageEvent("broken"));
  }
  receive(name, data, lastEventId) {
    if (lastEventId) this.after = lastEventId;
    // A tab that joins late fetches everything again, as after a "hello" of the server.
    if (!this.is_known && name == "heartbeat") name = "hello";
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
