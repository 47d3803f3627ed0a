import { type Block, CALLING_TYPES, type Workflow } from "../model/workflow.ts";
import { pauseId } from "../model/ids.ts";
import type { ReviewItem } from "../model/history.ts";
import { MAX_CALL_DEPTH } from "../model/limits.ts";
import type { Value, Values } from "../model/value.ts";
import {
  codeOf,
  COMPLETED,
  FAILED,
  OPENED,
  type PauseAnswer,
  type PauseState,
  PENDING,
  recordOf,
  isUnanswered,
  type RunState,
  standingOf,
  type Unit,
  unitName,
  unitState,
  WAITING,
} from "../machine/machine.ts";
import { askingAddresses } from "./called-addresses.ts";
import type { OpenRun, Services } from "../run/run.ts";

/** See `Run.answers`. */
export async function reviewAnswers(services: Services, run: OpenRun): Promise<readonly ReviewItem[]> {
  await run.update();
  return listQuestions(services, run, []);
}

/** The questions of a run and of those it called, in the order of the plan. */
async function listQuestions(services: Services, run: OpenRun, calls: readonly string[]): Promise<ReviewItem[]> {
  const { compiled, state } = run.session;
  const items: ReviewItem[] = [];
  for (const block of compiled.plan.waves.flat()) {
    const units = state.items.get(block)?.keys.map((_, item): Unit => ({ block, item })) ?? [{ block }];
    for (const unit of units) items.push(...(await questionsOf(services, run, { unit, calls })));
  }
  return items;
}

interface Asking {
  readonly unit: Unit;
  /** The units whose calls lead to the run. */
  readonly calls: readonly string[];
}

async function questionsOf(services: Services, run: OpenRun, { unit, calls }: Asking): Promise<readonly ReviewItem[]> {
  const { compiled, state } = run.session;
  const block = compiled.workflow.blocks[unit.block]!;
  const path = [...calls, unitName(block.id, unit.item)];
  const about = { block: block.id, path, type: block.type };
  const status = isYetToCome(state, unit) ? "pending" : "skipped";
  const asked = standingOf(state, unit).map((number) => state.pauses[number]!);
  if (CALLING_TYPES.has(block.type)) {
    const hasCalled = unitState(state, unit).caller !== undefined || asked.length > 0;
    const lists: (readonly ReviewItem[])[] = [];
    for (const address of hasCalled ? askingAddresses(run.session, unit) : []) {
      const called = await services.find(await services.childId(state.id, address));
      await called?.update();
      // A run that was transferred may have left an older copy of a called run.
      const isOlder = codeOf(state, unit) === COMPLETED && called?.session.state.finished?.status !== "completed";
      if (called && !isOlder) lists.push(await listQuestions(services, called, path));
    }
    if (lists.length > 0) return lists.flat();
    if (!hasCalled) return unasked(services, block, { path, status });
  }
  const items = asked.map((pause) => questionItem(state, pause, about));
  const expired = expiredPause(state, unit);
  if (expired) return [...items, { ...questionItem(state, expired, about), status: "expired" }];
  // A unit that ended without a question will not ask any more.
  const isOver = codeOf(state, unit) === COMPLETED || codeOf(state, unit) === FAILED;
  return items.length > 0 || isOver || !services.types.get(block.type)?.resume ? items : [{ ...about, status }];
}

/** The question that ended the step of its block because it expired. */
function expiredPause(state: RunState, { block, item }: Unit): PauseState | undefined {
  const { skipped, error } = recordOf(state, { block, item }) ?? {};
  const isEnded =
    skipped?.kind === "timeout" || skipped?.kind === "event" || error?.code === "PAUSE_TIMEOUT" || error?.code === "PAUSE_ENDED";
  if (!isEnded) return undefined;
  return state.pauses.findLast((pause) => pause.block === block && pause.item === item && !pause.answer);
}

/** The questions of a workflow that was not called yet, as far as its name is known. */
function unasked(services: Services, block: Block, { path, status }: Pick<ReviewItem, "path" | "status">): readonly ReviewItem[] {
  const name = block.inputs?.["workflow"];
  const workflow = path.length > MAX_CALL_DEPTH ? undefined : loaded(services, name);
  return (workflow?.blocks ?? []).flatMap((inner) => {
    const about = { block: inner.id, path: [...path, inner.id], type: inner.type, status };
    if (CALLING_TYPES.has(inner.type)) return unasked(services, inner, about);
    return services.types.get(inner.type)?.resume ? [about] : [];
  });
}

function loaded(services: Services, name: unknown): Workflow | undefined {
  try {
    return services.workflow(String(name));
  } catch {
    return undefined;
  }
}

type About = Pick<ReviewItem, "block" | "path" | "type">;

function questionItem(state: RunState, { entry, answer, metadata }: PauseState, about: About): ReviewItem {
  const { pause, title, prompt, schema, sensitive, asks, path = [] } = entry;
  const isCancelled = state.finished?.status === "cancelled";
  return {
    ...about,
    // Where the called run is gone, its question is still known here.
    path: [...about.path, ...path],
    type: asks ?? about.type,
    status: answer ? statusOfAnswer(answer) : isCancelled ? "skipped" : "open",
    pause: pauseId(state.id, pause),
    ...(title === undefined ? {} : { title }),
    prompt,
    schema,
    ...(sensitive ? { sensitive } : {}),
    metadata: metadata as Values,
    ...(answer && !answer.action ? { answer: answer.response as Value, answeredAt: state.started.at + answer.at } : {}),
  };
}

function statusOfAnswer({ action, by }: PauseAnswer): ReviewItem["status"] {
  if (action) return "declined";
  return isUnanswered({ by }) ? "expired" : "answered";
}

/** Whether a unit may still ask, now or after another answer. */
function isYetToCome(state: RunState, unit: Unit): boolean {
  const code = codeOf(state, unit);
  const isOver = state.finished !== undefined && state.finished.status !== "failed";
  return !isOver && (code === PENDING || code === OPENED || code === WAITING);
}
