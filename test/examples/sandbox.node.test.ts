import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createExecutor, type RunEvent, type Workflow } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { afterAll, expect, test } from "vitest";
import { runCode } from "../../examples/recipes/sandbox.ts";

const root = await mkdtemp(join(tmpdir(), "wavepoint-sandbox-"));
afterAll(() => rm(root, { recursive: true, force: true }));

const flow: Workflow = {
  name: "count",
  blocks: [
    { id: "write", type: "RunCode", inputs: { code: "require('fs').writeFileSync('n.txt', '41'); console.log(process.ppid)" } },
    { id: "sure", type: "ConfirmOperation", dependsOn: ["write"], inputs: { message: "Go on?" } },
    {
      id: "read",
      type: "RunCode",
      dependsOn: ["sure"],
      inputs: { code: "console.log(Number(require('fs').readFileSync('n.txt', 'utf8')) + 1, process.ppid)" },
    },
  ],
  outputs: { first: "${blocks.write.outputs.printed}", second: "${blocks.read.outputs.printed}" },
};

async function play(name: string, meanwhile: (pid: number) => void) {
  const events: RunEvent["type"][] = [];
  const open = () =>
    createExecutor({
      store: filesystemStore(join(root, name)),
      workflows: [flow],
      blocks: [runCode],
      onEvent: ({ type }) => events.push(type),
    });
  const first = open();
  const run = await first.start(flow);
  const { pauses } = await run.settled();
  const pid = Number((await run.state()).values["write"]!["printed"]);
  await first.close();
  meanwhile(pid);
  const second = open();
  const result = await second.answer(pauses![0]!.id, "yes");
  await second.close();
  const [sum, later] = String(result.outputs?.["second"]).trim().split(" ").map(Number);
  return { result, sum, pid, later: later!, recreated: events.includes("resource_recreated") };
}

const lives = (pid: number): boolean => existsSync(`/proc/${pid}`);

test("a sandbox is found again by another executor, and ended with the run", async () => {
  const { result, sum, pid, later, recreated } = await play("found", () => {});
  expect(result.status).toBe("success");
  expect([sum, later, recreated]).toEqual([42, pid, false]);
  await expect.poll(() => lives(pid)).toBe(false);
});

test("one that was killed is opened anew, with the files that the run has", async () => {
  const { result, sum, pid, later, recreated } = await play("killed", (pid) => process.kill(pid, "SIGKILL"));
  expect(result.status).toBe("success");
  expect([sum, recreated]).toEqual([42, true]);
  expect(later).not.toBe(pid);
  await expect.poll(() => lives(later)).toBe(false);
});
