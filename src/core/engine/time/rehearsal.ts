import { CALLING_TYPES } from "../../model/calling-types.ts";
import { isRecord, type Value, type Values } from "../../model/value.ts";
import type { Question } from "../../ports/block.ts";
import { schemaOf } from "../ask-questions.ts";
import { COMPLETED, OPENED, PAUSED, PENDING, WAITING } from "../block-code.ts";
import { skippingDependency } from "../decide.ts";
import type { Services } from "../services.ts";
import type { RunState } from "../state.ts";
import { transition } from "../transition.ts";
import { unitName, type Unit } from "../unit.ts";
import type { Donors } from "./donors.ts";
import { addFindings, noFindings, type Findings } from "./findings.ts";
import { pausesOf } from "./match-step.ts";
import { tryBlock } from "./rehearse-block.ts";

/** Thrown by look-ups of what is only known once the run has got there. */
const UNKNOWN = Symbol("unknown");
/** Questions that one block is taken to ask. */
const MAX_QUESTIONS = 1_000;

export interface RehearsalParts {
  /** Of the run as it would begin; changed on the way, and never stored. */
  readonly state: RunState;
  readonly donors: Donors;
  /** Rehearses the run that a unit had called when the new run begins. */
  readonly called: (unit: string) => Promise<Rehearsal | undefined>;
  /** Rehearses the run that a unit calls, where that can be done. */
  readonly call: (unit: Unit, inputs: unknown) => Promise<Rehearsal | undefined>;
}

/** What is known of a unit that runs. */
interface Fate {
  /** What is not known of it: whether it runs at all, or whether it asks. */
  readonly doubt?: "runs" | "asks" | undefined;
  readonly asks?: boolean;
  readonly outputs?: Values | undefined;
}

/** Walks through a run without executing anything that could be noticed, and finds out what its blocks would do. */
export class Rehearsal {
  readonly findings: Findings = noFindings();
  readonly #services: Services;
  readonly #parts: RehearsalParts;
  readonly #state: RunState;
  /** Blocks whose outputs are not known. */
  readonly #unknown = new Set<number>();
  /** Blocks whose outputs are known but for the time that the called workflow takes. */
  readonly #timed = new Set<number>();
  /** Blocks of which it is not known whether they run. */
  readonly #doubtful = new Set<number>();

  constructor(services: Services, parts: RehearsalParts) {
    this.#services = services;
    this.#parts = parts;
    const { state } = parts;
    this.#state = state;
    const { lookup } = state.scope;
    state.scope = {
      lookup: (path) => {
        const [root, name, part, field] = path;
        const block = root === "blocks" && typeof name === "string" ? state.compiled.plan.index.get(name) : undefined;
        if (block !== undefined && this.#unknown.has(block)) throw UNKNOWN;
        const isTime = part === "outputs" && (field === undefined || field === "execution_time_ms");
        if (block !== undefined && isTime && this.#timed.has(block)) throw UNKNOWN;
        // No two runs have the same.
        return root === "metadata" && name === "execution_id" ? "" : lookup(path);
      },
    };
  }

  /** Gives the outputs of the run, where they are known. */
  async walk(): Promise<Values | undefined> {
    const state = this.#state;
    const { waves, ids } = state.compiled.plan;
    state.blocks.forEach((code, block) => {
      if (code === COMPLETED) this.findings.kept.add(ids[block]!);
    });
    for (let wave = state.wave; wave < waves.length && wave === state.wave; wave++) {
      for (const block of waves[wave]!) await this.#block(block);
    }
    try {
      return state.compiled.outputs(state.scope);
    } catch {
      return undefined;
    }
  }

  async #block(block: number): Promise<void> {
    const state = this.#state;
    const code = state.blocks[block]!;
    if (code !== PENDING) {
      if (code === OPENED) await this.#items(block);
      else if (code === PAUSED || code === WAITING) await this.#unit({ block });
      return;
    }
    if (this.#dependsOnDoubtful(block)) return this.#doubt(block);
    const runs = skippingDependency(state, block) < 0 ? this.#known(() => state.compiled.block(block).holds(state.scope)) : false;
    if (runs === UNKNOWN) return this.#doubt(block);
    if (runs === false) return this.#skip(block);
    if (state.compiled.workflow.blocks[block]!.forEach === undefined) await this.#unit({ block });
    else await this.#each(block);
  }

  /** What is looked up, or that it is not known. A mistake in an expression lets the block fail when it runs, whatever that comes to. */
  #known<T>(look: () => T): T | typeof UNKNOWN {
    try {
      return look();
    } catch {
      return UNKNOWN;
    }
  }

  #dependsOnDoubtful(block: number): boolean {
    const { dependencyStart, dependencies, required } = this.#state.compiled.plan;
    for (let i = dependencyStart[block]!; i < dependencyStart[block + 1]!; i++) {
      if (required[i] === 1 && this.#doubtful.has(dependencies[i]!)) return true;
    }
    return false;
  }

  /** It is not known whether the block runs. */
  async #doubt(block: number): Promise<void> {
    this.#doubtful.add(block);
    await this.#runs({ block }, { doubt: "runs", asks: this.#canAsk(block) });
  }

  async #skip(block: number): Promise<void> {
    const id = this.#state.compiled.plan.ids[block]!;
    if (await this.#parts.donors.ran({ block })) this.findings.skipped.add(id);
    transition(this.#state, { type: "skipped", block: id, at: this.#state.lastAt, reason: { kind: "empty" } });
  }

  async #each(block: number): Promise<void> {
    const state = this.#state;
    const value = this.#known(() => state.compiled.block(block).each(state.scope));
    if (!Array.isArray(value) && !isRecord(value)) return this.#runs({ block }, { doubt: "runs", asks: this.#canAsk(block) });
    const keys = Object.keys(value);
    if (keys.length === 0) return this.#skip(block);
    const fields = { count: keys.length, ...(Array.isArray(value) ? {} : { keys }), at: state.lastAt };
    transition(state, { type: "items", block: state.compiled.plan.ids[block]!, ...fields });
    await this.#items(block);
  }

  async #items(block: number): Promise<void> {
    const state = this.#state;
    const { codes } = state.items.get(block)!;
    const names = Array.from(codes, (_, item) => this.#name({ block, item }));
    for (let item = 0; item < codes.length; item++) {
      const code = codes[item];
      if (code === PENDING || code === PAUSED || code === WAITING) await this.#unit({ block, item });
      else if (code === COMPLETED) this.findings.kept.add(names[item]!);
    }
    if (!names.every((name) => this.findings.kept.has(name))) return;
    for (const name of names) this.findings.kept.delete(name);
    this.findings.kept.add(this.#name({ block }));
  }

  async #unit(unit: Unit): Promise<void> {
    const { donors, called, call } = this.#parts;
    const state = this.#state;
    const name = this.#name(unit);
    await this.#takeAnswers(unit);
    const begun = await called(name);
    if (begun) return this.#goThrough(unit, begun);
    const scope = unit.item === undefined ? state.scope : state.compiled.items.scope(state, unit.block, unit.item);
    const inputs = this.#known(() => state.compiled.block(unit.block).inputs(scope));
    if (inputs === UNKNOWN) return this.#runs(unit, { doubt: "runs", asks: this.#canAsk(unit.block) });
    const match = await donors.match(unit);
    if (match) {
      this.findings.kept.add(name);
      return this.#settle(unit, match.record.outputs ?? {});
    }
    if (this.#calls(unit.block)) {
      const rehearsal = await call(unit, inputs);
      return rehearsal ? this.#goThrough(unit, rehearsal) : this.#runs(unit, { doubt: "asks" });
    }
    return this.#runs(unit, await this.#try(unit, inputs));
  }

  /** A question that is open and had an answer takes it. */
  async #takeAnswers(unit: Unit): Promise<void> {
    const state = this.#state;
    for (const [ordinal, { entry, metadata, answer }] of pausesOf(state, unit).entries()) {
      if (answer || entry.child !== undefined) continue;
      const { prompt, schema, pause } = entry;
      const earlier = await this.#parts.donors.earlier(unit, { prompt, schema, metadata }, ordinal);
      if (!earlier?.counts) continue;
      transition(state, { type: "answered", pause, response: earlier.answer?.response, at: state.lastAt });
    }
  }

  /** What becomes of a unit that runs again: what it asks and gives is found out where its type is pure. */
  async #try(unit: Unit, inputs: Value): Promise<Fate> {
    const state = this.#state;
    const { type: name, onRevise = "keep" } = state.compiled.workflow.blocks[unit.block]!;
    const type = this.#services.types.get(name);
    const asked = pausesOf(state, unit);
    if (asked.some(({ answer }) => !answer)) return { asks: true };
    if (!type?.pure) return type?.resume ? { doubt: "asks", asks: asked.length === 0 } : {};
    let pause = asked.at(-1)?.entry.pause;
    for (let i = 0; i < MAX_QUESTIONS; i++) {
      const result = await tryBlock(this.#services, { state, unit, type, inputs, pause });
      if (result?.status === "success" && isRecord(result.outputs)) return { outputs: result.outputs as Values };
      const question = result?.status === "paused" ? result.questions[0] : undefined;
      if (!question) return {};
      pause = await this.#ask(unit, question);
      // Something before it that is not known yet may come out the same, and spare the question.
      if (pause === undefined) return { asks: true, doubt: onRevise !== "keep" && this.#followsUnknown(unit.block) ? "asks" : undefined };
    }
    return {};
  }

  /** Asks a question that takes the answer it had; gives its number, or nothing where somebody would have to answer. */
  async #ask(unit: Unit, question: Question): Promise<number | undefined> {
    const state = this.#state;
    const { id, type } = state.compiled.workflow.blocks[unit.block]!;
    const { prompt, metadata = {} } = question;
    const schema = schemaOf(question, this.#services.types.get(type), id);
    const earlier = await this.#parts.donors.earlier(unit, { prompt, schema, metadata });
    if (!earlier?.counts) return undefined;
    const pause = state.pauses.length;
    transition(state, { type: "paused", ...this.#fields(unit), pause, prompt, schema, metadata });
    transition(state, { type: "answered", pause, response: earlier.answer?.response, at: state.lastAt });
    return pause;
  }

  /** Whether something that a block depends on, directly or not, is not known. */
  #followsUnknown(block: number): boolean {
    const { dependencyStart, dependencies } = this.#state.compiled.plan;
    const seen = new Set([block]);
    for (const next of seen) {
      if (next !== block && this.#unknown.has(next)) return true;
      for (let i = dependencyStart[next]!; i < dependencyStart[next + 1]!; i++) seen.add(dependencies[i]!);
    }
    return false;
  }

  /** Goes through the run that a unit calls. */
  async #goThrough(unit: Unit, rehearsal: Rehearsal): Promise<void> {
    const outputs = await rehearsal.walk();
    const { workflow, plan } = rehearsal.#state.compiled;
    const name = this.#name(unit);
    this.findings[outputs && rehearsal.findings.rerun.size === 0 ? "kept" : "rerun"].add(name);
    addFindings(this.findings, rehearsal.findings, name);
    (outputs && unit.item === undefined ? this.#timed : this.#unknown).add(unit.block);
    this.#settle(unit, { success: true, workflow: workflow.name, total_blocks: plan.ids.length, ...outputs });
  }

  async #runs(unit: Unit, { doubt, asks = false, outputs }: Fate): Promise<void> {
    const { effects, rerun, asked, uncertain, once } = this.findings;
    const name = this.#name(unit);
    const { type, effect } = this.#state.compiled.workflow.blocks[unit.block]!;
    rerun.add(name);
    if (asks) asked.add(name);
    if (doubt) uncertain.add(name);
    if (effect || this.#services.types.get(type)?.effect || this.#calls(unit.block)) effects.add(name);
    if (doubt !== "runs" && (await this.#parts.donors.repeatsEffect(unit))) once.add(name);
    if (!outputs) this.#unknown.add(unit.block);
    this.#settle(unit, outputs ?? {});
  }

  #settle(unit: Unit, outputs: Values): void {
    transition(this.#state, { type: "completed", ...this.#fields(unit), outputs });
  }

  #fields({ block, item }: Unit): { readonly block: string; readonly item?: number; readonly at: number } {
    const { compiled, lastAt } = this.#state;
    return { block: compiled.plan.ids[block]!, ...(item === undefined ? {} : { item }), at: lastAt };
  }

  #name({ block, item }: Unit): string {
    return unitName(this.#state.compiled.plan.ids[block]!, item);
  }

  #calls(block: number): boolean {
    return CALLING_TYPES.has(this.#state.compiled.workflow.blocks[block]!.type);
  }

  /** Whether the block may ask something itself. */
  #canAsk(block: number): boolean {
    return this.#services.types.get(this.#state.compiled.workflow.blocks[block]!.type)?.resume !== undefined;
  }
}
