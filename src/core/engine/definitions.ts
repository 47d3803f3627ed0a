import { WorkflowError, type Problem } from "../model/errors.ts";
import { adviseName } from "../model/nearest.ts";
import { placeOf } from "../model/source-map.ts";
import type { Value, Values } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";
import type { BlockType } from "../ports/block.ts";
import type { Host } from "../ports/host.ts";
import type { Store } from "../ports/store.ts";
import { checkDefinition } from "./check/check-definition.ts";

/** The workflows an executor has loaded, and the definitions its runs were started with. */
export class Definitions {
  readonly #store: Store;
  readonly #host: Host;
  readonly #types: ReadonlyMap<string, BlockType>;
  readonly #byName = new Map<string, Workflow>();
  readonly #byHash = new Map<string, Workflow>();
  /** Hash of each workflow that was checked in full and stored. */
  readonly #ready = new WeakMap<Workflow, Promise<string>>();

  constructor(store: Store, host: Host, types: ReadonlyMap<string, BlockType>) {
    this.#store = store;
    this.#host = host;
    this.#types = types;
  }

  /** Checks a workflow, without what takes time, and keeps it. Throws its first problem, or `WORKFLOW_DUPLICATE`. */
  add(workflow: Workflow): void {
    const known = this.#byName.get(workflow.name);
    if (known === workflow) return;
    if (known && canonicalJson(known) !== canonicalJson(workflow)) {
      throw new WorkflowError("WORKFLOW_DUPLICATE", `Another workflow named "${workflow.name}" is loaded. Rename one of them.`);
    }
    const problem = checkDefinition(workflow, { blockTypes: this.#types }).find(({ severity }) => severity === "error");
    if (problem) throw problemError(workflow, problem);
    this.#byName.set(workflow.name, workflow);
  }

  get(name: string): Workflow {
    const workflow = this.#byName.get(name);
    if (workflow) return workflow;
    throw new WorkflowError("WORKFLOW_NOT_FOUND", `Workflow "${name}" is not loaded.${adviseName(name, this.#byName.keys()).sentence}`, {
      details: { workflow: name },
    });
  }

  /** Checks what is left to check, stores the definition once, and gives its hash. */
  prepare(workflow: Workflow): Promise<string> {
    let ready = this.#ready.get(workflow);
    if (!ready) {
      ready = this.#prepare(workflow);
      this.#ready.set(workflow, ready);
      // A store that was away may be back for the next try.
      ready.catch(() => this.#ready.delete(workflow));
    }
    return ready;
  }

  async #prepare(workflow: Workflow): Promise<string> {
    this.add(workflow);
    for (const [index, { type, inputs }] of workflow.blocks.entries()) {
      const [problem] = (await this.#types.get(type)?.checkInputs?.(literals(inputs ?? {}))) ?? [];
      if (!problem) continue;
      const path = `blocks[${index}].inputs.${problem.input}`;
      throw problemError(workflow, { severity: "error", code: problem.code, message: problem.message, path });
    }
    const text = canonicalJson(workflow);
    const hash = await this.#host.hash(text);
    await this.#store.putBlob(hash, text);
    this.#byHash.set(hash, workflow);
    return hash;
  }

  /** The definition with this hash. Throws `RUN_CORRUPT` where neither the executor nor the store has it. */
  async byHash(hash: string): Promise<Workflow> {
    const known = this.#byHash.get(hash);
    if (known) return known;
    const text = await this.#store.getBlob(hash);
    if (text === undefined || (await this.#host.hash(text)) !== hash) {
      throw new WorkflowError(
        "RUN_CORRUPT",
        `The definition ${hash} is ${text === undefined ? "missing from" : "damaged in"} the store. Its runs were left as they are.`,
        {
          details: { definition: hash },
        },
      );
    }
    const workflow = JSON.parse(text) as Workflow;
    this.#byHash.set(hash, workflow);
    return workflow;
  }
}

/** A problem as an error that points into the text the workflow came from. */
function problemError(workflow: Workflow, problem: Problem): WorkflowError {
  const place = problem.path === undefined ? {} : { path: problem.path, ...placeOf(workflow, problem.path) };
  return new WorkflowError(problem.code, `Workflow "${workflow.name}": ${problem.message}`, {
    place: {
      ...place,
      ...(problem.line === undefined ? {} : { line: problem.line }),
      ...(problem.column === undefined ? {} : { column: problem.column }),
    },
    ...(problem.details ? { details: problem.details } : {}),
  });
}

/** The inputs that hold no reference. */
function literals(inputs: Values): Values {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => !holdsReference(value)));
}

function holdsReference(value: Value): boolean {
  if (typeof value === "string") return value.includes("${");
  if (typeof value !== "object" || value === null) return false;
  return (Array.isArray(value) ? value : Object.values(value)).some(holdsReference);
}

/** JSON with the keys of every object in order: the form of a definition that its hash is made of. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
