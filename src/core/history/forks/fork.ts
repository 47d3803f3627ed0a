import { WorkflowError } from "../../model/errors.ts";
import { pauseId, runId } from "../../model/ids.ts";
import type { Entry } from "../../model/journal.ts";
import type { Value, Values } from "../../model/value.ts";
import { checkpointNotFound, encodeValue, foldRun, parsePlace } from "../../journal/journal.ts";
import { admitInputs, withSecrets } from "../../runner/runner.ts";
import { admitAnswer, type ForkOptions, type OpenRun, type Services } from "../../run/run.ts";
import { loadCheckpoint } from "../past/load-checkpoint.ts";
import { calledPlaces, type PastPlace } from "./called-places.ts";
import { copyPast, type ForkChange } from "./copy-past.ts";
import { callAddress, callerIn, type FoldedRun, iterationOfCall, readUnitName } from "../../machine/machine.ts";
import { beginningOf } from "./start-at.ts";
import { changeAnswer } from "../change-answer.ts";
import { callName, currentAsking, findQuestion, type FoundQuestion } from "../find-question.ts";

/** See `Executor.fork`. */
export async function fork(services: Services, checkpoint: string, options: ForkOptions): Promise<OpenRun> {
  const { run, entries, past } = await loadCheckpoint(services, checkpoint);
  run.assertHere();
  await services.guard?.secure(run.session);
  const isAnew = options.inputs !== undefined || options.definition !== undefined;
  const answers = new Map<number, Value>();
  const revisions: Revision[] = [];
  for (const [pause, response] of Object.entries(options.answers ?? {})) {
    const { run: asked, kind, number } = parsePlace(pause);
    if (asked !== run.id || kind !== "pause" || !past.state.pauses[number]) throw checkpointNotFound(pause);
    const isOpen = past.state.open.has(number);
    if (!isOpen && !isAnew) throw alreadyAnswered(pause);
    if (isOpen) answers.set(number, await accept(services, run, pause, response as Value));
    else revisions.push(await revisionOf(services, { run, past }, pause, response as Value));
  }
  for (const [pause, response] of Object.entries(options.revise ?? {})) {
    const open = await openAt(services, { run, past }, pause);
    if (open === undefined) revisions.push(await revisionOf(services, { run, past }, pause, response as Value));
    // Revising an open question is answering it.
    else answers.set(open, await accept(services, run, pause, response as Value));
  }
  const id = runId(services.host.newId());
  const change = await changeOf(services, run, { past, options, revisions, id });
  await copyPast(services, { place: { run: run.id, checkpoint, entries, answers }, to: id, change });
  const made = (await services.find(id))!;
  await services.guard?.secure(made.session).catch(() => {});
  made.drive();
  return made;
}

/** An answer that is changed in the new run. */
interface Revision extends FoundQuestion {
  readonly response: Value;
}

interface Past {
  readonly run: OpenRun;
  /** The run as it was at the checkpoint. */
  readonly past: FoldedRun;
}

/**
 * The open question at the checkpoint that an id names, in this run or in a called one. Nothing where it is not open there. Throws
 * `CHECKPOINT_NOT_FOUND` for a question that this run asked later.
 */
async function openAt(services: Services, { run, past }: Past, pause: string): Promise<number | undefined> {
  const { run: asked, number } = parsePlace(pause);
  const { open, pauses } = past.state;
  if (asked === run.id && !pauses[number]) throw checkpointNotFound(pause);
  if (asked === run.id) return [currentAsking(past.state, number)].find((current) => open.has(current));
  const meant = await findQuestion(services, run, pause);
  for (const one of open) {
    if (pauses[one]!.entry.child === undefined) continue;
    const { asker, pause: current } = await findQuestion(services, run, pauseId(run.id, one));
    if (asker.id === meant.asker.id && current === meant.pause) return one;
  }
  return undefined;
}

/** An answer as a run would keep it. Throws a refusal, and `CHECKPOINT_NOT_FOUND`. */
async function accept(services: Services, run: OpenRun, pause: string, given: Value): Promise<Value> {
  const { asker, asked } = await findQuestion(services, run, pause);
  return (await admitAnswer(services, asker, asked, given)).response;
}

async function revisionOf(services: Services, { run, past }: Past, pause: string, given: Value): Promise<Revision> {
  const found = await findQuestion(services, run, pause);
  const question = {
    ...found,
    ...(found.calls.length > 0 ? await askedInCall(services, { run, past }, found, pause) : askedAt(past, pause)),
  };
  const { response } = await admitAnswer(services, question.asker, question.asked, given);
  changeAnswer(past, question);
  return { ...question, response };
}

/** The current asking, at the checkpoint, of a question of this run. */
function askedAt({ state }: FoldedRun, pause: string): Pick<Revision, "pause" | "asked"> {
  const current = currentAsking(state, parsePlace(pause).number);
  return { pause: current, asked: state.pauses[current]! };
}

/** The same for a question of a called run, with the calls that led to it at the checkpoint. Throws `CHECKPOINT_NOT_FOUND` where it had no answer there. */
async function askedInCall(
  services: Services,
  { run, past }: Past,
  { asker, pause }: FoundQuestion,
  id: string,
): Promise<Pick<Revision, "calls" | "pause" | "asked">> {
  let at = past;
  let answers: PastPlace["answers"];
  const calls: string[] = [];
  for (const address of await addressesTo(services, run, asker)) {
    const place = (await calledPlaces(services, at)).find(({ unit, workflow }) => callAddress(at, unit, workflow) === address);
    const call = place && callName(at, place.unit, address);
    if (!place || call === undefined) throw checkpointNotFound(id);
    calls.push(call);
    at = await foldRun(services, place.run, place.entries);
    answers = place.answers;
  }
  const { state } = at;
  let number: number | undefined = pause;
  // It may have been asked anew since.
  while (number !== undefined && number >= state.pauses.length) number = asker.session.state.pauses[number]!.supersedes;
  const asked = number === undefined ? undefined : state.pauses[currentAsking(state, number)];
  const isAnswered = asked !== undefined && (!state.open.has(asked.entry.pause) || answers?.has(asked.entry.pause) === true);
  if (!isAnswered || asked.withdrawn || state.id !== asker.id) throw checkpointNotFound(id);
  return { calls, pause: asked.entry.pause, asked };
}

/** The addresses of the called runs on the way from a run to another one. */
async function addressesTo(services: Services, run: OpenRun, called: OpenRun): Promise<readonly string[]> {
  const addresses: string[] = [];
  for (let at = called; at.id !== run.id;) {
    const { parent } = at.session.state.started;
    addresses.unshift(parent!.block);
    at = (await services.find(parent!.run))!;
  }
  return addresses;
}

/** Orders changes, the last question first: changing an earlier answer first would withdraw the questions that depend on it. */
function lastFirst({ compiled: { plan } }: FoldedRun, revisions: readonly Revision[]): readonly Revision[] {
  const waveOf = ({ calls: [unit], asked }: Revision): number =>
    plan.waveOf[unit === undefined ? asked.block : (plan.index.get(readUnitName(callerIn(unit)).block) ?? 0)]!;
  return revisions.toSorted((a, b) => waveOf(b) - waveOf(a) || compareCalls(b, a) || b.asked.rank - a.asked.rank);
}

/** Which of two questions was asked in an earlier call of the same unit; 0 where none was. */
function compareCalls({ calls }: Revision, { calls: others }: Revision): number {
  const level = calls.findIndex((call, i) => call !== others[i]);
  const [call, other] = [calls[level], others[level]];
  if (call === undefined || other === undefined || callerIn(call) !== callerIn(other)) return 0;
  return iterationIn(call) - iterationIn(other);
}

/** The execution of its unit that made a call. The last one, whose name has no mark, comes after all others. */
function iterationIn(call: string): number {
  return call.includes("~") ? iterationOfCall(call.slice(callerIn(call).length + 1)) : Infinity;
}

interface Changing {
  readonly past: FoldedRun;
  readonly options: ForkOptions;
  readonly revisions: readonly Revision[];
  /** Of the new run. */
  readonly id: string;
}

/** How the new run differs: in its answers, and, if it has other inputs or another definition, from its first block on. */
async function changeOf(services: Services, run: OpenRun, { past, options, revisions, id }: Changing): Promise<ForkChange | undefined> {
  const { inputs, definition } = options;
  const begins = await beginningOf(services, { run, past, options });
  if (begins) return { entries: begins };
  if (revisions.length === 0 && inputs === undefined && definition === undefined) return undefined;
  const hash = definition ? await services.prepare(services.workflow(past.state.started.workflow)) : past.state.definition;
  const compiled = await services.definition(hash);
  const admitted =
    inputs === undefined && definition === undefined ? undefined : await inputsOf(services, run, { given: inputs, hash, id });
  return {
    ...(definition ? { definition: { hash, compiled } } : {}),
    *entries(own, at) {
      for (const revision of lastFirst(past, revisions)) {
        yield { ...changeAnswer(own, revision), response: revision.response, at };
      }
      if (admitted) yield { type: "reentered", inputs: admitted, at };
      if (definition) yield movedTo(own, { hash, compiled }, at);
    },
  };
}

/** Moves the new run to another definition. Records of blocks that are missing there, or have another type, do not count. */
function movedTo(
  { compiled: now }: FoldedRun,
  { hash, compiled }: { readonly hash: string; readonly compiled: FoldedRun["compiled"] },
  at: number,
): Entry {
  const gone = now.workflow.blocks.filter(({ id, type }) => {
    const there = compiled.plan.index.get(id);
    return there === undefined || compiled.workflow.blocks[there]!.type !== type;
  });
  return { type: "moved", definition: hash, blocks: Object.fromEntries(gone.map(({ id }) => [id, null])), at };
}

/** The inputs of the new run: those that are given, or those of the one it comes from, its secrets too. Rejects with `SECRET_MISSING`. */
async function inputsOf(
  services: Services,
  { session }: OpenRun,
  { given, hash, id }: { readonly given: Values | undefined; readonly hash: string; readonly id: string },
): Promise<Values> {
  const compiled = await services.definition(hash);
  if (given) return kept(services, id, await admitInputs(services, id, compiled, { inputs: given }));
  const { scope } = session;
  const { started } = session.state;
  const read = (missing: Set<string>): Values => session.kept?.open(started.inputs, missing) ?? started.inputs;
  const open = await withSecrets(services, session, { read, signal: services.host.newAbortController().signal });
  const secret = Object.entries(session.compiled.workflow.inputs ?? {}).filter(
    ([name, { secret: isSecret }]) => isSecret && !Object.hasOwn(started.inputs, name),
  );
  const all = { ...open, ...Object.fromEntries(secret.map(([name]) => [name, scope.lookup(["inputs", name]) as Value])) };
  return kept(services, id, await admitInputs(services, id, compiled, { inputs: all }));
}

/** Inputs as the run keeps them: values that JSON lacks are encoded. */
async function kept(services: Services, run: string, inputs: Values): Promise<Values> {
  const what = "The input of the fork";
  const { value } = await encodeValue(inputs, { what, services, run, blobs: new Set() });
  return value as Values;
}

function alreadyAnswered(pause: string): WorkflowError {
  return new WorkflowError(
    "PAUSE_ALREADY_ANSWERED",
    `Pause ${pause} has its answer at this checkpoint. Fork at an earlier one, or change the answer with \`revise\`.`,
    { details: { pause } },
  );
}
