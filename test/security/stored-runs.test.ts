import { describe, expect, test } from "vitest";
import { createExecutor, isWorkflowError } from "wavepoint";
import type { Entry, RunHead, Store, Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

/** A run that waits for an answer, as records in a store. */
interface Stored {
  head: RunHead;
  entries: string[];
}

const WORKFLOW: Workflow = {
  name: "wizard",
  blocks: [
    { id: "first", type: "EchoBlock", inputs: { message: "done" } },
    { id: "ask", type: "GetInput", inputs: { prompt: "?" }, dependsOn: ["first"] },
  ],
};

/** A store in which the records of a run were changed. */
async function tamperedStore(tamper: (stored: Stored) => void): Promise<{ readonly store: Store; readonly id: string }> {
  const honest = memoryStore();
  const executor = createExecutor({ store: honest });
  const run = await executor.start(WORKFLOW);
  await run.settled();
  await executor.close();
  const head = (await honest.head(run.id))!;
  const stored: Stored = { head: { ...head, revision: 1, epoch: 1 }, entries: [...(await honest.read(run.id))] };
  tamper(stored);
  const store = memoryStore();
  await store.putBlob(head.definition, (await honest.getBlob(head.definition))!);
  const { entries } = stored;
  await store.commit({
    run: run.id,
    expected: undefined,
    head: { ...stored.head, entries: entries.length },
    entries,
    durability: "strict",
  });
  return { store, id: run.id };
}

/** Opens the run, looks at it and answers it: how it stands then, or the code of the refusal. */
async function use({ store, id }: { readonly store: Store; readonly id: string }): Promise<string> {
  const executor = createExecutor({ store });
  try {
    const run = await executor.open(id);
    JSON.stringify([await run.steps(), run.getSnapshot()]);
    return (await run.answer(run.getSnapshot().pauses[0]!.id, "x")).status;
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    return thrown.code;
  } finally {
    await executor.close();
  }
}

function edit(type: Entry["type"], change: (entry: Entry) => object) {
  return (stored: Stored): void => {
    stored.entries = stored.entries.map((text) => {
      const entry = JSON.parse(text) as Entry;
      return entry.type === type ? JSON.stringify(change(entry)) : text;
    });
  };
}

const outputs = (value: unknown) => edit("completed", (entry) => ({ ...entry, outputs: value }));
/** Outputs in the packed form of values that JSON lacks. */
const packed = (text: string) => outputs({ "~": text });

test("a run that was not changed goes on", async () => {
  expect(await use(await tamperedStore(() => {}))).toBe("success");
});

describe("what no entry can hold makes a run damaged, and nothing worse", () => {
  const chain = (length: number, link: (i: number) => string): string => `[${Array.from({ length }, (_, i) => link(i + 1)).join(",")},1]`;
  test.each<readonly [what: string, tamper: (stored: Stored) => void]>([
    ["values nested deeper than any that is written", outputs(JSON.parse(`${"[".repeat(3_000)}${"]".repeat(3_000)}`))],
    ["an entry longer than any that is written", outputs({ message: "x".repeat(2_200_000) })],
    ["packed values nested without end", packed(chain(100_000, (i) => `[${i}]`))],
    ["packed values that share parts, so that they double at each level", packed(chain(60, (i) => `[${i},${i}]`))],
    ["packed values that hold themselves", packed("[[0]]")],
    ["a packed list that is mostly holes", packed("[[-7,100000000]]")],
    ["a packed regular expression", packed('[["RegExp","(a+)+$",""]]')],
    ["a packed address", packed('[["URL","https://example.com/"]]')],
    ["a packed object with a prototype", packed('[{"__proto__":1},{"x":2},1]')],
    ["packed bytes of a size that is not theirs", packed('[["Uint8Array",1,0,4294967295],["ArrayBuffer","AAAA"]]')],
    ["a packed text that is none", packed("nonsense")],
    ["a text that is no JSON", (stored) => (stored.entries[1] = "{")],
    ["a list in place of an entry", (stored) => (stored.entries[1] = "[]")],
  ])("%s", async (_what, tamper) => {
    expect(await use(await tamperedStore(tamper))).toBe("RUN_CORRUPT");
  });
});

test("a run that names itself as its caller does not go in circles", async () => {
  const own = (head: RunHead) => ({ run: head.id, block: "ask" });
  const stored = await tamperedStore((changed) => {
    edit("started", (entry) => ({ ...entry, parent: own(changed.head) }))(changed);
    changed.head = { ...changed.head, parent: own(changed.head) };
  });
  expect(await use(stored)).toBe("success");
});

test("S8: a pattern planted in a stored question is matched in linear time, or refused", async () => {
  const planted = edit("paused", (entry) => ({ ...entry, schema: { type: "string", pattern: "^(a+)+$" } }));
  const { store, id } = await tamperedStore(planted);
  const executor = createExecutor({ store });
  const run = await executor.open(id);
  const result = await run.answer(run.getSnapshot().pauses[0]!.id, `${"a".repeat(50_000)}!`);
  await executor.close();
  expect(result).toMatchObject({ status: "failure", error: { code: "RESPONSE_INVALID" } });
});

test("S6: a stored run of another host gets nothing that this host does not grant", async () => {
  const store = memoryStore();
  const commands: unknown[] = [];
  const shell = {
    run: async ({ command }: { readonly command: unknown }) => {
      commands.push(command);
      return { stdout: "", stderr: "", ended: "exit" as const, exitCode: 0 };
    },
  };
  const blocks = [
    { id: "ask", type: "GetInput", inputs: { prompt: "?" } },
    { id: "command", type: "Shell", inputs: { command: "touch PWNED" }, dependsOn: ["ask"] },
  ];
  const generous = createExecutor({ store, grants: { shell } });
  const run = await generous.start({ name: "generous", blocks });
  const result = await run.settled();
  await generous.close();

  const careful = createExecutor({ store });
  const again = await careful.open(run.id);
  const answered = await again.answer(result.status === "paused" ? result.pauses[0]!.id : "", "x");
  await careful.close();
  expect(answered).toMatchObject({ status: "failure", error: { code: "CAPABILITY_MISSING" } });
  expect(commands).toEqual([]);
});
