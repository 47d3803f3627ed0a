import { expect, test } from "vitest";
import { isWorkflowError, type Executor, type Run, type Workflow } from "wavepoint";
import { sha256 } from "../../../src/sha256.ts";
import { answer, place } from "./trip.ts";

const asked: Workflow = { name: "asked", blocks: [{ id: "ask", type: "GetInput", inputs: { prompt: "inner?" } }] };
const mixed: Workflow = {
  name: "mixed",
  inputs: { n: { type: "integer", default: 3 } },
  blocks: [
    { id: "echo", type: "EchoBlock", inputs: { message: "hi" } },
    { id: "never", type: "EchoBlock", inputs: { message: "hi" }, condition: "false" },
    { id: "pick", type: "AskChoice", inputs: { question: "?", choices: ["a", "b"] }, dependsOn: ["echo"] },
    { id: "each", type: "GetInput", forEach: ["x", "y"], inputs: { prompt: "${each.value}?" }, dependsOn: ["pick"] },
    { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "asked" }, dependsOn: ["pick"] },
  ],
};
const workflows = [mixed, asked];
const ODD: readonly unknown[] = [undefined, null, -1, 1e300, 0.5, "", "x", true, [], {}, [[]], { length: 5 }, "__proto__", 99];

type Path = readonly (string | number)[];

function* membersOf(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* membersOf(member, [...path, Array.isArray(value) ? Number(key) : key]);
}

function withMember(value: unknown, path: Path, member: unknown): unknown {
  const copy = structuredClone(value) as { [key: string | number]: unknown };
  const holder = path.slice(0, -1).reduce((at, key) => at[key] as typeof copy, copy);
  if (member === undefined) Reflect.deleteProperty(holder, path.at(-1)!);
  else holder[path.at(-1)!] = member;
  return copy;
}

function sign(lines: readonly string[]): string {
  const text = lines.join("\n");
  return `${text}\n${JSON.stringify({ sha256: sha256(new TextEncoder().encode(text)) })}\n`;
}

/** Does with a run what people do. */
async function use(run: Run, executor: Executor): Promise<void> {
  await executor.runs.list();
  await executor.checkpoints.list();
  await run.steps();
  await run.state();
  await executor.runs.export(run.id);
  for (const { id } of run.getSnapshot().pauses) await run.answer(id, "a");
}

// Every member of a journal with an odd value, one after the other.
test.each(["full", "latest"] as const)("any file (%s) gives a run that can be used, or a refusal with a code", async (retention) => {
  const home = place({ workflows, policy: { retention } });
  const started = await home.executor.start("mixed");
  await answer(started, "a");
  const lines = (await home.executor.runs.export(started.id)).trimEnd().split("\n").slice(0, -1);
  let tried = 0;
  let refused = 0;
  for (const [at, line] of lines.entries()) {
    const parsed: unknown = JSON.parse(line);
    for (const path of membersOf(parsed)) {
      tried += 1;
      const changed = lines.with(at, JSON.stringify(withMember(parsed, path, ODD[tried % ODD.length])));
      const away = place({ workflows });
      const where = `line ${at}, ${path.join(".")}: ${JSON.stringify(ODD[tried % ODD.length])}`;
      try {
        await use(await away.executor.runs.import(sign(changed), { accept: true }), away.executor);
      } catch (error) {
        refused += 1;
        expect(isWorkflowError(error), `${where}: ${String(error)}`).toBe(true);
      }
      if ((await away.store.runs()).items.length === 0) expect((await away.store.usage()).bytes, where).toBe(0);
    }
  }
  expect(tried).toBeGreaterThan(150);
  expect(refused).toBeGreaterThan(100);
});
