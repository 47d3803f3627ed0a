import { validateWith } from "../../../src/core/ports/block-schema.ts";
import { errorData } from "../../../src/core/model/errors.ts";
import {
  type BlockContext,
  type BlockResult,
  type BlockType,
  type ChildResult,
  failure,
  type Question,
} from "../../../src/core/ports/block.ts";
import type { Grants } from "../../../src/core/ports/grants.ts";
import type { JsonSchema } from "../../../src/core/model/json-schema.ts";
import type { Values } from "../../../src/core/model/value.ts";

/** What a block did to the world while it ran. */
interface Stage {
  readonly slept: number[];
  readonly called: [string, Values][];
  readonly signal: AbortSignal;
}

/** A stage with nothing on it. */
export function emptyStage(): Stage {
  return { slept: [], called: [], signal: new AbortController().signal };
}

interface StageOptions {
  readonly stage?: Stage;
  readonly child?: ChildResult;
  /** Default: nothing. */
  readonly grants?: Grants;
  /** Default: false. */
  readonly mayHaveRun?: boolean;
}

/** Runs a block as the engine does: inputs are checked first, and problems with them come back as text. */
export async function runBlock(block: BlockType, inputs: unknown, options: StageOptions = {}): Promise<BlockResult | string> {
  const checked = await validateWith(block.inputs!, inputs);
  if (checked.issues) return checked.issues.map(({ path, message }) => `${path} ${message}`).join("\n");
  try {
    return await block.execute(context(checked.value, options));
  } catch (thrown) {
    return failure(errorData(thrown, "BLOCK_FAILED"));
  }
}

/** Runs a block that must ask, and gives its one question. */
export async function askBlock(block: BlockType, inputs: unknown): Promise<Question> {
  const result = await runBlock(block, inputs);
  if (typeof result === "string" || result.status !== "paused") throw new Error(`The block did not ask: ${JSON.stringify(result)}`);
  return result.questions[0]!;
}

/** What a built-in block expects of an answer, which it writes as JSON Schema. */
export function schemaOf({ schema = {} }: Question): JsonSchema {
  if ("~standard" in schema) throw new Error("The block asks with the schema of a library.");
  return schema;
}

/** Asks and answers. What `checkAnswer` refuses comes back as its message; `resume` must then refuse it as well. */
export async function answerBlock(block: BlockType, inputs: unknown, response: unknown): Promise<unknown> {
  const question = await askBlock(block, inputs);
  const pause = { prompt: question.prompt, schema: schemaOf(question), metadata: question.metadata ?? {} };
  const refused = await block.checkAnswer!({ response, pause });
  const result = await block.resume!({ ...context(inputs, {}), response: response as never, pause });
  if (!refused) return result.status === "success" ? result.outputs : result;
  return result.status === "invalid" ? refused.message : `resume took what checkAnswer refused: ${refused.message}`;
}

async function noFiles(): Promise<never> {
  throw new Error("There are no files of a run on this stage.");
}

function context(inputs: unknown, { stage = emptyStage(), child, grants = {}, mayHaveRun = false }: StageOptions): BlockContext<never> {
  return {
    inputs: inputs as never,
    signal: stage.signal,
    run: "run_1",
    block: "it",
    idempotencyKey: "run_1/it",
    host: {
      now: () => 0,
      sleep: async (ms, signal) => {
        if (signal?.aborted) throw signal.reason;
        stage.slept.push(ms);
      },
      random: () => 0.5,
      newId: () => "1",
      newAbortController: () => new AbortController(),
      hash: async (content) => String(content),
      newTextEncoder: () => new TextEncoder(),
      maxParallel: 1,
    },
    grants,
    attempt: 1,
    iteration: 1,
    channels: {
      get() {
        throw new Error("There are no channels on this stage.");
      },
      write() {
        throw new Error("There are no channels on this stage.");
      },
    },
    checkpoint: () => {},
    resource: async () => {
      throw new Error("There are no resources on this stage.");
    },
    once: async (_key, make) => make("run_1/it/key"),
    files: { write: noFiles, read: noFiles, list: noFiles },
    add: () => {},
    nextIteration: (value) => ({ status: "again", value }),
    next: () => {},
    mayHaveRun,
    parts: (input) => {
      const text = (inputs as { readonly [name: string]: unknown })[input];
      return typeof text === "string" ? [text] : [];
    },
    output: () => {},
    scratch: () => Promise.reject(new Error("There is no folder on this stage.")),
    call: async (workflow, given) => {
      stage.called.push([workflow, given]);
      return child!;
    },
  };
}
