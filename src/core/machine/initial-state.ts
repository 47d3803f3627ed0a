import type { StartedEntry } from "../model/journal.ts";
import type { RunParent } from "../model/run.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import type { RunState } from "./state.ts";
import { StepRecords } from "./step-records.ts";

/** The state of a run of which nothing has happened but its start. */
export function initialState(id: string, { plan }: CompiledWorkflow, started: StartedEntry): RunState {
  const unsettled = new Int32Array(plan.waves.length);
  for (let block = 0; block < plan.ids.length; block++) unsettled[plan.waveOf[block]!]!++;
  return {
    id,
    started,
    definition: started.definition,
    formerly: [],
    waveOf: undefined,
    madeAt: 0,
    entries: 1,
    lastAt: 0,
    blocks: new Uint8Array(plan.ids.length),
    records: new StepRecords(),
    wave: 0,
    items: new Map(),
    unsettled,
    waiting: new Map(),
    sleepers: new Map(),
    iterations: new Map(),
    supersteps: 0,
    retries: new Map(),
    begun: new Map(),
    recoveries: new Map(),
    fatal: -1,
    pauses: [],
    open: new Set(),
    answered: new Set(),
    calls: new Map(),
    ends: [],
    round: new Set(),
    forgottenEnds: new Set(),
    callers: new Map(),
    reviving: new Set(),
    revisions: 0,
    revisedAt: 0,
    cause: 0,
    entered: started.entered ?? 0,
    turns: new Map(),
    candidates: new Map(),
    formerItems: new Map(),
    keys: new Map(),
    effects: new Map(),
    asked: new Map(),
    former: new Map(),
    reopened: new Map(),
    children: new Map(),
    changed: new Map(),
    furthest: 0,
    ran: new Set(),
    finished: undefined,
    outputs: undefined,
    ownership: 0,
    transferredTo: undefined,
  };
}

/** The state of a fork that begins with the past of another run. The other state must not be folded any further: the two share its parts. */
export function forkState(state: RunState, id: string, parent: RunParent | undefined): RunState {
  return { ...state, id, started: parent ? { ...state.started, parent } : state.started };
}

/** Notes when a run came to be, where that is later than the start of the past it shares. */
export function noteCreation(state: RunState, createdAt: number): void {
  state.madeAt = createdAt - state.started.at;
}
