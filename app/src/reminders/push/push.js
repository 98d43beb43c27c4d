// Shows notifications on this device or stops it. The page holds a text or a button for each state; all but
// those of the current state are hidden. Without this script the first one stays.
{
  const d = document, seen = new WeakSet();
  const subscription = async () => (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription();
  const bytes = text => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
  const post = async (name, fields) => {
    const answer = await fetch("/fn/" + name, {
      method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams(fields),
    });
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  };
  const state = async box => {
    if (!box.dataset.key || !navigator.serviceWorker || !window.PushManager || !window.Notification) return "unsupported";
    if (Notification.permission == "denied") return "blocked";
    const own = await subscription();
    return own && [...d.querySelectorAll("[data-endpoint]")].some(row => row.dataset.endpoint == own.endpoint) ? "on" : "off";
  };
  const on = async box => {
    if (await Notification.requestPermission() != "granted") return state(box);
    await navigator.serviceWorker.register("/sw.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    // It may belong to another account, or to an earlier key of the desk.
    await (await pushManager.getSubscription())?.unsubscribe();
    const key = { userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key) };
    const { endpoint, keys } = (await pushManager.subscribe(key)).toJSON();
    await post("subscribe_push", { endpoint, ...keys });
    return "on";
  };
  const off = async () => {
    const own = await subscription();
    if (own) {
      await post("unsubscribe_push", { endpoint: own.endpoint });
      await own.unsubscribe();
    }
    return "off";
  };
  const bind = box => {
    let runs;
    const show = now => {
      const has_focus = box.contains(d.activeElement);
      for (const part of box.children) part.hidden = part.dataset.push != now;
      if (has_focus) box.querySelector(":not([hidden]) > button")?.focus();
    };
    const run = async step => {
      if (runs) return;
      runs = true;
      try {
        show(await step(box));
      } catch (error) {
        console.warn(error);
        show("error");
      }
      runs = false;
    };
    box.addEventListener("click", event => {
      const wanted = event.target.closest("button")?.dataset.do;
      if (wanted) run(wanted == "on" ? on : off);
    });
    run(state);
  };
  const look = () => {
    const box = d.getElementById("push-switch");
    if (box && !seen.has(box)) seen.add(box), bind(box);
  };
  new MutationObserver(look).observe(d.documentElement, { childList: true, subtree: true });
  look();
}
