import { type BlockType, defineBlock, type Grants, success } from "wavepoint";
import { agentBlocks } from "wavepoint/ai";
import type { Effects } from "../engine/effects.ts";
import { busyModel, harbourModel } from "./harbour-model.ts";

const LOOK_MS = 800;
const BOOK_MS = 2_000;

/** The berths that are free, and how long a boat may be there. */
const BERTHS = [
  { berth: 3, metres: 8 },
  { berth: 14, metres: 12 },
  { berth: 21, metres: 18 },
];

/** What agents of the page are made of. */
export interface AgentEquipment {
  readonly blocks: readonly BlockType[];
  readonly grants: Pick<Grants, "models">;
}

/** The agents of the page, with their models and tools. */
export function agentEquipment(effects: Effects): AgentEquipment {
  const tools = {
    tide_table: { block: tideTable(), cache: true },
    free_berths: { block: freeBerths() },
    book_berth: { block: bookBerth(effects) },
  };
  const clerk = { description: "Writes confirmations.", models: ["small"], instructions: "You are the clerk of the harbour." };
  return { blocks: agentBlocks({ tools, agents: { clerk } }), grants: { models: { large: busyModel(), small: harbourModel() } } };
}

function tideTable(): BlockType {
  return defineBlock({
    type: "TideTable",
    description: "When the tide is high and low on a day.",
    inputs: objectOf({ day: { type: "string" } }),
    async execute({ inputs, host, signal }) {
      await host.sleep(LOOK_MS, signal);
      return success({ day: inputs.day, high: "10:40", low: "16:55" });
    },
  });
}

function freeBerths(): BlockType {
  return defineBlock({
    type: "FreeBerths",
    description: "Berths that are free from a day on, for a boat of a length in metres.",
    inputs: objectOf({ day: { type: "string" }, metres: { type: "number" } }),
    async execute({ inputs, host, signal }) {
      await host.sleep(2 * LOOK_MS, signal);
      return success({ free: BERTHS.filter(({ metres }) => metres >= inputs.metres) });
    },
  });
}

/** Books in the world outside, which knows a repetition by its key, and works on afterwards: killed then, it has booked and nothing says so. */
function bookBerth(effects: Effects): BlockType {
  return defineBlock({
    type: "BookBerth",
    description: "Books a berth for a boat.",
    effect: "repeatable",
    inputs: objectOf({
      boat: { type: "string" },
      berth: { type: "integer", minimum: 1, maximum: 30 },
      day: { type: "string" },
      nights: { type: "integer", minimum: 1, maximum: 30 },
    }),
    async execute({ inputs, run, block, idempotencyKey, host, signal }) {
      await effects.stamp({ run, block, to: `berth ${inputs.berth}`, key: idempotencyKey });
      await host.sleep(BOOK_MS, signal);
      return success({ ...inputs });
    },
  });
}

function objectOf<const Properties extends object>(properties: Properties) {
  const required = Object.keys(properties) as (keyof Properties & string)[];
  return { jsonSchema: { type: "object", properties, required, additionalProperties: false } } as const;
}
