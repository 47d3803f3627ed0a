import { isWorkflowError, type Executor, type RunResult } from "wavepoint";
import { later } from "./survey.ts";

/** Calls of an executor and their results, which are the same wherever the executor runs. */
export interface Scenario {
  readonly name: string;
  readonly play: (executor: Executor) => Promise<unknown>;
}

const first = ({ pauses }: RunResult): string => pauses![0]!.id;

/** What a promise is rejected with, as far as one can look at it. */
async function thrown(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => new Error("Nothing was thrown."),
    (reason: unknown) => reason,
  );
  return isWorkflowError(error) ? { ...error.toJSON(), cause: (error.cause as Error | undefined)?.message } : String(error);
}

const tea = async (executor: Executor) => {
  const run = await executor.start("survey", { who: "Ada" });
  const asked = await run.answer(first(await run.settled()), "tea");
  return { run, asked };
};

export const scenarios: readonly Scenario[] = [
  {
    name: "a survey from start to end, with a wrong answer and a late one",
    async play(executor) {
      const run = await executor.start("survey", { who: "Ada" }, { id: "mine" });
      const started = await run.settled();
      const wrong = await run.answer(first(started), "wine");
      const second = await run.answer(first(started), "coffee");
      const last = await run.answer(first(second), "Ada", { signal: new AbortController().signal });
      const late = await run.answer(first(started), "tea");
      return { started, wrong, second, last, late, view: run.getSnapshot() };
    },
  },
  {
    name: "several answers at once, a draft, and a question that is declined",
    async play(executor) {
      const { run, asked } = await tea(executor);
      const [sugar, name] = asked.pauses!;
      await run.saveDraft(name!.id, "Ad");
      const drafted = run.getSnapshot().pauses;
      await run.saveDraft(name!.id, undefined);
      const undrafted = run.getSnapshot().pauses;
      const both = await run.answer({ [sugar!.id]: "yes", [name!.id]: "Ada" });
      const { run: other, asked: again } = await tea(executor);
      return { drafted, undrafted, both, declined: await other.decline(again.pauses![1]!.id), view: other.getSnapshot() };
    },
  },
  {
    name: "review, revision and going back",
    async play(executor) {
      const { run, asked } = await tea(executor);
      const kind = (await run.answers())[0]!.pause!;
      await run.answer(asked.pauses![0]!.id, "no");
      const preview = await run.previewRevise(kind, "coffee");
      const refused = await run.revise(kind, "wine");
      const revised = await run.revise(kind, "coffee", {});
      return {
        preview,
        refused,
        revised,
        review: await run.answers(),
        back: await run.back(),
        first: await thrown(run.back()),
        view: run.getSnapshot(),
        tree: await executor.runs.tree(run.id),
      };
    },
  },
  {
    name: "steps, states and checkpoints",
    async play(executor) {
      const { run, asked } = await tea(executor);
      const { items } = await executor.checkpoints.list({ run: run.id });
      const [newest, oldest] = [items[0]!.id, items.at(-1)!.id];
      return {
        items,
        steps: await run.steps(),
        early: await run.steps({ superstep: 0 }),
        never: await thrown(run.steps({ superstep: 99 })),
        journal: await run.journal({ limit: 3 }),
        state: await run.state(),
        context: await run.context(),
        got: await executor.checkpoints.get(newest),
        diff: await executor.checkpoints.diff(oldest, newest),
        trimmed: await executor.checkpoints.trim(1),
        stale: await executor.resume(oldest).catch(thrown),
        deleted: await executor.checkpoints.delete(first(asked)),
        absent: await thrown(executor.checkpoints.get("pause_none.0")),
      };
    },
  },
  {
    name: "forks, and answers by the id of a pause alone",
    async play(executor) {
      const { run, asked } = await tea(executor);
      const fork = await executor.fork(first(asked), { answers: { [first(asked)]: "yes" } });
      const forked = await fork.settled();
      const answered = await executor.answer(first(asked), "no");
      const resumed = await executor.resume(asked.pauses![1]!.id, "Ada");
      return { forked, answered, resumed, view: run.getSnapshot(), fork: fork.getSnapshot() };
    },
  },
  {
    name: "signals, and a stop for now",
    async play(executor) {
      const { run, asked } = await tea(executor);
      await run.signal("rain", { mm: 3 }, { id: "first" });
      const unnamed = await thrown(run.signal("", 1));
      const stopped = await run.stop();
      const kept = await run.answer(first(asked), "yes");
      await executor.signal(run.id, "rain", { mm: 3 }, { id: "first" });
      const resumed = await run.resume();
      return { unnamed, stopped, kept, resumed, again: await executor.stop(run.id), view: run.getSnapshot() };
    },
  },
  {
    name: "lists, export, import, transfer and deletion",
    async play(executor) {
      const { run } = await tea(executor);
      const file = await executor.runs.export(run.id, { drafts: true });
      const exists = await thrown(executor.runs.import(file));
      const { items, ...page } = await executor.runs.list({ status: "paused", limit: 1 });
      // How often was written depends on the store.
      const listed = { page, heads: items.map((head) => ({ ...head, revision: undefined })) };
      const handed = await executor.runs.transfer(run.id, { to: "the office" });
      const refused = await thrown(run.resume());
      await executor.runs.checkImport(handed);
      const damaged = await thrown(executor.runs.checkImport(handed.slice(1)));
      const back = await executor.runs.import(handed);
      const view = back.getSnapshot();
      await executor.runs.delete(run.id);
      return { length: file.length, exists, listed, refused, damaged, view, gone: await thrown(executor.open(run.id)) };
    },
  },
  {
    name: "called runs, opened by their address",
    async play(executor) {
      const run = await executor.start("outer");
      const asked = await run.settled();
      const child = await executor.open(`${run.id}/inner`);
      const answered = await run.answer(first(asked), "coffee");
      const end = await child.answer(first(await child.settled()), "Ada");
      return { asked, answered, end, outer: await run.settled(), view: run.getSnapshot(), child: child.getSnapshot() };
    },
  },
  {
    name: "workflows that are loaded later, and wrong ones",
    async play(executor) {
      const unknown = await thrown(executor.start("later"));
      await executor.load(later);
      const byName = await (await executor.start("later")).settled();
      const byValue = await (await executor.start(later)).settled();
      return {
        unknown,
        byName,
        byValue,
        other: await thrown(executor.load({ ...later, description: "another one" })),
        bad: await thrown(executor.start({ name: "bad", blocks: [{ id: "a", type: "Missing" }] })),
        input: await thrown(executor.start("survey", { who: 7 })),
        missing: await thrown(executor.open("run_missing")),
      };
    },
  },
  {
    name: "a failure that is tried again, a run that is cancelled, and a plan",
    async play(executor) {
      const broken = await executor.start("broken");
      const failed = await broken.settled();
      const again = await broken.resume({});
      const { run } = await tea(executor);
      await run.refresh();
      const plan = await run.plan();
      return { failed, again, plan, cancelled: await run.cancel({ reason: "enough" }), view: run.getSnapshot() };
    },
  },
  {
    name: "values that JSON does not know",
    async play(executor) {
      const run = await executor.start("rich");
      await run.settled();
      return { state: await run.state(), steps: await run.steps() };
    },
  },
  {
    name: "waiting that is aborted",
    async play(executor) {
      const { run } = await tea(executor);
      const aborted = AbortSignal.abort(new Error("No time."));
      return { settled: await thrown(run.settled({ signal: aborted })), opened: await thrown(executor.open(run.id, { signal: aborted })) };
    },
  },
  {
    name: "housekeeping, and the end",
    async play(executor) {
      const { run } = await tea(executor);
      const end = executor.runs.watch(() => {});
      const cleaned = await executor.cleanup({ ttlMs: 1, maxPerWorkflow: 1 });
      const { runs } = await executor.metrics();
      const recovered = await executor.recover();
      end();
      await executor.close();
      return { cleaned, runs, recovered, start: await thrown(executor.start("survey", { who: "Ada" })), id: run.id };
    },
  },
];
