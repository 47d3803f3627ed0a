import { parse, stringify } from "devalue";
import type { OpenedRun, ShownProblem, ShownWorkflow } from "../../../browser/dev/messages.ts";
import { ServedPage } from "../../../browser/worker/served-page.ts";
import {
  createExecutor,
  isWorkflowError,
  type ErrorData,
  type Executor,
  type Problem,
  type Run,
  type Store,
  type Values,
  type Workflow,
} from "../../../index.ts";
import { withoutPlace } from "../../../core/model/errors.ts";
import { findCalled, readGiven } from "../called-workflows.ts";
import type { Call } from "../command.ts";
import { prepareExecution } from "../grants.ts";
import { excerpt, kindText, placeText } from "../problem-lines.ts";
import { readInputs } from "../run-inputs.ts";
import { withSecretInputs } from "../secrets.ts";
import type { Terminal } from "../terminal.ts";
import { readWorkflowFile, type WorkflowFile } from "../workflow-file.ts";

/** Milliseconds that a page waits for a run to be taken over by a changed workflow, which blocks that execute may hold up. */
const MOVE_MS = 2_000;

/** The channel of one page to the engine: texts in both directions. */
export interface EngineChannel {
  take(text: string): void;
  end(): void;
}

/** A workflow as its file has it now, with the engine that runs it. */
export interface DevSession {
  /** Reads the file again, and runs its workflow from now on if it is valid. */
  read(): Promise<void>;
  shown(): ShownWorkflow;
  /** Returns the run with this id, moved to the current workflow; a new run if that is not possible, or if none is asked for. */
  openRun(id: string | undefined): Promise<OpenedRun>;
  connect(send: (text: string) => void): EngineChannel;
  close(): Promise<void>;
}

/** Makes a session from the arguments of the command. Reads nothing before {@link DevSession.read}. */
export function devSession(store: Store, call: Call, terminal: Terminal): DevSession {
  const [path] = call.places as readonly [string];
  let problems: ShownWorkflow["problems"] = [];
  let isRight = false;
  let engine: Engine | undefined;

  return {
    async read() {
      isRight = false;
      try {
        const file = await readFile(path, call, terminal);
        problems = file.problems.map(shownProblem);
        if (!file.engine) return;
        await engine?.executor.close();
        engine = file.engine(store);
        isRight = true;
      } catch (error) {
        if (!isWorkflowError(error)) throw error;
        problems = [shownProblem(error.toJSON())];
      }
    },
    shown: () => ({ file: path, isRight, problems, ...(engine ? { name: engine.workflow.name } : {}) }),
    async openRun(id) {
      if (!engine) return { told: "The file holds no workflow yet that could run." };
      const found = id === undefined ? {} : await goOn(engine, id);
      return found.run === undefined ? { ...found, ...(await start(engine)) } : found;
    },
    connect(send) {
      const { port1, port2 } = new MessageChannel();
      const served = engine && new ServedPage(engine.executor, port1, { ownsExecutor: false, onGone: () => port1.close() });
      port2.addEventListener("message", ({ data }) => send(stringify(data)));
      port2.start();
      return { take: (text) => port2.postMessage(parse(text)), end: () => served?.leave() };
    },
    close: async () => engine?.executor.close(),
  };
}

/** A workflow that can be run. */
interface Engine {
  readonly workflow: Workflow;
  readonly executor: Executor;
  readonly inputs: () => Promise<Values>;
}

async function readFile(
  path: string,
  call: Call,
  terminal: Terminal,
): Promise<Pick<WorkflowFile, "problems"> & { readonly engine?: (store: Store) => Engine }> {
  const { setup } = await prepareExecution(call, terminal);
  const { blocks, secrets } = setup;
  const { workflow, problems } = await readWorkflowFile(path, blocks);
  if (!workflow) return { problems };
  const given = await readGiven(call.values("workflows"), { blocks, terminal });
  const workflows = [workflow, ...given, ...findCalled(path, workflow, { given, blocks, terminal })];
  const inputs = readInputs(workflow, { file: call.value("inputs"), pairs: call.values("input") });
  return {
    problems,
    engine: (store) => ({
      workflow,
      executor: createExecutor({ ...setup, store, workflows, policy: { durability: "sync" } }),
      inputs: () => withSecretInputs(workflow, inputs, secrets),
    }),
  };
}

async function start({ executor, workflow, inputs }: Engine): Promise<OpenedRun> {
  try {
    return { run: (await executor.start(workflow.name, await inputs())).id };
  } catch (error) {
    return { told: `No run could be started. ${reasonOf(error)}` };
  }
}

/** Continues a run with the current workflow: the run itself, or a fork that keeps equal results. Returns no run if neither is possible. */
async function goOn({ executor, workflow }: Engine, id: string): Promise<OpenedRun> {
  try {
    const run = await executor.open(id);
    const { status } = run.getSnapshot();
    const { verdict, forkFrom } = await run.plan(workflow);
    if (verdict === "same") return { run: id };
    if (verdict === "compatible" && status !== "completed" && status !== "cancelled") {
      await Promise.race([run.resume({ definition: "latest" }), new Promise((resolve) => setTimeout(resolve, MOVE_MS))]);
      return { run: id };
    }
    const [newest] = (await executor.checkpoints.list({ run: id, limit: 1 })).items;
    const fork = (await forkAt(executor, newest?.id)) ?? (await forkAt(executor, forkFrom?.checkpoint));
    return fork ? { run: fork.id, told: FORKED } : { told: ANEW };
  } catch (error) {
    return { told: `${ANEW} ${reasonOf(error)}` };
  }
}

const FORKED = "What had begun is written otherwise now, so this is a fork of the run: what comes out as before is kept.";
const ANEW = "The earlier run cannot continue with the changed file. This is a new one.";

/** Returns a fork with the current workflow; nothing if the run's past does not fit. */
async function forkAt(executor: Executor, checkpoint: string | undefined): Promise<Run | undefined> {
  if (checkpoint === undefined) return undefined;
  try {
    return await executor.fork(checkpoint, { definition: "latest" });
  } catch (error) {
    if (isWorkflowError(error) && error.code === "DEFINITION_MISMATCH") return undefined;
    throw error;
  }
}

/** Errors of the engine say what to do; all others are mistakes of the command. */
function reasonOf(error: unknown): string {
  if (!isWorkflowError(error)) throw error;
  return error.message;
}

function shownProblem(problem: ErrorData | Problem): ShownProblem {
  return {
    place: placeText(problem),
    kind: kindText(problem),
    message: withoutPlace(problem),
    lines: excerpt(problem, PLAIN).map((line) => line.slice(2)),
  };
}

const PLAIN = { paint: (_: unknown, text: string): string => text };
