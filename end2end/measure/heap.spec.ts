// Measures the memory of an open list while 50,000 events arrive, as on a busy day: objects of the page after a collection, the memory
// of the wasm module, and DOM nodes.
import { type Page } from "@playwright/test";
import { expect, logIn, test } from "../tests/server";

// The server that the test starts has no limits.
process.env.PRESSTIME_REQUESTS_PER_SECOND = "0";
process.env.PRESSTIME_MIB_PER_DAY = "0";

const TASKS = 1_000;
const ROUNDS = 50;
const REPORT_EVERY = 10;

const MIB = 1024 * 1024;

async function memory(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage");
  const { usedSize } = await client.send("Runtime.getHeapUsage");
  const { nodes } = await client.send("Memory.getDOMCounters");
  await client.detach();
  const wasm = await page.evaluate(() => (window as any).wasmMemory?.buffer.byteLength ?? 0);
  return { heap: usedSize / MIB, wasm: wasm / MIB, nodes };
}

test("memory while 50,000 events arrive", async ({ page, server, api }) => {
  test.setTimeout(1_200_000);
  await page.addInitScript(() => {
    const begin = WebAssembly.instantiateStreaming;
    WebAssembly.instantiateStreaming = async (source, imports) => {
      const made = await begin(source, imports);
      (window as any).wasmMemory ??= made.instance.exports.memory;
      return made;
    };
  });
  const ids: string[] = [];
  for (let number = 0; number < TASKS; number += 1) ids.push((await api.article(`Article ${number}`)).id);
  const due = Date.now() + 40 * 86_400_000;
  const items = ids.map((target_id, number) => ({ kind: "article.publish", target_id, due_at: new Date(due + number * 60_000).toISOString() }));
  await api.post("/tasks/bulk", { items });
  await logIn(page, server, "admin");
  await page.goto(`${server.url}/tasks`);
  await expect(page.locator("html")).toHaveAttribute("data-live", "", { timeout: 60_000 });
  for (let round = 0; round <= ROUNDS; round += 1) {
    if (round % REPORT_EVERY === 0) {
      const { heap, wasm, nodes } = await memory(page);
      console.log(`${round * TASKS} events: heap ${heap.toFixed(1)} MiB, wasm ${wasm.toFixed(1)} MiB, ${nodes} nodes`);
    }
    const change = { type: "shift", days: round % 2 ? -1 : 1 };
    if (round < ROUNDS) await api.post("/tasks/bulk-change", { filter: { kind: "article.publish", state: "scheduled" }, change });
  }
});
