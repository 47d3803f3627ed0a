import { expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import type { RunEvent, Workflow } from "wavepoint";
import { nodeShell } from "wavepoint/node";
import { memoryStore } from "wavepoint/store/memory";
import { CANARY, leaksIn } from "./canary.ts";
import { listeningStore } from "./spill.ts";

test("a command gets a secret in its environment, and what it writes of it is masked", async () => {
  const { store, texts } = listeningStore(memoryStore());
  const events: RunEvent[] = [];
  const executor = createExecutor({
    store,
    grants: { shell: nodeShell({ root: "." }) },
    secrets: () => CANARY,
    onEvent: (event) => events.push(event),
  });
  const command = [
    'printf "plain %s\\n" "$TOKEN"',
    'printf %s "$TOKEN" | base64',
    'printf "user:%s" "$TOKEN" | base64',
    'printf %s "$TOKEN" | od -An -tx1 | tr -d " \\n"',
    'printf "%s" "$TOKEN" >&2',
    'printf " is %d long" $${#TOKEN}',
    "exit 3",
  ].join("\n");
  const workflow: Workflow = {
    name: "command",
    blocks: [{ id: "a", type: "Shell", inputs: { command, env: { TOKEN: "${secrets.TOKEN}" } }, continueOnError: true }],
    outputs: { out: "${blocks.a.outputs.stdout}", err: "${blocks.a.outputs.stderr}", code: "${blocks.a.outputs.exit_code}" },
  };
  const run = await executor.start(workflow);
  const result = await run.settled();
  expect(result.outputs).toMatchObject({ out: expect.stringContaining("plain ***\n"), code: 3 });
  expect(String(result.outputs?.["out"])).toMatch(/ is \d+ long$/);
  const streamed = events.map((event) => (event.type === "output" ? event.text : "")).join("");
  const told = [...texts, JSON.stringify([events, result, await run.steps(), run.getSnapshot()]), streamed].join("\n");
  expect(streamed).toContain("plain ***");
  expect(leaksIn(told)).toEqual([]);
  expect(told.includes("kanarie")).toBe(false);
});
