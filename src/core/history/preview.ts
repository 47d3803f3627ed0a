import { WorkflowError } from "../model/errors.ts";
import { calledOutputs } from "../model/called-outputs.ts";
import { CALLING_TYPES, onReviseOf } from "../model/workflow.ts";
import { MAX_CALL_DEPTH } from "../model/limits.ts";
import type { Scope } from "../expression/scope.ts";
import { type Entry, JOURNAL_VERSION, type StartedEntry, type Writes } from "../model/journal.ts";
import type { RevisionPreview } from "../model/history.ts";
import { isRecord, type Value, type Values } from "../model/value.ts";
import type { Question } from "../ports/block.ts";
import {
  beginFolding,
  codeOf,
  type Decision,
  type Execution,
  type FoldedRun,
  itemIds,
  outcomeScope,
  PENDING,
  recordOf,
  SKIPPED_BLOCK,
  someAncestor,
  standingOf,
  turnOf,
  type Unit,
  unitName,
  unitScope,
  unitState,
  waitingUnits,
} from "../machine/machine.ts";
import { AFTER } from "../definition/definition.ts";
import { openFiles } from "../journal/journal.ts";
import {
  findCall,
  findEarlier,
  hasEffect,
  isOnce,
  loadSession,
  readyWorkflow,
  type ReadyType,
  revisedEntry,
  schemaOf,
} from "../runner/runner.ts";
import { admitAnswer, type OpenRun, type Services } from "../run/run.ts";
import { assertRevisable, changeAnswer } from "./change-answer.ts";
import { findQuestion, outermost } from "./find-question.ts";
import { tryBlock } from "./try-block.ts";

type Findings = { readonly [Kind in keyof RevisionPreview]: Set<string> };

/** See `Run.previewRevise`. */
export async function previewRevision(services: Services, run: OpenRun, pause: string, given: Value): Promise<RevisionPreview> {
  const outer = await outermost(services, run);
  await outer.update();
  outer.assertHere();
  const found = await findQuestion(services, outer, pause);
  const { response } = await admitAnswer(services, found.asker, found.asked, given);
  // Others may have written since: what is stored now is what counts.
  const copy = await copyOf(services, outer);
  // For a completed run the preview tells what a fork would do.
  if (copy.state.compensation ?? copy.state.finished?.status === "cancelled") assertRevisable(copy.state);
  const { lastAt: at, open } = copy.state;
  const isOpen = found.calls.length === 0 && open.has(found.pause);
  const preview = new Preview(services, copy, 0);
  preview.apply(isOpen ? { type: "answered", pause: found.pause, response, at } : { ...changeAnswer(copy, found), response, at });
  await preview.walk();
  return Object.fromEntries(Object.entries(preview.findings).map(([kind, names]) => [kind, [...names]])) as unknown as RevisionPreview;
}

/** A copy of a run as it is stored, with the secrets of this process, to fold further entries into. */
async function copyOf(services: Services, run: OpenRun): Promise<FoldedRun> {
  await run.session.flushed();
  const session = await loadSession(services, run.id);
  if (!session) throw new WorkflowError("RUN_NOT_FOUND", `Run ${run.id} was deleted.`, { details: { run: run.id } });
  return session.folded;
}

/** What is known of a unit that runs. */
interface Fate {
  /** Whether it is uncertain what the unit does: that follows only when the run gets there. */
  readonly doubt?: boolean;
  readonly asks?: boolean;
  /** Whether it is sure that the unit runs, with the inputs that it has now. */
  readonly isSure?: boolean;
  readonly outputs?: Values;
  readonly next?: readonly string[] | undefined;
}

/** What a caller passes on to a run that it called. */
interface Passing {
  readonly unit: Unit;
  /** The workflow, where the unit called another one before. */
  readonly other: string | undefined;
  readonly inputs: Values;
}

/**
 * Plays a revision on a copy of a run, as the machine decides. Blocks of pure types are executed. All others are assumed to complete, with unknown
 * outputs.
 */
class Preview {
  readonly findings: Findings = {
    kept: new Set(),
    asked: new Set(),
    rerun: new Set(),
    effects: new Set(),
    once: new Set(),
    skipped: new Set(),
    leftDone: new Set(),
    uncertain: new Set(),
  };
  /** Blocks that may be skipped: it is not known. */
  readonly #doubtful = new Set<number>();
  readonly #services: Services;
  readonly #run: FoldedRun;
  readonly #depth: number;

  constructor(services: Services, run: FoldedRun, depth: number) {
    this.#services = services;
    this.#run = run;
    this.#depth = depth;
    if (run.state.suspension) this.apply({ type: "resumed", at: run.state.lastAt });
  }

  apply(entry: Entry): void {
    this.#run.apply(entry);
  }

  /** Gives the outputs of the run, where they are known. */
  async walk(): Promise<Values | undefined> {
    const { state, compiled, scope } = this.#run;
    while (state.wave < compiled.plan.waves.length && (await this.#follow(this.#run.decide(state.lastAt))));
    state.blocks.forEach((_, block) => this.#noteStanding(block));
    try {
      return compiled.outputs(scope);
    } catch {
      return undefined;
    }
  }

  /** Applies a decision. Gives whether that changed anything. */
  async #follow(decision: Decision): Promise<boolean> {
    switch (decision.do) {
      case "execute":
        await this.#execute(decision);
        return true;
      case "keep":
        for (const unit of decision.units) this.findings.kept.add(this.#name(unit));
        this.apply({ type: "kept", units: decision.units.map((unit) => this.#fields(unit)), at: this.#run.state.lastAt });
        return true;
      case "skip":
        for (const { reason, ...unit } of decision.skips) this.#skip(unit, reason);
        return true;
      case "fail":
        for (const { block } of decision.refusals) this.#doubtBlock(block);
        return true;
      case "expire":
        for (const { pause } of decision.ends) this.#assume(this.#run.state.pauses[pause]!);
        return true;
      case "nothing":
      case "finish":
        return false;
      default:
        return this.#passOpen();
    }
  }

  /** A block with nothing due keeps its step. A block with items does if all of them do. */
  #noteStanding(block: number): void {
    const { kept } = this.findings;
    const items = this.#run.state.items.get(block)?.keys.map((_, item): Unit => ({ block, item })) ?? [];
    const standing = items.filter((unit) => this.#stands(unit));
    const isWhole = standing.length === items.length && (items.length > 0 || this.#stands({ block }));
    for (const unit of items) kept.delete(this.#name(unit));
    // Deleted and added again, so that the names are in the order of the plan.
    for (const unit of isWhole ? [{ block }] : standing) {
      kept.delete(this.#name(unit));
      kept.add(this.#name(unit));
    }
  }

  #stands(unit: Unit): boolean {
    const { kept, rerun, skipped } = this.findings;
    const name = this.#name(unit);
    const record = recordOf(this.#run.state, unit);
    return !rerun.has(name) && !skipped.has(name) && (kept.has(name) || (record?.outputs !== undefined && !record.assumed));
  }

  #skip(unit: Unit, reason: Extract<Entry, { type: "skipped" }>["reason"]): void {
    const { state } = this.#run;
    if (unitState(state, unit).candidate ?? unitState(state, { block: unit.block }).formerItems) {
      this.findings.skipped.add(this.#name(unit));
      if (isOnce(this.#services, this.#run, unit.block)) this.findings.leftDone.add(this.#name(unit));
    }
    this.apply({ type: "skipped", ...this.#fields(unit), reason });
  }

  async #execute({ blocks, due, pauses }: Execution): Promise<void> {
    const { state, compiled } = this.#run;
    for (const number of pauses) await this.#unit(state.pauses[number]!);
    for (const unit of due) this.#runs(unit);
    for (const block of blocks) {
      const list = state.items.get(block);
      if (this.#followsDoubtful(block)) this.#doubtBlock(block);
      else if (compiled.workflow.blocks[block]!.forEach === undefined) {
        if (codeOf(state, { block }) === PENDING) await this.#unit({ block });
      } else if (!list) this.#openItems(block);
      else for (const item of list.keys.keys()) if (list.codes[item] === PENDING) await this.#unit({ block, item });
    }
  }

  #openItems(block: number): void {
    const { compiled, scope, state } = this.#run;
    let value: unknown;
    try {
      value = compiled.block(block).each(scope);
    } catch {
      value = undefined;
    }
    if (!Array.isArray(value) && !isRecord(value)) return this.#doubt({ block });
    const keys = Object.keys(value);
    if (keys.length === 0) return this.#skip({ block }, { kind: "empty" });
    const of = { count: keys.length, ...(Array.isArray(value) ? {} : { keys }), ids: itemIds(value as Value) };
    this.apply({ type: "items", ...this.#fields({ block }), ...of, at: state.lastAt });
  }

  async #unit({ block, item }: Unit): Promise<void> {
    const { state, compiled } = this.#run;
    const unit: Unit = { block, item };
    const pause = standingOf(state, unit).findLast((number) => state.answered.has(number));
    let inputs: Value;
    try {
      inputs = compiled.block(block).inputs(unitScope(this.#run, unit));
      if (state.hasFiles) inputs = await openFiles(inputs, this.#services);
    } catch {
      return this.#doubt(unit);
    }
    if (this.#isCall(block)) return this.#call(unit, inputs);
    const type = this.#typeOf(block);
    if (type?.pure) return this.#try(unit, type, { inputs, pause });
    const asks = type?.resume !== undefined;
    this.#runs(unit, asks ? { doubt: true, asks: pause === undefined } : {});
  }

  /** Executes a pure block, with its earlier answers to what it asks. */
  async #try(unit: Unit, type: ReadyType, given: { readonly inputs: Value; pause: number | undefined }): Promise<void> {
    for (;;) {
      const { result, next } = (await tryBlock(this.#services, { run: this.#run, unit, type, ...given })) ?? {};
      if (result?.status === "success" && isRecord(result.outputs)) return this.#runs(unit, { outputs: result.outputs as Values, next });
      const question = result?.status === "paused" ? result.questions[0] : undefined;
      if (!question) return this.#runs(unit);
      given.pause = await this.#ask(unit, type, question);
      if (given.pause !== undefined) continue;
      const onRevise = onReviseOf(this.#run.compiled.workflow.blocks[unit.block]!);
      return this.#runs(unit, { asks: true, doubt: onRevise !== "keep" && this.#followsUnknown(unit.block) });
    }
  }

  /** Asks a question and answers it as before. Gives its number; nothing where a person would have to answer. */
  async #ask(unit: Unit, type: ReadyType, question: Question): Promise<number | undefined> {
    const { compiled, state } = this.#run;
    const { prompt, metadata = {} } = question;
    const schema = schemaOf(question, type, compiled.plan.ids[unit.block]!);
    const earlier = await findEarlier({ run: this.#run, unit, types: this.#services.types }, { prompt, schema, metadata });
    if (!earlier?.counts) return undefined;
    const pause = state.pauses.length;
    this.apply({ type: "paused", ...this.#fields(unit), pause, prompt, schema, metadata });
    this.apply({ type: "answered", pause, response: earlier.answer.response, at: state.lastAt });
    return pause;
  }

  /** Plays the run that a unit calls. */
  async #call(unit: Unit, inputs: Value): Promise<void> {
    const called = this.#depth < MAX_CALL_DEPTH && isRecord(inputs) ? await this.#callee(unit, inputs) : undefined;
    if (!called) return this.#runs(unit, { doubt: true });
    const outputs = await called.walk();
    const name = this.#name(unit);
    for (const [kind, names] of Object.entries(called.findings) as [keyof Findings, Set<string>][]) {
      for (const inner of names) this.findings[kind].add(`${name}/${inner}`);
    }
    this.findings[outputs && called.findings.rerun.size === 0 ? "kept" : "rerun"].add(name);
    const { workflow, plan } = called.#run.compiled;
    const result = { workflow: workflow.name, executionTimeMs: 0, totalBlocks: plan.ids.length, executionWaves: plan.waves.length };
    this.#complete(unit, outputs && calledOutputs(result, outputs));
  }

  /** The run that a unit calls, as it is stored or newly started. Nothing where it would not start. */
  async #callee(unit: Unit, { workflow, inputs = {} }: { readonly [name: string]: Value }): Promise<Preview | undefined> {
    const services = this.#services;
    const { state } = this.#run;
    const { found, other } = await findCall(services, this.#run, unit, String(workflow));
    try {
      if (found) {
        const called = new Preview(services, await copyOf(services, found), this.#depth + 1);
        called.#passOn(this.#run, { unit, other, inputs: inputs as Values });
        return called;
      }
      const compiled = await readyWorkflow(services.workflow(String(workflow)), services.reducers);
      const started: StartedEntry = {
        type: "started",
        version: JOURNAL_VERSION,
        workflow: String(workflow),
        definition: "",
        inputs: compiled.inputs(inputs as Values),
        at: state.started.at,
      };
      return new Preview(services, beginFolding(state.id, compiled, started), this.#depth + 1);
    } catch {
      // The call will fail when it is made, and say why.
      return undefined;
    }
  }

  /** Passes on to the called run what revisions changed in the caller: answers to its questions, and its inputs. */
  #passOn({ state: caller }: FoldedRun, { unit, other, inputs }: Passing): void {
    const { compiled, state } = this.#run;
    for (const { cause, calls, inner, workflow, ...reply } of unitState(caller, unit).reopened ?? []) {
      // The question belongs to another workflow that the unit called before.
      if (workflow !== other) continue;
      const entry = revisedEntry(this.#run, calls, inner);
      if (entry) this.apply({ ...entry, ...reply, cause, at: state.lastAt });
      else if (state.open.has(inner) && calls.length === 0) {
        this.apply({ type: "answered", pause: inner, response: null, ...reply, at: state.lastAt });
      }
    }
    const given = compiled.inputs(inputs);
    if (turnOf(caller, unit) > state.entered) this.apply({ type: "reentered", inputs: given, at: state.lastAt });
  }

  /** Notes a block that may run or be skipped: its condition, or what it depends on, is not known. */
  #doubtBlock(block: number): void {
    this.#doubtful.add(block);
    this.#doubt({ block });
  }

  /** Whether the block would be skipped if all doubtful blocks were skipped. */
  #followsDoubtful(block: number): boolean {
    const { plan, workflow } = this.#run.compiled;
    const isOneEnough = workflow.blocks[block]!.join === "any";
    let isFound = false;
    for (let i = plan.dependencyStart[block]!; i < plan.dependencyStart[block + 1]!; i++) {
      const source = plan.dependencies[i]!;
      if (plan.leads[i] === AFTER || (!isOneEnough && plan.required[i] === 0)) continue;
      if (this.#doubtful.has(source)) isFound = true;
      else if (isOneEnough && codeOf(this.#run.state, { block: source }) !== SKIPPED_BLOCK) return false;
    }
    return isFound;
  }

  /** Notes a unit of which it is not known whether it runs, or with which inputs. */
  #doubt(unit: Unit): void {
    this.#runs(unit, { doubt: true, asks: this.#typeOf(unit.block)?.resume !== undefined && !this.#isCall(unit.block), isSure: false });
  }

  #runs(unit: Unit, { doubt, asks, isSure = true, outputs, next }: Fate = {}): void {
    const { effects, rerun, asked, uncertain, once } = this.findings;
    const name = this.#name(unit);
    rerun.add(name);
    if (asks) asked.add(name);
    if (doubt) uncertain.add(name);
    if (hasEffect(this.#services, this.#run, unit.block)) effects.add(name);
    if (isSure && isOnce(this.#services, this.#run, unit.block) && unitState(this.#run.state, unit).effect) once.add(name);
    this.#complete(unit, outputs, next);
  }

  /** A unit completes, with outputs where they are known. */
  #complete(unit: Unit, outputs: Values | undefined, next?: Fate["next"]): void {
    const completed = outputs && this.#completed(unit, outputs, next);
    if (completed) this.apply(completed);
    else this.#assume(unit);
  }

  /** The entry of a unit that completes, with its writes to channels. Nothing where it may repeat, or its writes are not known. */
  #completed(unit: Unit, outputs: Values, next: Fate["next"]): Entry | undefined {
    const block = this.#run.compiled.block(unit.block);
    const entry: Entry = { type: "completed", ...this.#fields(unit), outputs, ...(next ? { next } : {}) };
    const { writes: said, repeatWhile } = this.#run.compiled.workflow.blocks[unit.block]!;
    if (said === undefined && repeatWhile === undefined) return entry;
    try {
      const scope = (writes?: Writes): Scope => outcomeScope(this.#run, unit, unitScope(this.#run, unit), { outputs, writes });
      const changes = Object.entries(block.writes(scope()) ?? {}).map(([name, change]) => [name, [change]] as const);
      const writes: Writes = Object.fromEntries(changes);
      return block.repeats(scope(writes)) ? undefined : { ...entry, writes };
    } catch {
      return undefined;
    }
  }

  #assume(unit: Unit): void {
    this.apply({ type: "assumed", ...this.#fields(unit) });
  }

  /** Assumes that a unit completes that waits for a person or an instant. Gives whether there was one. */
  #passOpen(): boolean {
    const { state, compiled } = this.#run;
    const waiting = waitingUnits(state).find(({ block }) => compiled.plan.waveOf[block] === state.wave);
    if (waiting) this.#assume(waiting);
    return waiting !== undefined;
  }

  /** Whether something that a block depends on, directly or not, is not known. */
  #followsUnknown(block: number): boolean {
    const { compiled, state } = this.#run;
    return someAncestor(compiled, block, (ancestor) => state.records.get(ancestor)?.assumed === true);
  }

  #isCall(block: number): boolean {
    return CALLING_TYPES.has(this.#run.compiled.workflow.blocks[block]!.type);
  }

  #typeOf(block: number): ReadyType | undefined {
    return this.#services.types.get(this.#run.compiled.workflow.blocks[block]!.type);
  }

  /** What an entry says of a unit. */
  #fields(unit: Unit): { readonly block: string; readonly item?: number; readonly at: number; readonly turn?: number } {
    const { state, compiled } = this.#run;
    const { block, item } = unit;
    const turn = turnOf(state, unit);
    return { block: compiled.plan.ids[block]!, ...(item === undefined ? {} : { item }), at: state.lastAt, ...(turn > 0 ? { turn } : {}) };
  }

  #name({ block, item }: Unit): string {
    return unitName(this.#run.compiled.plan.ids[block]!, item);
  }
}
