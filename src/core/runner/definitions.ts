import { sameValue } from "../model/fingerprint.ts";
import { WorkflowError } from "../model/errors.ts";
import { type Block, CALLING_TYPES, type Workflow } from "../model/workflow.ts";
import { isName } from "../model/ids.ts";
import { failureBeside, notLoaded } from "../model/load-failure.ts";
import { adviseName } from "../model/suggestions.ts";
import { isRecord } from "../model/value.ts";
import type { BlockType } from "../ports/block.ts";
import type { Grants } from "../ports/grants.ts";
import type { Host } from "../ports/host.ts";
import type { ChannelReducers } from "../ports/reducer.ts";
import { assertDefinition, type BlockKind, type CompiledWorkflow, compileWorkflow, hashDefinition } from "../definition/definition.ts";
import { addedPart } from "../machine/machine.ts";
import { blocksOf, loadParts } from "./parts.ts";
import { makeReady, type ReadyType } from "./ready-type.ts";
import type { Store } from "../ports/store.ts";

/** How long a definition counts as stored after it was put into the store. */
const KEPT_MS = 43_200_000;

export interface DefinitionsParts {
  readonly store: Store;
  readonly host: Host;
  readonly blocks: readonly BlockType[];
  readonly grants: Grants;
  readonly reducers: ChannelReducers;
  /** Built-in block types that are at hand. What they take and give is plain JSON. */
  readonly questions: readonly BlockType[];
  /** Loads the other built-in block types, those that more workflows use first. */
  readonly builtin: readonly (() => Promise<readonly BlockType[]>)[];
  /** Called before the first run of a workflow that has a schedule. Throws what is wrong with it. */
  readonly onSchedule: (workflow: Workflow) => Promise<void>;
  /** Called before the first run of a workflow that may hold secrets; most workflows hold none and pay for one search in their text. */
  readonly onSecrets: () => Promise<void>;
}

/** The workflows an executor has loaded, and the definitions its runs were started with. */
export class Definitions {
  readonly #store: Store;
  readonly #host: Host;
  readonly #grants: Grants;
  readonly #reducers: ChannelReducers;
  readonly #blocks: Map<string, BlockType>;
  readonly #types = new Map<string, ReadyType>();
  /** What the loaded built-in question types do. What other types do, only their code knows. */
  readonly #kinds: Map<BlockType | undefined, BlockKind>;
  readonly #builtin: readonly (() => Promise<readonly BlockType[]>)[];
  readonly #byName = new Map<string, Workflow>();
  readonly #byHash = new Map<string, Workflow>();
  readonly #onSchedule: (workflow: Workflow) => Promise<void>;
  readonly #onSecrets: () => Promise<void>;
  /** Hashes of loaded workflows, as far as they are known. */
  readonly #hashes = new WeakMap<Workflow, string>();
  /** Hash of each workflow that was checked in full and stored, and when. */
  readonly #ready = new WeakMap<Workflow, { readonly hash: Promise<string>; readonly at: number }>();

  constructor({ store, host, blocks, grants, reducers, questions, builtin, onSchedule, onSecrets }: DefinitionsParts) {
    this.#store = store;
    this.#host = host;
    this.#grants = grants;
    this.#reducers = reducers;
    this.#blocks = new Map([...questions, ...blocks].map((block) => [block.type, block]));
    this.#kinds = new Map(questions.map((block) => [block, "question"]));
    this.#builtin = builtin;
    this.#onSchedule = onSchedule;
    this.#onSecrets = onSecrets;
    for (const workflow of blocks.flatMap(({ calls = [] }) => calls)) this.add(workflow);
  }

  /** The block types that workflows use, by name. */
  get types(): ReadonlyMap<string, ReadyType> {
    return this.#types;
  }

  /** Keeps a workflow; it is checked before its first run. Throws `WORKFLOW_DUPLICATE`. */
  add(workflow: Workflow): void {
    const known = this.#byName.get(workflow.name);
    if (known && known !== workflow && !sameValue(known, workflow)) {
      throw new WorkflowError("WORKFLOW_DUPLICATE", `Another workflow named "${workflow.name}" is loaded. Rename one of them.`);
    }
    this.#byName.set(workflow.name, workflow);
  }

  /** What is loaded. */
  all(): readonly Workflow[] {
    return [...this.#byName.values()];
  }

  get(name: string): Workflow {
    const workflow = this.#byName.get(name);
    if (workflow) return workflow;
    const failed = failureBeside(this.#byName.values(), name);
    if (failed) throw notLoaded(name, failed);
    const { sentence, details } = adviseName(name, this.#byName.keys());
    throw new WorkflowError("WORKFLOW_NOT_FOUND", `Workflow "${name}" is not loaded.${sentence || " Nothing is loaded."}`, {
      details: { workflow: name, ...details },
    });
  }

  /** Checks a workflow in full, stores the definition once, and gives its hash. Throws its first problem. */
  async prepare(workflow: Workflow): Promise<string> {
    if (!isRecord(workflow) || !isName(workflow.name) || !Array.isArray(workflow.blocks) || !workflow.blocks.every(isRecord)) {
      throw new WorkflowError(
        "ID_INVALID",
        "A workflow is named by a text, or is an object with a name (letters, digits, _ and -) and a list of blocks.",
      );
    }
    const known = this.#ready.get(workflow);
    const at = this.#host.now();
    if (known && at - known.at < KEPT_MS) return known.hash;
    // A cleanup may have removed a definition that no run had for a day.
    const hash = this.#prepare(workflow);
    this.#ready.set(workflow, { hash, at });
    // The store may be reachable again at the next try.
    hash.catch(() => this.#ready.delete(workflow));
    return hash;
  }

  async #prepare(workflow: Workflow): Promise<string> {
    const isNew = !this.#byName.has(workflow.name);
    this.add(workflow);
    try {
      await this.checkExtended(workflow);
      if (workflow.schedule) await this.#onSchedule(workflow);
    } catch (error) {
      // The name is free for a corrected workflow.
      if (isNew && this.#byName.get(workflow.name) === workflow) this.#byName.delete(workflow.name);
      throw error;
    }
    const hash = await hashDefinition(this.#host, workflow);
    this.#hashes.set(workflow, hash);
    // Stored as it was written: outputs keep the order of their declaration.
    await this.#store.putBlob(hash, JSON.stringify(workflow));
    this.#byHash.set(hash, workflow);
    return hash;
  }

  /** Checks in full a definition that is not stored: that of a run to which blocks were added. Throws its first problem. */
  async checkExtended(workflow: Workflow): Promise<void> {
    await this.#loadCode(workflow);
    const findWorkflow = (name: string): Workflow | undefined => this.#byName.get(name);
    await assertDefinition(workflow, { blockTypes: this.#blocks, grants: this.#grants, reducers: this.#reducers, findWorkflow });
  }

  /** Loads the code of the types of blocks that were added to a run. */
  async loadBlocks(blocks: readonly Block[]): Promise<void> {
    await addedPart.load();
    await this.#loadCode({ name: "added", blocks });
  }

  /** The definition with this hash, ready to run. Throws `RUN_CORRUPT` where neither the executor nor the store has it, and `REDUCER_MISSING`. */
  async byHash(hash: string): Promise<CompiledWorkflow> {
    const workflow = this.#byHash.get(hash) ?? (await this.#readStored(hash));
    const loaded = this.#byName.get(workflow.name);
    if (loaded && !this.#hashes.has(loaded)) this.#hashes.set(loaded, loaded === workflow ? hash : await this.#hashUnchecked(loaded));
    return compileWorkflow(workflow, this.#reducers);
  }

  async #readStored(hash: string): Promise<Workflow> {
    const text = await this.#store.getBlob(hash);
    const stored = typeof text === "string" ? parseDefinition(text) : undefined;
    const loaded = stored && this.#byName.get(stored.name);
    // Prefer the workflow that the host loaded: a tampered store may have another text under this hash.
    const isLoaded = loaded !== undefined && written(loaded) === text;
    const workflow = isLoaded ? loaded : stored;
    if (!workflow || (!isLoaded && (await hashDefinition(this.#host, workflow)) !== hash)) {
      throw new WorkflowError(
        "RUN_CORRUPT",
        `The definition ${hash} is ${text === undefined ? "missing from" : "damaged in"} the store. Its runs were left as they are.`,
        { details: { definition: hash } },
      );
    }
    await this.#loadCode(workflow);
    this.#byHash.set(hash, workflow);
    return workflow;
  }

  /** The hash of a workflow; empty for one that cannot be written as text, which no run has. */
  async #hashUnchecked(workflow: Workflow): Promise<string> {
    return written(workflow) === undefined ? "" : hashDefinition(this.#host, workflow);
  }

  /** Whether a workflow of this name is loaded, with another definition than the one with this hash. Known once {@link byHash} gave that one. */
  isOutdated(name: string, hash: string): boolean {
    const loaded = this.#byName.get(name);
    return loaded !== undefined && (this.#hashes.get(loaded) ?? hash) !== hash;
  }

  /** Loads all code that a run of a workflow, and the runs that it calls, may need. */
  async #loadCode(workflow: Workflow): Promise<void> {
    const called = this.#withCalled(workflow);
    const blocks = called.flatMap(blocksOf);
    if (called.some((one) => written(one)?.includes("secret"))) await this.#onSecrets();
    const missing = new Set(blocks.map(({ type }) => type).filter((type) => !this.#types.has(type)));
    for (const load of this.#builtin) {
      if ([...missing].every((type) => this.#blocks.has(type))) break;
      for (const block of await load()) {
        if (!this.#blocks.has(block.type)) this.#blocks.set(block.type, block);
        if (block.pure && !this.#kinds.has(block)) this.#kinds.set(block, "pure");
      }
    }
    await loadParts(called, (type) => this.#kinds.get(this.#blocks.get(type)) ?? "acting");
    for (const type of missing) {
      const block = this.#blocks.get(type);
      if (block) this.#types.set(type, await makeReady(block));
    }
  }

  /** A workflow and those that it may call: by a name that is written there, any of them if a reference gives the name, and those that block types call. */
  #withCalled(workflow: Workflow): readonly Workflow[] {
    const found = new Set([workflow]);
    // A set may grow while it is walked: what is added is visited too.
    for (const one of found) {
      for (const { type, inputs } of blocksOf(one)) {
        for (const called of this.#blocks.get(type)?.calls ?? []) found.add(called);
        if (!CALLING_TYPES.has(type)) continue;
        const named = this.#byName.get(String(inputs?.["workflow"]));
        for (const called of named ? [named] : this.#byName.values()) found.add(called);
      }
    }
    return [...found];
  }
}

/** A workflow as text; nothing where it cannot be written, such as one with a cycle. */
function written(workflow: Workflow): string | undefined {
  try {
    return JSON.stringify(workflow);
  } catch {
    return undefined;
  }
}

function parseDefinition(text: string): Workflow | undefined {
  try {
    return JSON.parse(text) as Workflow;
  } catch {
    return undefined;
  }
}
