import { WorkflowError } from "../model/errors.ts";
import { CALLING_TYPES } from "../model/workflow.ts";
import { MAX_CALL_DEPTH } from "../model/limits.ts";
import { type Entry, JOURNAL_VERSION, type StartedEntry } from "../model/journal.ts";
import type { RevisionPreview } from "../model/history.ts";
import { isRecord, type Value, type Values } from "../model/value.ts";
import type { Question } from "../ports/block.ts";
import { compileWorkflow } from "../definition/definition.ts";
import {
  addressOf,
  beginFolding,
  codeOf,
  type Execution,
  type FoldedRun,
  itemIds,
  PENDING,
  someAncestor,
  standingOf,
  turnOf,
  type Unit,
  unitKey,
  unitName,
  unitScope,
} from "../machine/machine.ts";
import { findEarlier, hasEffect, isOnce, loadSession, revisedEntry, schemaOf } from "../runner/runner.ts";
import { admitAnswer, type OpenRun, type Services } from "../run/run.ts";
import { assertRevisable, changeAnswer } from "./change-answer.ts";
import { findQuestion, outermost } from "./questions.ts";
import { tryBlock } from "./try-block.ts";

/** Questions that one block is taken to ask, and decisions that are followed. */
const MAX_QUESTIONS = 1_000;
const MAX_DECISIONS = 1_000_000;

type Findings = { readonly [Kind in keyof RevisionPreview]: Set<string> };

/** See `Run.previewRevise`. */
export async function previewRevision(services: Services, run: OpenRun, pause: string, given: Value): Promise<RevisionPreview> {
  const outer = await outermost(services, run);
  await outer.update();
  outer.assertHere();
  const found = await findQuestion(services, outer, pause);
  const { response } = await admitAnswer(services, found.asker, found.asked, given);
  // Of a run that completed it tells what a fork would do.
  if (outer.session.state.finished?.status === "cancelled") assertRevisable(outer.session.state);
  // Others may have written since: what is stored now is what counts.
  const copy = await copyOf(services, outer);
  const { lastAt: at, open } = copy.state;
  const isOpen = found.calls.length === 0 && open.has(found.pause);
  const preview = new Preview(services, copy, 0);
  preview.apply(isOpen ? { type: "answered", pause: found.pause, response, at } : { ...changeAnswer(copy, found), response, at });
  await preview.walk();
  return Object.fromEntries(Object.entries(preview.findings).map(([kind, names]) => [kind, [...names]])) as unknown as RevisionPreview;
}

/** A run as it is stored, to be folded further: with the secrets that it has in this process. */
async function copyOf(services: Services, run: OpenRun): Promise<FoldedRun> {
  await run.session.flushed();
  const session = await loadSession(services, run.id);
  if (!session) throw new WorkflowError("RUN_NOT_FOUND", `Run ${run.id} was deleted.`, { details: { run: run.id } });
  return session.folded;
}

/**
 * Goes through what the machine decides on a copy of a run. Block types that declare themselves pure are executed; all others are taken to complete,
 * and what they give is not known.
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
  readonly #services: Services;
  readonly #run: FoldedRun;
  readonly #depth: number;

  constructor(services: Services, run: FoldedRun, depth: number) {
    this.#services = services;
    this.#run = run;
    this.#depth = depth;
  }

  apply(entry: Entry): void {
    this.#run.apply(entry);
  }

  /** Gives the outputs of the run, where they are known. */
  async walk(): Promise<Values | undefined> {
    const { state, compiled } = this.#run;
    state.blocks.forEach((_, block) => this.#noteStanding(block));
    for (let i = 0; i < MAX_DECISIONS && state.wave < compiled.plan.waves.length; i++) {
      const decision = this.#run.decide(state.lastAt);
      if (decision.do === "execute") await this.#execute(decision);
      else if (decision.do === "keep") this.#keep(decision.units);
      else if (decision.do === "skip") for (const { reason, ...unit } of decision.skips) this.#skip(unit, reason);
      else if (decision.do === "fail") for (const unit of decision.refusals) this.#doubt(unit);
      else if (decision.do === "expire") for (const number of decision.pauses) this.#assume(state.pauses[number]!);
      else if (decision.do === "nothing" || decision.do === "finish" || !this.#passOpen()) break;
    }
    try {
      return compiled.outputs(this.#run.scope);
    } catch {
      return undefined;
    }
  }

  /** A block of which nothing is due keeps its step. */
  #noteStanding(block: number): void {
    const { state } = this.#run;
    if (state.records.get(block)?.outputs !== undefined) this.findings.kept.add(this.#name({ block }));
    else
      state.items.get(block)?.records.forEach((record, item) => {
        if (record?.outputs !== undefined) this.findings.kept.add(this.#name({ block, item }));
      });
  }

  #keep(units: readonly Unit[]): void {
    for (const unit of units) this.findings.kept.add(this.#name(unit));
    const named = units.map((unit) => this.#of(unit));
    this.apply({ type: "kept", units: named, at: this.#run.state.lastAt });
    this.#joinItems(units);
  }

  /** A list of which all items are kept is kept. */
  #joinItems(units: readonly Unit[]): void {
    const { kept } = this.findings;
    for (const { block, item } of units) {
      const names = this.#run.state.items.get(block)?.keys.map((_, one) => this.#name({ block, item: one })) ?? [];
      if (item === undefined || !names.every((name) => kept.has(name))) continue;
      for (const name of names) kept.delete(name);
      kept.add(this.#name({ block }));
    }
  }

  #skip(unit: Unit, reason: Extract<Entry, { type: "skipped" }>["reason"]): void {
    const { state } = this.#run;
    const name = this.#name(unit);
    const before = state.candidates.get(unitKey(unit)) ?? (state.formerItems.has(unit.block) ? { record: {} } : undefined);
    if (before) {
      this.findings.skipped.add(name);
      if (isOnce(this.#services, this.#run, unit.block)) this.findings.leftDone.add(name);
    }
    this.apply({ type: "skipped", ...this.#fields(unit), reason });
  }

  async #execute({ blocks, due, pauses, items }: Execution): Promise<void> {
    const { state } = this.#run;
    for (const number of pauses) await this.#unit(state.pauses[number]!);
    for (const unit of due) this.#runs(unit, {});
    for (const block of blocks) {
      if (this.#run.compiled.workflow.blocks[block]!.forEach === undefined) {
        if (codeOf(state, { block }) === PENDING) await this.#unit({ block });
      } else if (state.items.has(block) || this.#openItems(block)) await this.#items(block, items.pauses);
    }
  }

  /** Gives whether there are items to go through. */
  #openItems(block: number): boolean {
    const { compiled, scope, state } = this.#run;
    let value: unknown;
    try {
      value = compiled.block(block).each(scope);
    } catch {
      value = undefined;
    }
    if (!Array.isArray(value) && !isRecord(value)) {
      this.#doubt({ block });
      return false;
    }
    const keys = Object.keys(value);
    if (keys.length === 0) {
      this.#skip({ block }, { kind: "empty" });
      return false;
    }
    const of = { count: keys.length, ...(Array.isArray(value) ? {} : { keys }), ids: itemIds(value as Value) };
    this.apply({ type: "items", ...this.#fields({ block }), ...of, at: state.lastAt });
    return true;
  }

  /** Items that are given the same are kept first. */
  async #items(block: number, pauses: readonly number[]): Promise<void> {
    const { state } = this.#run;
    const decision = this.#run.decide(state.lastAt);
    if (decision.do === "keep") return this.#keep(decision.units);
    const { codes, keys } = state.items.get(block)!;
    const asking = pauses.map((number) => state.pauses[number]!).filter((pause) => pause.block === block);
    for (const { item } of asking) await this.#unit({ block, item });
    for (const [item] of keys.entries()) if (codes[item] === PENDING) await this.#unit({ block, item });
  }

  async #unit({ block, item }: Unit): Promise<void> {
    const { state, compiled } = this.#run;
    const unit: Unit = item === undefined ? { block } : { block, item };
    const pause = standingOf(state, unit).findLast((number) => state.answered.has(number));
    let inputs: Value;
    try {
      inputs = compiled.block(block).inputs(unitScope(this.#run, unit));
    } catch {
      return this.#doubt(unit);
    }
    if (this.#isCall(block)) return this.#call(unit, inputs);
    const type = this.#services.types.get(compiled.workflow.blocks[block]!.type);
    if (!type?.pure) {
      const asks = type?.resume !== undefined;
      return this.#runs(unit, asks ? { doubt: true, asks: pause === undefined } : {});
    }
    await this.#try(unit, { inputs, pause });
  }

  /** What a pure block asks and gives. */
  async #try(unit: Unit, given: { readonly inputs: Value; readonly pause: number | undefined }): Promise<void> {
    const { compiled } = this.#run;
    const type = this.#services.types.get(compiled.workflow.blocks[unit.block]!.type)!;
    let { pause } = given;
    for (let i = 0; i < MAX_QUESTIONS; i++) {
      const result = await tryBlock(this.#services, { run: this.#run, unit, type, inputs: given.inputs, pause });
      if (result?.status === "success" && isRecord(result.outputs)) return this.#runs(unit, { outputs: result.outputs as Values });
      const question = result?.status === "paused" ? result.questions[0] : undefined;
      if (!question) return this.#runs(unit, {});
      pause = await this.#ask(unit, question);
      if (pause === undefined)
        return this.#runs(unit, { asks: true, doubt: this.#wantsToAsk(unit.block) && this.#followsUnknown(unit.block) });
    }
  }

  /** Asks a question that takes the answer it had; gives its number, or nothing where a person would have to answer. */
  async #ask(unit: Unit, question: Question): Promise<number | undefined> {
    const { compiled, state } = this.#run;
    const { id, type } = compiled.workflow.blocks[unit.block]!;
    const { prompt, metadata = {} } = question;
    const schema = schemaOf(question, this.#services.types.get(type), id);
    const { types } = this.#services;
    const earlier = await findEarlier({ run: this.#run, unit, types }, { prompt, schema, metadata });
    if (!earlier?.counts) return undefined;
    const pause = state.pauses.length;
    this.apply({ type: "paused", ...this.#fields(unit), pause, prompt, schema, metadata });
    this.apply({ type: "answered", pause, response: earlier.answer.response, at: state.lastAt });
    return pause;
  }

  /** Goes through the run that a unit calls. */
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
    if (!outputs) return this.#assume(unit);
    const figures = { success: true, workflow: workflow.name, execution_time_ms: 0, total_blocks: plan.ids.length };
    this.apply({ type: "completed", ...this.#fields(unit), outputs: { ...figures, ...outputs } });
  }

  async #callee(unit: Unit, { workflow, inputs = {} }: { readonly [name: string]: Value }): Promise<Preview | undefined> {
    const services = this.#services;
    const { state } = this.#run;
    const found = state.callers.has(unitKey(unit))
      ? await services.find(await services.childId(state.id, addressOf(this.#run, unit)))
      : undefined;
    // Another workflow than before begins anew.
    const child = found?.session.state.started.workflow === String(workflow) ? found : undefined;
    const at = (of: FoldedRun): number => of.state.lastAt;
    try {
      if (child) {
        const called = await copyOf(services, child);
        const preview = new Preview(services, called, this.#depth + 1);
        for (const { cause, calls, inner, workflow: _, ...reply } of state.reopened.get(unitKey(unit)) ?? []) {
          const entry = revisedEntry(called, calls, inner);
          if (entry) preview.apply({ ...entry, ...reply, cause, at: at(called) });
          else if (called.state.open.has(inner) && calls.length === 0) {
            preview.apply({ type: "answered", pause: inner, response: null, ...reply, at: at(called) });
          }
        }
        const given = called.compiled.inputs(inputs as Values);
        const { entered } = called.state;
        if (turnOf(state, unit) > entered) preview.apply({ type: "reentered", inputs: given, at: at(called) });
        return preview;
      }
      const compiled = compileWorkflow(services.workflow(String(workflow)));
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
      // It would not start: that is found out when it is called.
      return undefined;
    }
  }

  /** Whether the unit runs, and what it is given, is not known. */
  #doubt(unit: Unit): void {
    const type = this.#services.types.get(this.#run.compiled.workflow.blocks[unit.block]!.type);
    this.#runs(unit, { doubt: true, asks: type?.resume !== undefined && !this.#isCall(unit.block), isSure: false });
  }

  #runs(
    unit: Unit,
    fate: { readonly doubt?: boolean; readonly asks?: boolean; readonly isSure?: boolean; readonly outputs?: Values },
  ): void {
    const { doubt, asks, isSure = true, outputs } = fate;
    const { effects, rerun, asked, uncertain, once } = this.findings;
    const name = this.#name(unit);
    rerun.add(name);
    if (asks) asked.add(name);
    if (doubt) uncertain.add(name);
    if (hasEffect(this.#services, this.#run, unit.block)) effects.add(name);
    if (isSure && isOnce(this.#services, this.#run, unit.block) && this.#run.state.effects.has(unitKey(unit))) once.add(name);
    if (outputs) this.apply({ type: "completed", ...this.#fields(unit), outputs });
    else this.#assume(unit);
  }

  #assume(unit: Unit): void {
    this.apply({ type: "assumed", ...this.#of(unit), at: this.#run.state.lastAt });
  }

  /** What waits for a person, or for an instant, is taken to come to its end; gives whether anything did. */
  #passOpen(): boolean {
    const { state, compiled } = this.#run;
    const waiting = [...[...state.open].map((number) => state.pauses[number]!), ...state.sleepers.values()].find(
      ({ block }) => compiled.plan.waveOf[block] === state.wave,
    );
    if (!waiting) return false;
    const { block, item } = waiting;
    const unit: Unit = item === undefined ? { block } : { block, item };
    this.#assume(unit);
    return true;
  }

  #wantsToAsk(block: number): boolean {
    return (this.#run.compiled.workflow.blocks[block]!.onRevise ?? "keep") !== "keep";
  }

  /** Whether something that a block depends on, directly or not, is not known. */
  #followsUnknown(block: number): boolean {
    const { compiled, state } = this.#run;
    return someAncestor(compiled, block, (ancestor) => state.records.get(ancestor)?.assumed === true);
  }

  #isCall(block: number): boolean {
    return CALLING_TYPES.has(this.#run.compiled.workflow.blocks[block]!.type);
  }

  #of({ block, item }: Unit): { readonly block: string; readonly item?: number } {
    return { block: this.#run.compiled.plan.ids[block]!, ...(item === undefined ? {} : { item }) };
  }

  #fields(unit: Unit): { readonly block: string; readonly item?: number; readonly at: number; readonly turn?: number } {
    const { state } = this.#run;
    const turn = turnOf(state, unit);
    return { ...this.#of(unit), at: state.lastAt, ...(turn > 0 ? { turn } : {}) };
  }

  #name({ block, item }: Unit): string {
    return unitName(this.#run.compiled.plan.ids[block]!, item);
  }
}
