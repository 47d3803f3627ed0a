import { WorkflowError } from "../model/errors.ts";
import { isName } from "../model/ids.ts";
import { isRecord } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";
import type { BlockType } from "../ports/block.ts";
import type { Grants } from "../ports/grants.ts";
import type { Host } from "../ports/host.ts";
import type { CompiledWorkflow } from "./compile.ts";
import type { ReadyType } from "./ready-type.ts";
import type { Store } from "../ports/store.ts";

/** Names that a message lists. */
const MAX_LISTED = 20;

export interface DefinitionsParts {
  readonly store: Store;
  readonly host: Host;
  readonly blocks: readonly BlockType[];
  readonly grants: Grants;
  /** Loads built-in block types, those that most workflows use first. */
  readonly builtin: readonly (() => Promise<readonly BlockType[]>)[];
  /** Called before the first run of a workflow that may hold secrets; most workflows hold none and pay for one search in their text. */
  readonly onSecrets: () => Promise<void>;
}

/** The workflows an executor has loaded, and the definitions its runs were started with. */
export class Definitions {
  readonly #store: Store;
  readonly #host: Host;
  readonly #grants: Grants;
  readonly #blocks: Map<string, BlockType>;
  readonly #types = new Map<string, ReadyType>();
  readonly #builtin: readonly (() => Promise<readonly BlockType[]>)[];
  readonly #byName = new Map<string, Workflow>();
  readonly #byHash = new Map<string, Workflow>();
  readonly #onSecrets: () => Promise<void>;
  /** Hash of each workflow that was checked in full and stored. */
  readonly #ready = new WeakMap<Workflow, Promise<string>>();

  constructor({ store, host, blocks, grants, builtin, onSecrets }: DefinitionsParts) {
    this.#store = store;
    this.#host = host;
    this.#grants = grants;
    this.#blocks = new Map(blocks.map((block) => [block.type, block]));
    this.#builtin = builtin;
    this.#onSecrets = onSecrets;
  }

  /** The block types that workflows use, by name. */
  get types(): ReadonlyMap<string, ReadyType> {
    return this.#types;
  }

  /** Keeps a workflow; it is checked before its first run. Throws `WORKFLOW_DUPLICATE`. */
  add(workflow: Workflow): void {
    const known = this.#byName.get(workflow.name);
    if (known && known !== workflow && canonicalJson(known) !== canonicalJson(workflow)) {
      throw new WorkflowError("WORKFLOW_DUPLICATE", `Another workflow named "${workflow.name}" is loaded. Rename one of them.`);
    }
    this.#byName.set(workflow.name, workflow);
  }

  get(name: string): Workflow {
    const workflow = this.#byName.get(name);
    if (workflow) return workflow;
    throw new WorkflowError(
      "WORKFLOW_NOT_FOUND",
      `Workflow "${name}" is not loaded. There is: ${[...this.#byName.keys()].slice(0, MAX_LISTED).join(", ") || "none"}.`,
      {
        details: { workflow: name },
      },
    );
  }

  /** Checks a workflow in full, stores the definition once, and gives its hash. Throws its first problem. */
  async prepare(workflow: Workflow): Promise<string> {
    if (!isRecord(workflow) || !isName(workflow.name) || !Array.isArray(workflow.blocks) || !workflow.blocks.every(isRecord)) {
      throw new WorkflowError(
        "ID_INVALID",
        "A workflow is named by a text, or is an object with a name (letters, digits, _ and -) and a list of blocks.",
      );
    }
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
    await this.#loadTypes(workflow);
    const { assertDefinition } = await import("./check/assert-definition.ts");
    const findWorkflow = (name: string): Workflow | undefined => this.#byName.get(name);
    await assertDefinition(workflow, { blockTypes: this.#blocks, grants: this.#grants, findWorkflow });
    const hash = await this.#hash(workflow);
    // Stored as it was written: outputs keep the order of their declaration.
    const text = JSON.stringify(workflow);
    if (text.includes("secret")) await this.#onSecrets();
    await this.#store.putBlob(hash, text);
    this.#byHash.set(hash, workflow);
    return hash;
  }

  /** The definition with this hash, ready to run. Throws `RUN_CORRUPT` where neither the executor nor the store has it. */
  async byHash(hash: string): Promise<CompiledWorkflow> {
    const { compileWorkflow } = await import("./compile.ts");
    return compileWorkflow(this.#byHash.get(hash) ?? (await this.#readStored(hash)));
  }

  async #readStored(hash: string): Promise<Workflow> {
    const text = await this.#store.getBlob(hash);
    const workflow = typeof text === "string" ? parseDefinition(text) : undefined;
    if (!workflow || (await this.#hash(workflow)) !== hash) {
      throw new WorkflowError(
        "RUN_CORRUPT",
        `The definition ${hash} is ${text === undefined ? "missing from" : "damaged in"} the store. Its runs were left as they are.`,
        { details: { definition: hash } },
      );
    }
    await this.#loadTypes(workflow);
    if (String(text).includes("secret")) await this.#onSecrets();
    this.#byHash.set(hash, workflow);
    return workflow;
  }

  #hash(workflow: Workflow): Promise<string> {
    return this.#host.hash(canonicalJson(workflow));
  }

  /** Loads all code that the blocks of a workflow need. */
  async #loadTypes(workflow: Workflow): Promise<void> {
    const { loadParts, makeReady } = await import("./ready-type.ts");
    await loadParts(workflow);
    const { blocks } = workflow;
    const missing = new Set(blocks.map(({ type }) => type).filter((type) => !this.#types.has(type)));
    if (missing.size === 0) return;
    for (const load of this.#builtin) {
      if ([...missing].every((type) => this.#blocks.has(type))) break;
      for (const block of await load()) if (!this.#blocks.has(block.type)) this.#blocks.set(block.type, block);
    }
    for (const type of missing) {
      const block = this.#blocks.get(type);
      if (block) this.#types.set(type, await makeReady(block));
    }
  }
}

function parseDefinition(text: string): Workflow | undefined {
  try {
    return JSON.parse(text) as Workflow;
  } catch {
    return undefined;
  }
}

/** JSON with the keys of every object in order: the form of a definition that its hash is made of. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
