// A desk of one's own: the built product on a free port with its data in a temporary folder, for the tests of one worker.
import { test as base, expect, type APIRequestContext, type Cookie, type Page } from "@playwright/test";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const people = {
  admin: { email: "ada@example.org", name: "Ada", role: "admin", password: "correct horse one" },
  creator: { email: "cora@example.org", name: "Cora", role: "creator", password: "correct horse two" },
};
export type Who = keyof typeof people;

const binary = process.env.PRESSTIME_BIN ?? "presstime";

export class Desk {
  /** Sessions that the form of the log-in has opened, and when. */
  readonly sessions = new Map<Who, { cookies: Cookie[]; at: number }>();

  constructor(
    readonly url: string,
    readonly data: string,
    readonly server: ChildProcess,
    readonly said: () => string,
  ) {}

  /** Runs a verb of the command line on this desk's data; returns what it printed. */
  run(args: string[], input?: string): string {
    const done = spawnSync(binary, [...args, "--data", this.data], { input, encoding: "utf8" });
    expect(done.status, done.stderr).toBe(0);
    return done.stdout;
  }

  /** A bearer token of one of the people. */
  token(who: Who): string {
    return this.run(["token", "create", "--user", people[who].email]).trim();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, "127.0.0.1", done));
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  return port;
}

/** Starts a desk; with people unless it is to be set up by hand. */
export async function start(options: { people: boolean; args?: string[] }): Promise<Desk> {
  const data = mkdtempSync(join(tmpdir(), "presstime-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  if (options.people) {
    for (const { email, name, role, password } of Object.values(people)) {
      const args = ["user", "add", "--email", email, "--name", name, "--role", role, "--password-stdin", "--data", data];
      const done = spawnSync(binary, args, { input: password, encoding: "utf8" });
      expect(done.status, done.stderr).toBe(0);
    }
  }
  let said = "";
  const args = ["serve", "--data", data, "--listen", `127.0.0.1:${port}`, ...(options.args ?? [])];
  const server = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe"] });
  server.stdout?.on("data", (text) => (said += text));
  server.stderr?.on("data", (text) => (said += text));
  await expect
    .poll(() => fetch(`${url}/healthz`).then((answer) => answer.status, () => 0), { timeout: 20_000, message: "the desk listens" })
    .toBe(200);
  return new Desk(url, data, server, () => said);
}

/** Ends a desk and removes its data. */
export async function stop(desk: Desk) {
  const { server } = desk;
  if (server.exitCode === null && server.signalCode === null) {
    const gone = new Promise((done) => server.once("exit", done));
    server.kill("SIGTERM");
    await gone;
  }
  rmSync(desk.data, { recursive: true, force: true });
}

/** How long a session is used again, in ms: after 10 minutes forms ask for the password once more. */
const sessionAge = 300_000;

/** Logs in and ends on the desk: the first time through the form, later with the session that opened, while it is young. */
export async function logIn(page: Page, desk: Desk, who: Who) {
  const session = desk.sessions.get(who);
  const isYoung = session && Date.now() - session.at < sessionAge;
  if (isYoung) {
    await page.context().addCookies(session.cookies);
    await page.goto(desk.url);
  } else {
    await page.goto(`${desk.url}/login`);
    await page.locator('input[name="email"]').fill(people[who].email);
    await page.locator('input[name="password"]').fill(people[who].password);
    await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  }
  await expect(page).toHaveURL(`${desk.url}/`);
  desk.sessions.set(who, { cookies: await page.context().cookies(desk.url), at: isYoung ? session.at : Date.now() });
}

/** The REST API as one of the people. */
export class Api {
  constructor(
    readonly request: APIRequestContext,
    readonly desk: Desk,
    readonly token: string,
  ) {}

  async post(path: string, data: unknown) {
    const answer = await this.request.post(`${this.desk.url}/api/v1${path}`, { data, headers: { authorization: `Bearer ${this.token}` } });
    expect(answer.status(), await answer.text()).toBeLessThan(300);
    return answer.json();
  }

  async get(path: string) {
    const answer = await this.request.get(`${this.desk.url}/api/v1${path}`, { headers: { authorization: `Bearer ${this.token}` } });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  }

  /** A draft. */
  article(title: string, body = "One paragraph.") {
    return this.post("/articles", { title, body });
  }

  /** Plans the publishing of an article `seconds` from now. */
  publishIn(article: { id: string }, seconds: number) {
    const due_at = new Date(Date.now() + seconds * 1000).toISOString();
    return this.post("/tasks", { kind: "article.publish", target_id: article.id, due_at });
  }
}

export const test = base.extend<{ api: Api }, { desk: Desk }>({
  desk: [
    async ({}, use) => {
      const desk = await start({ people: true });
      await use(desk);
      await stop(desk);
    },
    { scope: "worker" },
  ],
  api: async ({ request, desk }, use) => use(new Api(request, desk, desk.token("creator"))),
});
export { expect };
