import { WorkflowError } from "../model/errors.ts";
import type { BlockContext, BlockResult, ResumeContext } from "../ports/block.ts";
import type { Host } from "../ports/host.ts";
import type { ReadyType } from "../runner/runner.ts";
import type { Services } from "../run/run.ts";
import { chooseWays } from "../definition/definition.ts";
import { itemOf, type RunReading, type Unit, unitName } from "../machine/machine.ts";

/** A block that is executed for its outputs alone. */
export interface Trial {
  readonly run: RunReading;
  readonly unit: Unit;
  readonly type: ReadyType;
  readonly inputs: unknown;
  /** The pause whose answer it continues with. */
  readonly pause?: number | undefined;
}

/** The result of a trial, and the blocks that it chose with `next`. */
interface Tried {
  readonly result: BlockResult | undefined;
  readonly next: readonly string[] | undefined;
}

/** Executes a block whose type is `pure` for its result, without changing anything. Nothing where it fails. */
export async function tryBlock(services: Services, { run, unit, type, inputs, pause }: Trial): Promise<Tried | undefined> {
  const { compiled, state } = run;
  const definition = compiled.workflow.blocks[unit.block]!;
  const { id: block } = definition;
  let next: readonly string[] | undefined;
  try {
    const context: BlockContext<unknown> = {
      inputs: type.validateInputs ? await type.validateInputs(inputs, definition) : inputs,
      signal: services.host.newAbortController().signal,
      run: state.id,
      block,
      idempotencyKey: `${state.id}/${unitName(block, unit.item)}`,
      // In a preview `sleep` returns at once.
      host: Object.create(services.host, { sleep: { value: async () => {} } }) as Host,
      grants: {},
      attempt: 1,
      mayHaveRun: false,
      iteration: 1,
      // A type that is pure has nothing to do with them.
      channels: { get: () => undefined, write: () => {} },
      checkpoint: () => {},
      resource: () => Promise.reject(notHere(block)),
      once: async (_key, make) => make(""),
      files: {
        write: () => Promise.reject(notHere(block)),
        read: () => Promise.reject(notHere(block)),
        list: () => Promise.reject(notHere(block)),
      },
      add: () => {},
      nextIteration: (value) => ({ status: "again", value }),
      next: (ids) => void (next = chooseWays(definition, ids)),
      ...(unit.item === undefined ? {} : { item: itemOf(state, unit.block, unit.item) }),
      parts: () => [],
      output: () => {},
      scratch: () => Promise.reject(notHere(block)),
      call: () => Promise.reject(notHere(block)),
    };
    const result = await (pause === undefined
      ? type.execute(context as never)
      : type.resume?.((await answering(context, { run, pause, type })) as never));
    if (result?.status !== "success" || !type.validateOutputs) return { result, next };
    return { result: { status: "success", outputs: await type.validateOutputs(result.outputs, definition) }, next };
  } catch {
    return undefined;
  }
}

async function answering(
  context: BlockContext<unknown>,
  { run, pause, type }: Pick<Trial, "run" | "type"> & { readonly pause: number },
): Promise<ResumeContext<unknown>> {
  const { entry, metadata, answer } = run.state.pauses[pause]!;
  const checked = await type.validateAnswer?.(answer?.response);
  return {
    ...context,
    response: checked ? checked.value : answer?.response,
    pause: { prompt: entry.prompt, schema: entry.schema, metadata },
  };
}

function notHere(block: string): WorkflowError {
  return new WorkflowError("CAPABILITY_MISSING", `Block "${block}" is only looked at, so it cannot do this.`);
}
