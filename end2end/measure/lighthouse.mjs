// Prints Lighthouse's scores of the public site and of the desk: `node measure/lighthouse.mjs URL EMAIL PASSWORD`, with a server of a
// release binary started with `--demo`. Lighthouse is fetched from npm when this runs; the tests do not need it.
import { execFileSync } from "node:child_process";

const LIGHTHOUSE = "lighthouse@12.8.2";
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const [url = "http://127.0.0.1:7411", email = "admin@demo.example", password = "time will tell"] = process.argv.slice(2);

/** Logs in; returns the header with the session. */
async function session() {
  const body = new URLSearchParams({ email, password });
  const answer = await fetch(`${url}/fn/log_in`, { method: "POST", body, redirect: "manual", headers: { origin: url, referer: `${url}/login`, accept: "text/html" } });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
  if (!cookies.length) throw new Error(`${url} refused the login: ${answer.status}`);
  return { cookie: cookies.join("; ") };
}

/** Runs Lighthouse; again if the browser recorded no trace, as it sometimes does. */
function run(args, options, tries = 3) {
  try {
    return execFileSync("npx", args, options);
  } catch (error) {
    if (tries === 1 || !`${error.stdout}`.includes("NO_NAVSTART")) throw error;
    return run(args, options, tries - 1);
  }
}

function measure(path, headers) {
  const args = ["--yes", LIGHTHOUSE, url + path, "--quiet", "--output=json", `--only-categories=${CATEGORIES}`];
  args.push("--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking");
  if (headers) args.push(`--extra-headers=${JSON.stringify(headers)}`, "--preset=desktop");
  const env = { ...process.env, CHROME_PATH: process.env.CHROMIUM ?? "/usr/bin/chromium" };
  const report = JSON.parse(run(args, { encoding: "utf8", env, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] }));
  const scores = CATEGORIES.map((name) => Math.round((report.categories[name].score ?? 0) * 100));
  console.log(`${path}\t${scores.join("\t")}`);
  for (const name of CATEGORIES.filter((_, place) => scores[place] < 100)) {
    const audits = report.categories[name].auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => report.audits[id]);
    for (const { id, score, displayValue = "", explanation = "" } of audits) if (score !== null && score < 0.9) console.log(`\t${name}: ${id} ${score} ${displayValue} ${explanation}`);
  }
}

const desk = await session();
const front = await (await fetch(`${url}/site`)).text();
const article = front.match(/<h2[^>]*><a href="(\/site\/[^"]+)"/)?.[1];
console.log(["page", ...CATEGORIES].join("\t"));
measure("/site");
if (article) measure(article);
measure("/login");
measure("/", desk);
