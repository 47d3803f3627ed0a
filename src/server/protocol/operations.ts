import type { Executor, Run } from "../../core/run/run.ts";

/**
 * What a request needs to be allowed. `read`: see runs, their questions and their past. `start`: start runs. `answer`: answer questions, keep drafts, go
 * back, change answers, and resume runs. `manage`: cancel, stop, fork, delete and signal runs. `transfer`: export and import runs with all they hold. `load`:
 * send definitions, which may use all that the executor grants. `admin`: operations on the whole store.
 */
export type Right = "read" | "start" | "answer" | "manage" | "transfer" | "load" | "admin";

/** All of them. */
export const RIGHTS: readonly Right[] = ["read", "start", "answer", "manage", "transfer", "load", "admin"];

/** One line of the table of operations, from which router, client and OpenAPI document make theirs. */
export interface Operation {
  readonly verb: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to the address of the server. A name in braces is a member of the input. */
  readonly path: string;
  readonly right: Right;
  /**
   * The members of the input that `Executor` and `Run` take by position, in that order; `...` stands for an object with the other members. Operations of a
   * run begin with its id.
   */
  readonly args: readonly string[];
  /** `run`: a run as it is now. `moved`: the same, with the result of the call. `value`: a value. `events`: a stream of server-sent events. */
  readonly answers: "run" | "moved" | "value" | "events";
}

const RUN = "/runs/{run}";
const PAUSE = `${RUN}/pauses/{pause}`;
const CHECKPOINT = "/checkpoints/{checkpoint}";

function row(verb: Operation["verb"], path: string, right: Right, answers: Operation["answers"], ...args: readonly string[]): Operation {
  return { verb, path, right, answers, args };
}

/** What needs no line: a run is refreshed by opening it, and those of an executor that take a run are the same as the run's own. */
type Derived = "signal" | "stop" | "close" | "id" | "getSnapshot" | "refresh";

/** Every call of `Executor` and `Run` that crosses, by the object it is made on: the compiler sees to it that none is left out. */
export type OperationName =
  | `executor.${Exclude<keyof Executor, "runs" | "checkpoints" | Derived>}`
  | `runs.${keyof Executor["runs"]}`
  | `checkpoints.${keyof Executor["checkpoints"]}`
  | `run.${Exclude<keyof Run, Derived> | "signal" | "stop"}`
  | "server.link"
  | "server.rights"
  | "server.openapi";

export const OPERATIONS: { readonly [name in OperationName]: Operation } = {
  "executor.load": row("POST", "/workflows", "load", "value", "workflow"),
  "executor.start": row("POST", "/runs", "start", "run", "workflow", "inputs"),
  "executor.open": row("GET", RUN, "read", "run", "run"),
  "executor.answer": row("POST", "/pauses/{pause}/answer", "answer", "moved", "pause", "response"),
  "executor.resume": row("POST", `${CHECKPOINT}/resume`, "manage", "moved", "checkpoint", "response"),
  "executor.fork": row("POST", `${CHECKPOINT}/fork`, "manage", "run", "checkpoint", "..."),
  "executor.cleanup": row("POST", "/cleanup", "admin", "value", "..."),
  "executor.recover": row("POST", "/recover", "admin", "value"),
  "executor.runSchedules": row("POST", "/schedules", "admin", "events"),
  "executor.metrics": row("GET", "/metrics", "admin", "value"),
  "runs.list": row("GET", "/runs", "read", "value", "..."),
  "runs.tree": row("GET", `${RUN}/tree`, "read", "value", "run"),
  "runs.watch": row("GET", "/changes", "read", "events"),
  "runs.export": row("POST", `${RUN}/export`, "transfer", "value", "run", "..."),
  "runs.import": row("POST", "/imports", "transfer", "run", "file", "..."),
  "runs.checkImport": row("POST", "/imports/check", "transfer", "value", "file", "..."),
  "runs.transfer": row("POST", `${RUN}/transfer`, "transfer", "value", "run", "..."),
  "runs.delete": row("DELETE", RUN, "manage", "value", "run"),
  "checkpoints.list": row("GET", "/checkpoints", "read", "value", "..."),
  "checkpoints.get": row("GET", CHECKPOINT, "read", "value", "checkpoint"),
  "checkpoints.diff": row("GET", `${CHECKPOINT}/diff/{to}`, "read", "value", "checkpoint", "to"),
  "checkpoints.trim": row("POST", "/checkpoints/trim", "admin", "value", "maxPerWorkflow"),
  "checkpoints.delete": row("DELETE", CHECKPOINT, "manage", "value", "checkpoint"),
  "run.settled": row("GET", `${RUN}/result`, "read", "moved", "run"),
  "run.subscribe": row("GET", `${RUN}/events`, "read", "events", "run"),
  "run.answer": row("POST", `${RUN}/answers`, "answer", "moved", "run", "answers"),
  "run.decline": row("POST", `${PAUSE}/decline`, "answer", "moved", "run", "pause"),
  "run.saveDraft": row("PUT", `${PAUSE}/draft`, "answer", "moved", "run", "pause", "draft"),
  "run.answers": row("GET", `${RUN}/answers`, "read", "value", "run"),
  "run.revise": row("POST", `${PAUSE}/revise`, "answer", "moved", "run", "pause", "response"),
  "run.previewRevise": row("POST", `${PAUSE}/preview`, "read", "value", "run", "pause", "response"),
  "run.back": row("POST", `${RUN}/back`, "answer", "moved", "run"),
  "run.plan": row("POST", `${RUN}/plan`, "read", "value", "run", "workflow"),
  "run.resume": row("POST", `${RUN}/resume`, "answer", "moved", "run"),
  "run.signal": row("POST", `${RUN}/signals`, "manage", "moved", "run", "name", "value"),
  "run.stop": row("POST", `${RUN}/stop`, "manage", "moved", "run"),
  "run.cancel": row("POST", `${RUN}/cancel`, "manage", "moved", "run", "..."),
  "run.steps": row("GET", `${RUN}/steps`, "read", "value", "run", "..."),
  "run.journal": row("GET", `${RUN}/journal`, "read", "value", "run", "..."),
  "run.state": row("GET", `${RUN}/state`, "read", "value", "run", "..."),
  "run.context": row("GET", `${RUN}/context`, "read", "value", "run", "..."),
  "run.definition": row("GET", `${RUN}/definition`, "read", "value", "run", "..."),
  "run.files": row("GET", `${RUN}/files`, "read", "value", "run", "..."),
  "run.readFile": row("GET", `${RUN}/files/{name}`, "read", "value", "run", "name", "..."),
  "server.link": row("POST", "/links", "answer", "value", "..."),
  "server.rights": row("GET", "/rights", "read", "value", "..."),
  "server.openapi": row("GET", "/openapi.json", "read", "value"),
};

/** What an operation that moves a run, or gives one, is answered with. */
export interface RunReply {
  readonly view: unknown;
  /** Tells which of two views is the newer one: `process.number`. Those of one process can be compared. */
  readonly version: string;
  /** The result of the call; absent if there is none, and for a run itself. */
  readonly result?: unknown;
}
