// Test fixture: the built binary on a free port, with its data in a temporary folder. One server for each file of tests: what a
// test leaves behind is seen only by the tests of its own file.
import { test as base, expect, type APIRequestContext, type Browser, type BrowserType, type Cookie, type Page } from "@playwright/test";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const users = {
  admin: { email: "ada@example.org", name: "Ada", role: "admin", password: "correct horse one" },
  creator: { email: "cora@example.org", name: "Cora", role: "creator", password: "correct horse two" },
};
export type UserName = keyof typeof users;

const binary = process.env.PRESSTIME_BIN ?? "presstime";

export class Server {
  /** Sessions opened through the login form, with their time. */
  readonly sessions = new Map<UserName, { cookies: Cookie[]; at: number }>();

  constructor(
    readonly url: string,
    readonly data: string,
    readonly process: ChildProcess,
    readonly output: () => string,
  ) {}

  /** Runs a command of the CLI on this server's data; returns its output. */
  run(args: string[], input?: string): string {
    const done = spawnSync(binary, [...args, "--data", this.data], { input, encoding: "utf8" });
    expect(done.status, done.stderr).toBe(0);
    return done.stdout;
  }

  /** Returns an API token of a user. */
  token(who: UserName): string {
    return this.run(["token", "create", "--user", users[who].email]).trim();
  }
}

/** Starts a server, with users unless the test runs the set-up. */
export async function start(options: { users: boolean; args?: string[] }): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), "presstime-"));
  if (options.users) {
    for (const { email, name, role, password } of Object.values(users)) {
      const args = ["user", "add", "--email", email, "--name", name, "--role", role, "--password-stdin", "--data", data];
      const done = spawnSync(binary, args, { input: password, encoding: "utf8" });
      expect(done.status, done.stderr).toBe(0);
    }
  }
  let output = "";
  const args = ["serve", "--data", data, "--listen", "127.0.0.1:0", ...(options.args ?? [])];
  const child = spawn(binary, args, { stdio: ["ignore", "pipe", "pipe"] });
  // It prints its address when it listens.
  const url = await new Promise<string>((listens, ended) => {
    const read = (text: Buffer) => {
      output += text;
      const address = /^Presstime is at (\S+)\n/m.exec(output);
      if (address) listens(address[1]);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => ended(new Error(`the server did not start: ${output}`)));
  });
  await expect
    .poll(() => fetch(`${url}/healthz`).then((answer) => answer.status, () => 0), { timeout: 60_000, message: "the server answers" })
    .toBe(200);
  return new Server(url, data, child, () => output);
}

/** Stops a server and removes its data. */
export async function stop(server: Server) {
  const { process: child } = server;
  if (child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await gone;
  }
  rmSync(server.data, { recursive: true, force: true });
}

/** Maximum age of a reused session, in ms: after 10 minutes forms ask for the password again. */
const maxSessionAge = 300_000;

/** Logs in and opens the dashboard: first through the form, then with that session while it is young enough. */
export async function logIn(page: Page, server: Server, who: UserName) {
  const session = server.sessions.get(who);
  const isYoung = session && Date.now() - session.at < maxSessionAge;
  if (isYoung) {
    await page.context().addCookies(session.cookies);
    await page.goto(server.url);
  } else {
    // Logging in replaces the session of the browser, which may be the one that is reused for another user.
    await page.context().clearCookies();
    await page.goto(`${server.url}/login`);
    await page.locator('input[name="email"]').fill(users[who].email);
    await page.locator('input[name="password"]').fill(users[who].password);
    await page.locator('form[action="/fn/log_in"] button[type="submit"]').click();
  }
  await expect(page).toHaveURL(`${server.url}/`);
  server.sessions.set(who, { cookies: await page.context().cookies(server.url), at: isYoung ? session.at : Date.now() });
}

/** Client of the REST API, as one user. */
export class Api {
  constructor(
    readonly request: APIRequestContext,
    readonly server: Server,
    readonly token: string,
  ) {}

  async post(path: string, data: unknown) {
    const answer = await this.request.post(`${this.server.url}/api/v1${path}`, { data, headers: { authorization: `Bearer ${this.token}` } });
    expect(answer.status(), await answer.text()).toBeLessThan(300);
    return answer.json();
  }

  async put(path: string, data: unknown) {
    const answer = await this.request.put(`${this.server.url}/api/v1${path}`, { data, headers: { authorization: `Bearer ${this.token}` } });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  }

  async get(path: string) {
    const answer = await this.request.get(`${this.server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${this.token}` } });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  }

  /** Lets scheduled articles keep their versions, or follow what is saved, as on a new desk. */
  async pinAlways(pins_always: boolean) {
    const headers = { authorization: `Bearer ${this.server.token("admin")}` };
    const answer = await this.request.patch(`${this.server.url}/api/v1/settings/review`, { data: { pins_always }, headers });
    expect(answer.status(), await answer.text()).toBe(200);
  }

  /** Creates a draft. */
  article(title: string, body = "One paragraph.") {
    return this.post("/articles", { title, body });
  }

  /** Schedules the publication of an article `seconds` from now. */
  publishIn(article: { id: string }, seconds: number) {
    const due_at = new Date(Date.now() + seconds * 1000).toISOString();
    return this.post("/tasks", { kind: "article.publish", target_id: article.id, due_at });
  }
}

/** Starts Chromium, which now and then crashes before its first page: then once more. */
async function startBrowser(chromium: BrowserType): Promise<Browser> {
  return chromium.launch().catch(() => chromium.launch());
}

/** The server of the file that a worker is at. */
class ServerOfFile {
  private file = "";
  private server?: Server;

  async of(file: string): Promise<Server> {
    if (this.server && this.file === file) return this.server;
    await this.end();
    this.server = await start({ users: true });
    this.file = file;
    return this.server;
  }

  async end() {
    if (this.server) await stop(this.server);
    this.server = undefined;
  }
}

export const test = base.extend<{ server: Server; api: Api }, { serverOfFile: ServerOfFile }>({
  browser: [
    async ({ playwright }, use) => {
      const browser = await startBrowser(playwright.chromium);
      await use(browser);
      await browser.close();
    },
    { scope: "worker", timeout: 0 },
  ],
  serverOfFile: [
    async ({}, use) => {
      const server = new ServerOfFile();
      await use(server);
      await server.end();
    },
    { scope: "worker" },
  ],
  server: async ({ serverOfFile }, use, test) => use(await serverOfFile.of(test.file)),
  api: async ({ request, server }, use) => use(new Api(request, server, server.token("creator"))),
});
export { expect };
