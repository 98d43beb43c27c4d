// Creates the owner of a new Ghost site and an integration. Prints its Admin API key.
const [, , port] = process.argv;
const site = `http://127.0.0.1:${port}`;
const owner = {name: "Owner", email: "owner@example.org", password: "Kuq7-Wexo-Tirn-82", blogTitle: "Blog"};

async function post(path, body, more = {}) {
    const headers = {"Content-Type": "application/json", Origin: site, ...more};
    const answer = await fetch(`${site}/ghost/api/admin/${path}`, {method: "POST", headers, body: JSON.stringify(body)});
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
}

// While Ghost makes its database, it answers 503.
for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${site}/ghost/api/admin/site/`).catch(() => null);
    if (answer?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
}
await post("authentication/setup/", {setup: [owner]});
// Right after the setup Ghost may not accept the first session yet.
for (let tries = 1; ; tries++) {
    const session = await post("session/", {username: owner.email, password: owner.password});
    const Cookie = session.headers.getSetCookie().map((one) => one.split(";")[0]).join("; ");
    try {
        const made = await post("integrations/?include=api_keys", {integrations: [{name: "Presstime"}]}, {Cookie});
        const keys = (await made.json()).integrations[0].api_keys;
        console.log(keys.find((key) => key.type === "admin").secret);
        break;
    } catch (failure) {
        if (tries === 20) throw failure;
        await new Promise((resolve) => setTimeout(resolve, 250));
    }
}
