// Logs in with a passkey, adds one, or confirms with one in place of the password. Without this script the page says
// that passkeys need one.
{
  const d = document, seen = new WeakSet();
  const bytes = text => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
  const text = buffer => btoa(Array.from(new Uint8Array(buffer), c => String.fromCharCode(c)).join(""))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const post = async (name, fields) => {
    const answer = await fetch("/fn/" + name, {
      method: "POST", headers: { accept: "application/json" }, body: new URLSearchParams(fields),
    });
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return answer.json();
  };
  const known = request => request.known.map(id => ({ type: "public-key", id: bytes(id) }));
  const get = async (begin, more) => {
    const request = await post(begin, {});
    const publicKey = {
      challenge: bytes(request.challenge), rpId: request.host, timeout: request.timeout_ms,
      userVerification: "required", allowCredentials: known(request),
    };
    const { id, response } = await navigator.credentials.get({ publicKey, ...more });
    return {
      credential: id, client_data: text(response.clientDataJSON), authenticator_data: text(response.authenticatorData),
      signature: text(response.signature), handle: response.userHandle ? text(response.userHandle) : "",
    };
  };
  const create = async password => {
    const request = await post("begin_passkey", password ? { password } : {});
    const { handle, email, name } = request.account;
    const publicKey = {
      challenge: bytes(request.challenge), rp: { id: request.host, name: request.host },
      user: { id: bytes(handle), name: email, displayName: name },
      pubKeyCredParams: [-7, -8, -257].map(alg => ({ type: "public-key", alg })),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      excludeCredentials: known(request), attestation: "none", timeout: request.timeout_ms,
    };
    const { id, response } = await navigator.credentials.create({ publicKey });
    return {
      credential: id, client_data: text(response.clientDataJSON),
      authenticator_data: text(response.getAuthenticatorData()), public_key: text(response.getPublicKey()),
    };
  };
  const send = (form, group, values) => {
    for (const [name, value] of Object.entries(values)) form.elements[`${group}[${name}]`].value = value;
    form.submit();
  };
  const bind = box => {
    const kind = box.dataset.passkey, form = box.querySelector("form") ?? box.closest("form");
    const parts = name => [...box.querySelectorAll(`[data-${name}]`)].filter(part => part.closest("[data-passkey]") == box);
    const show = state => parts("state").forEach(part => part.hidden = part.dataset.state != state);
    const fail = is_failed => parts("failed").forEach(part => part.hidden = !is_failed);
    if (!window.PublicKeyCredential || !navigator.credentials) return show("unsupported");
    show("ready");
    let waiting, offered, runs;
    const run = async step => {
      waiting?.abort();
      if (runs) return;
      runs = true;
      fail(false);
      try {
        await offered;
        await step();
      } catch (error) {
        console.warn(error);
        fail(true);
      }
      runs = false;
    };
    const log_in = async more => {
      const answer = await get("begin_passkey_log_in", more);
      form.elements.stay.disabled = !d.querySelector('form[action="/fn/log_in"] [name="stay"]')?.checked;
      send(form, "answer", answer);
    };
    // The browser offers passkeys in the field of the address, until another way is used. Challenges expire.
    const offer = async () => {
      if (!await PublicKeyCredential.isConditionalMediationAvailable?.() || runs) return;
      const own = waiting = new AbortController();
      setTimeout(() => own == waiting && (own.abort(), offer()), 240_000);
      offered = log_in({ mediation: "conditional", signal: own.signal }).catch(error => own.signal.aborted || console.warn(error));
    };
    const confirm = async () => {
      const answer = await get("begin_passkey_confirmation", {});
      await post("confirm_with_passkey", Object.entries(answer).map(([name, value]) => [`answer[${name}]`, value]));
      form.noValidate = true;
      form.requestSubmit();
    };
    if (kind == "confirm") {
      box.querySelector("button").addEventListener("click", () => run(confirm));
      return;
    }
    form.addEventListener("submit", event => {
      event.preventDefault();
      run(kind == "log_in" ? () => log_in({}) : async () => send(form, "new", await create(form.elements.password?.value)));
    });
    if (kind == "log_in") offer();
  };
  const look = () => {
    for (const box of d.querySelectorAll("[data-passkey]")) if (!seen.has(box)) seen.add(box), bind(box);
  };
  new MutationObserver(look).observe(d.documentElement, { childList: true, subtree: true });
  look();
}
