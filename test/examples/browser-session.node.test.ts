import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createExecutor, type Workflow } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browse } from "../../examples/recipes/browser-session.ts";
import { CHROMIUM_ARGUMENTS } from "../../scripts/browser/arguments.mjs";
import { findChromium } from "../../scripts/browser.mjs";

/** Each visit is counted, so that a page says whether it was loaded again. */
let visits = 0;
const server = createServer(({ url }, response) => {
  if (url === "/tides") visits += 1;
  response.setHeader("content-type", "text/html").end(`<title>Tides</title><p>Visit ${visits}</p>`);
});
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "wavepoint-browser-"));
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(async () => {
  server.close();
  await rm(root, { recursive: true, force: true });
});

function flow(): Workflow {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tides`;
  return {
    name: "look",
    channels: { address: {} },
    blocks: [
      { id: "go", type: "Browse", inputs: { address } },
      { id: "sure", type: "ConfirmOperation", dependsOn: ["go"], inputs: { message: "Go on?" } },
      { id: "read", type: "Browse", dependsOn: ["sure"] },
    ],
    outputs: { first: "${blocks.go.outputs.text}", second: "${blocks.read.outputs.text}", title: "${blocks.read.outputs.title}" },
  };
}

async function play(name: string, meanwhile: (pid: number) => void) {
  const recreated: string[] = [];
  let pid = 0;
  const workflow = flow();
  const open = () =>
    createExecutor({
      store: filesystemStore(join(root, name)),
      workflows: [workflow],
      blocks: [browse(findChromium(), CHROMIUM_ARGUMENTS)],
      onEvent(event) {
        if (event.type === "resource_recreated") recreated.push(event.name);
        if (event.type === "recorded" && event.entry.type === "opened") pid = (event.entry.reference as { readonly pid: number }).pid;
      },
    });
  visits = 0;
  const first = open();
  const run = await first.start(workflow);
  const { pauses } = await run.settled();
  await first.close();
  meanwhile(pid);
  const second = open();
  const result = await second.answer(pauses![0]!.id, "yes");
  await second.close();
  return { outputs: result.outputs, recreated, pid };
}

test("a browser is found again by another executor, on the page where it was", { timeout: 60_000 }, async () => {
  const { outputs, recreated } = await play("found", () => {});
  expect(outputs).toEqual({ first: "Visit 1", second: "Visit 1", title: "Tides" });
  expect(recreated).toEqual([]);
});

test("one that was killed is opened anew, at its last address", { timeout: 60_000 }, async () => {
  const { outputs, recreated } = await play("killed", (pid) => process.kill(-pid, "SIGKILL"));
  expect(outputs).toEqual({ first: "Visit 1", second: "Visit 2", title: "Tides" });
  expect(recreated).toEqual(["session"]);
});
