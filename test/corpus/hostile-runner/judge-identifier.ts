import { createExecutor, isWorkflowError } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import type { Executor, RunHead, Store, Workflow } from "wavepoint";
import { PASSED, failed, worst } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";
import { dumpStore } from "./watched-store.ts";

/** Judges one identifier in every place an identifier can stand, on one store. */
export async function judgeIdentifier(input: HostileInput, value: unknown, openStore: () => Promise<Store>): Promise<Verdict> {
  const store = await openStore();
  const executor = createExecutor({ store, workflows: [], blocks: builtinBlocks });
  try {
    await executor.load(workflowNamed("bystander", "a"));
    await (await executor.start("bystander")).settled();
    const before = await dumpStore(store);
    const verdict = await judge(input.expect.outcome, value, store, executor, before);
    return verdict.status === "failed" ? failed(`${verdict.expected} [${store.kind}]`, verdict.actual) : verdict;
  } finally {
    await executor.close();
  }
}

async function judge(outcome: string, value: unknown, store: Store, executor: Executor, before: string): Promise<Verdict> {
  switch (outcome) {
    case "reject":
      return worst([...(await refusedEverywhere(value, store, executor)), ...(await unchanged(store, before))]);
    case "accept-encoded":
      return keptApart([String(value)], store, "accept");
    case "distinct-or-reject":
      return keptApart(String(value).split(/ and | \/ /), store, "either");
    case "accept-or-reject":
      return keptApart([String(value)], store, "either");
    default:
      return failed(`outcome "${outcome}"`, "an outcome this runner does not know");
  }
}

async function refusedEverywhere(value: unknown, store: Store, executor: Executor): Promise<Verdict[]> {
  const id = value as string;
  const places: readonly (readonly [place: string, use: () => Promise<unknown>])[] = [
    ["as the name of a workflow", () => executor.load(workflowNamed(id, "a"))],
    ["as the id of a block", () => executor.load(workflowNamed("other", id))],
    [
      "as the id of a run in the store",
      () => store.commit({ run: id, expected: undefined, head: headOf(id), entries: ["{}"], durability: "strict" }),
    ],
    ["as a run to open", () => executor.open(id)],
    ["as a checkpoint", () => executor.checkpoints.get(id)],
    ["as a checkpoint to go on from", () => executor.resume(id)],
    ["as a workflow to start", () => executor.start(id)],
  ];
  /** Nothing may be found or deleted by it; refusing is fine too. */
  const lookUps: readonly (readonly [place: string, use: () => Promise<unknown>])[] = [
    ["as a filter of runs", async () => (await executor.runs.list({ workflow: id })).items.length],
    ["as a filter of checkpoints", async () => (await executor.checkpoints.list({ run: id })).items.length],
    ["as a checkpoint to delete", async () => Number(await executor.checkpoints.delete(id))],
  ];
  return Promise.all([
    ...places.map(async ([place, use]) => {
      const error = await refusalOf(use);
      return error === undefined ? failed(`a refusal ${place}`, "it was taken") : PASSED;
    }),
    ...lookUps.map(async ([place, use]) => {
      let found: unknown = 0;
      const error = await refusalOf(async () => {
        found = await use();
      });
      return error === undefined && found !== 0 ? failed(`nothing found ${place}`, `${String(found)} found`) : PASSED;
    }),
  ]);
}

async function unchanged(store: Store, before: string): Promise<Verdict[]> {
  return (await dumpStore(store)) === before ? [] : [failed("no stored byte changed", "the store changed")];
}

/** Ids that look alike on some disk: each keeps its own journal, or is refused by the grammar of ids. */
async function keptApart(ids: readonly string[], store: Store, expected: "accept" | "either"): Promise<Verdict> {
  const taken: string[] = [];
  for (const id of ids) {
    const error = await refusalOf(() =>
      store.commit({ run: id, expected: undefined, head: headOf(id), entries: [JSON.stringify(id)], durability: "strict" }),
    );
    if (error === undefined) taken.push(id);
    else if (expected === "accept" || error !== "STORE_KEY_INVALID") return failed("acceptance", `${id}: ${error}`);
  }
  for (const id of taken) {
    const [entry] = await store.read(id);
    if (entry !== JSON.stringify(id)) return failed(`the journal of ${id}`, entry ?? "nothing");
  }
  return PASSED;
}

/** The code of the refusal; nothing where it was taken. What is thrown must be an error of the package. */
async function refusalOf(use: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await use();
    return undefined;
  } catch (thrown) {
    if (isWorkflowError(thrown)) return thrown.code;
    throw thrown;
  }
}

function workflowNamed(name: string, block: string): Workflow {
  return { name, blocks: [{ id: block, type: "EchoBlock", inputs: { message: "x" } }] };
}

function headOf(id: string): RunHead {
  return {
    id,
    workflow: "bystander",
    definition: "0".repeat(64),
    status: "completed",
    createdAt: 1,
    updatedAt: 1,
    changedAt: 1,
    revision: 1,
    epoch: 0,
    entries: 1,
    pauses: [],
  };
}
