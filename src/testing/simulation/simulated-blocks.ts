import { defineBlock } from "../../core/blocks/define-block.ts";
import {
  failure,
  pause,
  success,
  waitFor,
  waitUntil,
  type BlockContext,
  type BlockResult,
  type BlockType,
} from "../../core/ports/block.ts";
import type { Values } from "../../core/model/value.ts";
import type { Block } from "../../core/model/workflow.ts";
import type { Witness } from "./witness.ts";

/** What a person may say to any question. */
export const ANSWERS = ["u", "v", "w"] as const;

const NAP_MS = 600_000;
/** Several blocks write it. */
const COMMON_FILE = "notes.txt";

/** Where blocks of a simulation run. */
export interface BlockPlace {
  readonly witness: Witness;
  /** How long a block works, in milliseconds. */
  delay(): number;
}

type Told = BlockResult<Values>;
type Context = BlockContext<{ readonly [name: string]: unknown }>;

/** Whether a person declines to answer this question. */
export function isDeclined(prompt: string): boolean {
  return prompt.startsWith("decline");
}

/** The blocks of random plans: each tells the witness before it does anything. */
export function simulatedBlocks({ witness, delay }: BlockPlace): readonly BlockType[] {
  const deedOf = ({ inputs }: Context): string => String(inputs["deed"]);
  const unit = ({ block, item }: Context): string => (item === undefined ? block : `${block}[${item.index}]`);
  const ask = (context: Context, round: number, before = ""): Told =>
    pause({
      prompt: `${deedOf(context)} ${unit(context)} ${round}: ${String(context.inputs["said"])}${before}`,
      schema: { type: "string", enum: [...ANSWERS] },
      metadata: { round, before },
    });
  const did = (context: Context, answers = ""): Told => success({ did: `${unit(context)} did ${answers}` });

  async function begin(context: Context, phase: "execute" | "resume", given?: string): Promise<void> {
    const { run, iteration, idempotencyKey: key } = context;
    witness.began({ run, unit: unit(context), phase, key, iteration, ...(given === undefined ? {} : { given }) });
    await context.host.sleep(delay(), context.signal);
  }

  /** Each iteration asks for what the first one stored, and stores something of its own. */
  async function keep(context: Context): Promise<Told> {
    const { run, iteration, once } = context;
    const kept: string[] = [];
    for (const key of ["0", String(iteration)]) {
      const made = await once(key, async () => {
        witness.made({ run, unit: unit(context), key });
        await context.host.sleep(delay(), context.signal);
        return `${unit(context)} ${key}`;
      });
      kept.push(made);
    }
    return iteration < 3 ? context.nextIteration() : did(context, kept.join());
  }

  /** Adds blocks and asks for a checkpoint; where it asked nothing, in each of two iterations. */
  function grow(context: Context, answers = ""): Told {
    const { block, item, iteration, inputs, carried } = context;
    const all = `${String(carried ?? "")}${answers}`;
    context.add(growth(`${block}_${item?.index ?? ""}_${iteration}`, context, all || String(inputs["said"])));
    context.checkpoint({ all });
    const deed = deedOf(context);
    if (iteration < 2 && deed.startsWith("grow")) return context.nextIteration(all);
    return deed === "grow, then fail" ? failure(`${unit(context)} fails`) : did(context, all);
  }

  /** Writes a file of its own and one that others write too. */
  async function file(context: Context, answers = ""): Promise<Told> {
    const { files, iteration, carried, inputs } = context;
    const all = `${String(carried ?? "")}${answers}${String(inputs["said"])}`;
    await files.write(`${context.block}.txt`, new TextEncoder().encode(`${unit(context)} ${all}`));
    await files.write(COMMON_FILE, new TextEncoder().encode(`${unit(context)} ${iteration} ${all}`));
    return deedOf(context) === "file again" && iteration < 3 ? context.nextIteration(iteration) : did(context, answers);
  }

  /** What files hold that blocks before it may have written. */
  async function readFiles({ files }: Context): Promise<string> {
    const found = await files.list();
    const names = found.map(({ name }) => name).toSorted();
    if (!names.includes(COMMON_FILE)) return names.join();
    const { bytes } = await files.read(COMMON_FILE);
    return `${names.join()}: ${new TextDecoder().decode(bytes)}`;
  }

  /** Goes on with a signal of its own. */
  async function listen(context: Context): Promise<Told> {
    const { attempt, iteration, carried, event, run } = context;
    if (!event) return waitFor(unit(context));
    const received = `${String(carried ?? "")}${String(event.value)}`;
    witness.gotSignal({ run, unit: unit(context), iteration, name: event.name, value: String(event.value) });
    const deed = deedOf(context);
    if (deed === "listen, then fail twice" && attempt < 3) return failure(`${unit(context)} fails`);
    if (deed === "listen twice" && iteration < 2) return context.nextIteration(received);
    return deed === "listen, then ask" ? ask(context, 1, received) : did(context, received);
  }

  /** Undoes what another block did: as often as that has completed. */
  async function undo({ block, run, iteration, inputs, host, signal }: Context): Promise<Told> {
    witness.began({ run, unit: `${block}#${iteration}`, phase: "execute", key: `${block}#${iteration}`, iteration });
    await host.sleep(delay(), signal);
    return inputs["deed"] === "undo badly" ? failure(`${block} fails`) : success({ undone: inputs["said"] as Values });
  }

  const simulated = defineBlock({
    type: "Simulated",
    async execute(context): Promise<Told> {
      const { attempt, iteration, carried, wokenAt } = context;
      const deed = deedOf(context);
      if (deed.startsWith("undo")) return undo(context);
      await begin(context, "execute");
      if (deed.startsWith("listen")) return listen(context);
      if (deed === "doze" && wokenAt === undefined) return waitUntil(context.host.now() + NAP_MS);
      if (deed === "fail" || (deed === "fail twice" && attempt < 3)) return failure(`${unit(context)} fails`, { partial: 1 });
      if (deed === "again" && iteration < 3) return context.nextIteration(`${String(carried ?? "")}${iteration}`);
      if (deed === "keep") return keep(context);
      if (deed.startsWith("grow")) return grow(context);
      if (deed.startsWith("file")) return file(context);
      if (deed === "read") return did(context, await readFiles(context));
      if (deed === "read, then ask") return ask(context, 1, await readFiles(context));
      return deed.startsWith("ask") || deed === "decline" ? ask(context, 1) : did(context, String(carried ?? ""));
    },
    async resume(context): Promise<Told> {
      const { attempt, response, run, pause: question } = context;
      const deed = deedOf(context);
      witness.gotAnswer({ run, unit: unit(context), prompt: question.prompt, response: String(response) });
      await begin(context, "resume");
      const answers = `${String(question.metadata["before"])}${String(response)}`;
      if (deed === "ask twice" && question.metadata["round"] === 1) return ask(context, 2, answers);
      if (deed === "ask, then fail twice" && attempt < 3) return failure(`${unit(context)} fails`);
      if (deed === "ask, then grow") return grow(context, answers);
      if (deed === "ask, then file") return file(context, answers);
      return did(context, answers);
    },
  });

  const once = defineBlock({
    type: "SimulatedOnce",
    effect: "once",
    async execute(context) {
      await begin(context, "execute", JSON.stringify(context.inputs));
      return success({ once: context.block });
    },
  });

  const put = defineBlock({
    type: "SimulatedPut",
    effect: "repeatable",
    async execute(context) {
      await begin(context, "execute", JSON.stringify(context.inputs));
      return did(context);
    },
  });

  return [simulated, once, put];
}

/** The blocks that one adds under such names, which are others where its inputs or answers differ. What was added itself adds none that add more. */
function growth(prefix: string, { block, inputs }: Context, told: string): readonly Block[] {
  const name = (what: string): string => `${prefix}_${what}`;
  const made = (what: string, deed: string, more: Partial<Block> = {}): Block => ({
    id: name(what),
    type: "Simulated",
    inputs: { deed, said: `\${blocks.${block}.outputs}` },
    ...more,
  });
  const ask = made("ask", "ask", inputs["hasLog"] === true ? { writes: { log: `${name("ask")} \${channels.count}`, count: 1 } } : {});
  const behind: Partial<Block> = { dependsOn: [ask.id], inputs: { deed: "work", said: `\${blocks.${ask.id}.outputs}` } };
  const others: readonly (readonly Block[])[] = [
    [made("work", "work", behind)],
    [made("list", "keep", { forEach: ["x", "y"] }), made("tried", "fail twice", { retry: { maxAttempts: 3, delayMs: 10 } })],
    [
      made("call", "call", {
        type: "ExecuteWorkflow",
        inputs: { workflow: "inner", inputs: { said: `${name("call")} \${blocks.${block}.outputs}` } },
      }),
      ...(block.includes("_") ? [] : [made("more", "ask, then grow")]),
    ],
  ];
  const last = told.at(-1);
  return [ask, ...others[last === "u" ? 0 : last === "v" ? 1 : 2]!];
}
