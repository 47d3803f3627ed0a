import { MAX_CALL_DEPTH } from "../../model/limits.ts";
import { JOURNAL_VERSION, type StartedEntry } from "../../model/journal.ts";
import type { RevisionPreview } from "../../model/revision.ts";
import { isRecord, type Value, type Values } from "../../model/value.ts";
import { compileWorkflow } from "../compile.ts";
import { calledPlaces, type ForkPlace } from "../fork-run.ts";
import type { LiveRun } from "../live-run.ts";
import type { Services } from "../services.ts";
import { initialState, type RunState } from "../state.ts";
import { transition } from "../transition.ts";
import type { Unit } from "../unit.ts";
import { answeredPlace } from "./answered-place.ts";
import { Donors } from "./donors.ts";
import { listFindings } from "./findings.ts";
import { pastState } from "./past-state.ts";
import { Rehearsal } from "./rehearsal.ts";

/** See `Run.previewRevise`. */
export async function previewRevision(services: Services, run: LiveRun, pause: string, response: Value): Promise<RevisionPreview> {
  return previewPlace(services, await answeredPlace(services, run, pause, response));
}

/** What a run would do that begins at a place and takes over what comes out the same. */
export async function previewPlace(services: Services, place: ForkPlace): Promise<RevisionPreview> {
  const rehearsal = await rehearseFork(services, place, 0);
  await rehearsal.walk();
  return listFindings(rehearsal.findings);
}

async function rehearseFork(services: Services, place: ForkPlace, depth: number): Promise<Rehearsal> {
  const { run, entries, answers = new Map<number, Value>() } = place;
  const state = await pastState(services, run, entries);
  const places = await calledPlaces(services, state, place);
  for (const [pause, response] of answers) {
    if (state.pauses[pause]?.entry.child === undefined) transition(state, { type: "answered", pause, response, at: state.lastAt });
  }
  const donors = new Donors(services, state, { run, place: state.entries, at: state.lastAt });
  return new Rehearsal(services, {
    state,
    donors,
    called: async (unit) => {
      const called = places.get(unit);
      return called && rehearseFork(services, called, depth + 1);
    },
    call: (unit, inputs) => rehearseCall(services, { state, donors, unit, inputs, depth: depth + 1 }),
  });
}

interface TriedCall {
  readonly state: RunState;
  readonly donors: Donors;
  readonly unit: Unit;
  readonly inputs: unknown;
  readonly depth: number;
}

/** Nothing where the workflow is not loaded, or would not start. */
async function rehearseCall(services: Services, { state: caller, donors, unit, inputs, depth }: TriedCall): Promise<Rehearsal | undefined> {
  if (!isRecord(inputs) || depth > MAX_CALL_DEPTH) return undefined;
  const { workflow: name, inputs: given = {} } = inputs;
  try {
    const compiled = compileWorkflow(services.workflow(String(name)));
    const started: StartedEntry = {
      type: "started",
      version: JOURNAL_VERSION,
      workflow: String(name),
      definition: "",
      inputs: compiled.inputs(given as Values),
      at: caller.started.at,
    };
    const state = initialState(caller.id, compiled, started);
    const revision = await donors.called(unit, String(name));
    const own = new Donors(services, state, revision && { ...revision, place: 0, at: 0 });
    return new Rehearsal(services, {
      state,
      donors: own,
      called: async () => undefined,
      call: (next, values) => rehearseCall(services, { state, donors: own, unit: next, inputs: values, depth: depth + 1 }),
    });
  } catch {
    return undefined;
  }
}
