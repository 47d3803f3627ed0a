import { errorData, givenError, WorkflowError } from "../model/errors.ts";
import type { PlatformSignal } from "../ports/host.ts";
import type { Services } from "../run/run.ts";
import type { Session } from "../journal/journal.ts";
import { grantedType, resolveInputs, Step, StepsUnderWay, withTimeLimit } from "../runner/runner.ts";
import type { Unit } from "../machine/machine.ts";

/** An execution that is not recorded. */
export interface Repetition {
  readonly session: Session;
  readonly unit: Unit;
  readonly signal: PlatformSignal;
}

class RepeatedStep extends Step {
  override get mayHaveRun(): boolean {
    return true;
  }
}

/**
 * Executes a block once more for what it gave, with the inputs that it had. Nothing of it is recorded: the step stands as it is. Throws what the block
 * throws, and what getting the secrets in its inputs throws.
 */
export async function repeatBlock(services: Services, { session, unit, signal }: Repetition): Promise<unknown> {
  const { types, host, grants } = services;
  const { compiled } = session;
  const definition = compiled.workflow.blocks[unit.block]!;
  const step = new RepeatedStep(
    {
      session,
      types,
      host,
      grants,
      signal,
      underWay: new StepsUnderWay(signal),
      isRevisable: true,
      slots: { free: 1 },
      call: () => Promise.reject(new WorkflowError("CAPABILITY_MISSING", "A block that runs for a secret alone calls no workflow.")),
      regain: async (lacking) => (await services.loadGuard()).regain(session, lacking.takeMissing(), signal),
      output: () => {},
      running: () => {},
    },
    unit,
  );
  try {
    const type = grantedType(step);
    const inputs = await resolveInputs(step);
    step.inputs = type.validateInputs ? await type.validateInputs(inputs, definition) : inputs;
    const execute = async (): Promise<unknown> => type.execute(step as never);
    const { timeoutMs } = definition;
    const result = (await (timeoutMs === undefined ? execute() : withTimeLimit(step, timeoutMs, execute))) as Awaited<
      ReturnType<typeof type.execute>
    >;
    if (result?.status === "success") return type.validateOutputs ? await type.validateOutputs(result.outputs, definition) : result.outputs;
    const { code, message } =
      result?.status === "failure" ? givenError(result.error, "BLOCK_FAILED") : errorData("It gave no outputs.", "BLOCK_FAILED");
    throw new WorkflowError(code, message);
  } finally {
    await step.cleanUp();
  }
}
