import type { StartedEntry } from "../model/journal.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import { countUnsettled } from "./is-closed.ts";
import type { RunState } from "./state.ts";
import { StepRecords } from "./step-records.ts";

/** The state of a run of which nothing has happened but its start. */
export function initialState(id: string, { plan }: CompiledWorkflow, started: StartedEntry): RunState {
  const blocks = new Uint8Array(plan.ids.length);
  return {
    id,
    started,
    definition: started.definition,
    formerly: [],
    waveOf: undefined,
    added: undefined,
    effectsAhead: undefined,
    madeAt: 0,
    entries: 1,
    lastAt: 0,
    blocks,
    records: new StepRecords(),
    wave: 0,
    items: new Map(),
    unsettled: countUnsettled(blocks, plan.waveOf, plan.waves.length),
    waiting: new Map(),
    units: new Map(),
    supersteps: 0,
    fatal: -1,
    pauses: [],
    open: new Set(),
    answered: new Set(),
    ends: [],
    round: new Set(),
    forgottenEnds: new Set(),
    requested: [],
    revisions: 0,
    revisedAt: 0,
    superseded: undefined,
    cause: 0,
    entered: started.entered ?? 0,
    furthest: 0,
    ran: new Set(),
    settledChannels: new Map(),
    holdsDeltas: false,
    hasFiles: false,
    resources: new Map(),
    done: [],
    compensation: undefined,
    signals: undefined,
    untaken: undefined,
    suspension: undefined,
    finished: undefined,
    ownership: 0,
    transferredTo: undefined,
  };
}
