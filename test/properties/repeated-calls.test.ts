import fc from "fast-check";
import { expect, test } from "vitest";
import { createExecutor, type Pause, type Run, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { pauseOf } from "../support/pause-of.ts";

const MORE = "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 40 : 1;
const RUNS = { numRuns: 25 * MORE, endOnFailure: true };

/** Asks two questions each time that it is called. */
const inner: Workflow = {
  name: "inner",
  inputs: { turn: { type: "number" } },
  blocks: [
    { id: "one", type: "GetInput", inputs: { prompt: "${inputs.turn} one" } },
    { id: "two", type: "GetInput", inputs: { prompt: "${inputs.turn} two" }, dependsOn: ["one"] },
  ],
  outputs: { said: "${blocks.one.input_value}${blocks.two.input_value}", one: "${blocks.one.input_value}" },
};
const outer: Workflow = {
  name: "outer",
  channels: { turn: { type: "number", default: 1, reduce: "sum" }, log: { type: "array", default: [], reduce: "append" } },
  blocks: [
    {
      id: "part",
      type: "ExecuteWorkflow",
      inputs: { workflow: "inner", inputs: { turn: "${channels.turn}" } },
      writes: { turn: 1, log: "${blocks.part.outputs.said}" },
      repeatWhile: "${blocks.part.outputs.one} != 'stop'",
    },
    { id: "end", type: "GetInput", inputs: { prompt: "end" }, dependsOn: ["part"] },
  ],
  outputs: { log: "${channels.log}" },
};

/** What each question was answered, by its prompt: the least that says how such a run stands. */
class Model {
  readonly #answers: Map<string, string>;

  constructor(answers: Iterable<readonly [string, string]> = []) {
    this.#answers = new Map(answers);
  }

  copy(): Model {
    return new Model(this.#answers);
  }

  /** The questions that are answered, in their order, and the one that is open. */
  stand(): { readonly answered: readonly string[]; readonly open: string } {
    const answered: string[] = [];
    for (let turn = 1; ; turn++) {
      for (const question of [`${turn} one`, `${turn} two`]) {
        if (!this.#answers.has(question)) return { answered, open: question };
        answered.push(question);
      }
      if (this.#answers.get(`${turn} one`) === "stop") return { answered, open: "end" };
    }
  }

  answer(question: string, answer: string): void {
    this.#answers.set(question, answer);
  }

  back(): void {
    this.#answers.delete(this.stand().answered.at(-1)!);
  }

  log(): readonly string[] {
    const { answered } = this.stand();
    return Array.from(
      { length: answered.length / 2 },
      (_, call) => `${this.#answers.get(answered[2 * call]!)}${this.#answers.get(answered[2 * call + 1]!)}`,
    );
  }
}

interface Step {
  readonly deed: "answer" | "answer" | "answer" | "back" | "revise" | "fork" | "fork and revise";
  readonly answer: string;
  /** Which of the answered questions is changed. */
  readonly which: number;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record<Step>({
    deed: fc.constantFrom("answer", "answer", "answer", "answer", "back", "revise", "fork", "fork and revise"),
    answer: fc.constantFrom("a", "b", "c", "stop"),
    which: fc.nat(20),
  }),
  { minLength: 4, maxLength: 24 },
);

test(
  "answers, changes, ways back and forks leave a block that calls a workflow again and again as its answers say",
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (deeds) => {
        const executor = createExecutor({ store: memoryStore(), host: fakeHost({ autoAdvance: true }), workflows: [inner, outer] });
        let run: Run = await executor.start("outer");
        let model = new Model();
        const isAt = async (): Promise<Pause> => {
          const { pauses } = await run.settled();
          const { answered, open } = model.stand();
          expect(pauses!.map(({ prompt }) => prompt)).toEqual([open]);
          const told = (await run.answers()).filter(({ pause, answer }) => pause !== undefined && answer !== undefined);
          expect(told).toHaveLength(answered.length);
          return pauses![0]!;
        };
        /** The id of a question that was answered. */
        const idOf = async (question: string): Promise<string> => {
          const [turn, path] = question.split(" ") as [string, string];
          return pauseOf(await executor.open(`${run.id}/part~${turn === "1" ? "" : `#${turn}`}`), path);
        };
        for (const { deed, answer, which } of deeds) {
          const open = await isAt();
          const { answered } = model.stand();
          const changed = answered[which % Math.max(answered.length, 1)];
          if (deed === "answer") {
            if (model.stand().open === "end") continue;
            await run.answer(open.id, answer);
            model.answer(model.stand().open, answer);
          } else if (deed === "fork") {
            run = await executor.fork(open.id);
            model = model.copy();
          } else if (changed === undefined) continue;
          else if (deed === "back") {
            await run.back();
            model.back();
          } else if (deed === "revise") {
            await run.revise(await idOf(changed), answer);
            model.answer(changed, answer);
          } else {
            run = await executor.fork(open.id, { revise: { [await idOf(changed)]: answer } });
            model.answer(changed, answer);
          }
        }
        for (let open = await isAt(); model.stand().open !== "end"; open = await isAt()) {
          await run.answer(open.id, "stop");
          model.answer(model.stand().open, "stop");
        }
        const { id } = await isAt();
        expect(await run.answer(id, "done")).toMatchObject({ status: "success", outputs: { log: model.log() } });
      }),
      RUNS,
    );
  },
  60_000 * MORE,
);
