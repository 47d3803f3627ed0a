import type { Block, Workflow } from "../../core/model/workflow.ts";
import type { Chance } from "../seeded-numbers.ts";
import { ANSWERS } from "./simulated-blocks.ts";

/** What a block of a simulated workflow does. */
export type Deed =
  | "work"
  | "fail"
  | "fail twice"
  | "ask"
  | "ask twice"
  | "ask, then fail twice"
  | "decline"
  | "again"
  | "keep"
  | "once"
  | "put"
  | "call"
  | "grow"
  | "grow, then fail"
  | "ask, then grow"
  | "wait"
  | "doze"
  | "listen"
  | "listen twice"
  | "listen, then fail twice"
  | "listen, then ask"
  | "file"
  | "file again"
  | "ask, then file"
  | "read"
  | "read, then ask";

/** A workflow to simulate, with the one it calls. */
export interface Plan {
  readonly workflows: readonly [main: Workflow, inner: Workflow];
  /** Whether a block fails without `continue_on_error`: then the run fails, and what was done besides depends on who was quicker. */
  readonly mayFail: boolean;
}

const MOST_BLOCKS = 8;
const TYPES: ReadonlyMap<Deed, string> = new Map([
  ["call", "ExecuteWorkflow"],
  ["once", "SimulatedOnce"],
  ["put", "SimulatedPut"],
  ["wait", "Wait"],
]);
const DEEDS: readonly Deed[] = [
  ...(["work", "work", "work", "ask", "ask", "ask", "ask twice", "call", "call", "again", "keep", "once", "put"] as const),
  ...(["fail", "fail twice", "ask, then fail twice", "decline"] as const),
];
const GROWING_DEEDS: readonly Deed[] = [...DEEDS, "grow", "grow, then fail", "ask, then grow", "ask, then grow"];

const EVENTFUL_DEEDS: readonly Deed[] = [
  ...GROWING_DEEDS,
  ...(["wait", "wait", "doze", "listen", "listen", "listen twice", "listen, then fail twice", "listen, then ask"] as const),
];

const FILING_DEEDS: readonly Deed[] = [
  ...EVENTFUL_DEEDS,
  ...(["file", "file again", "ask, then file", "ask, then file", "read", "read", "read, then ask", "ask", "keep"] as const),
];

/** What workflows may have. */
export interface Richness {
  /** Channels, loops and branches. */
  readonly isRich: boolean;
  /** Blocks that add blocks, and ask for checkpoints. */
  readonly grows: boolean;
  /** Blocks that wait for signals and instants, questions that signals end, blocks that undo others. */
  readonly isEventful: boolean;
  /** Blocks that write files of the run, and blocks that read them. */
  readonly hasFiles: boolean;
}

/** Names say nothing about the order, so that no rule can lean on it. */
const nameOf = (index: number): string => `b${(index * 7) % 11}`;

/** Draws a workflow of up to eight blocks. Prompts name all that leads to a question, so that no two of a run are alike. */
export function randomPlan(chance: Chance, { isRich, grows, isEventful, hasFiles }: Richness): Plan {
  const deeds: Deed[] = [];
  let mayFail = false;
  const hasChannels = isRich && chance.happens(0.5);
  const blocks = Array.from({ length: chance.between(1, MOST_BLOCKS) }, (_, index): Block => {
    const before = [chance.between(1, 3), chance.between(1, MOST_BLOCKS), chance.between(1, MOST_BLOCKS)]
      .slice(0, chance.between(0, 3))
      .map((steps) => index - steps);
    const dependencies = [...new Set(before.filter((other) => other >= 0))];
    const deed = chance.pick(hasFiles ? FILING_DEEDS : isEventful ? EVENTFUL_DEEDS : grows ? GROWING_DEEDS : DEEDS);
    deeds.push(deed);
    const fails = deed === "fail" || deed === "decline" || deed === "grow, then fail";
    const isTolerant = fails ? !chance.happens(0.1) : chance.happens(0.5);
    mayFail ||= fails && !isTolerant;
    const each =
      deed !== "once" && chance.happens(0.2)
        ? Array.from({ length: chance.between(0, deed.includes("grow") ? 2 : 3) }, (_, item) => `item ${item}`)
        : undefined;
    const said =
      saidBy(chance, dependencies, deeds) + (each ? " ${each.value}" : "") + (hasChannels && chance.happens(0.2) ? " ${channels.log}" : "");
    const [first] = dependencies;
    return {
      id: nameOf(index),
      type: TYPES.get(deed) ?? "Simulated",
      inputs:
        deed === "call"
          ? { workflow: "inner", inputs: { said: `${nameOf(index)} ${said}` } }
          : deed === "wait"
            ? { event: nameOf(index) + (each ? " ${each.value}" : "") }
            : { deed, said, ...(deed.includes("grow") ? { hasLog: hasChannels } : {}) },
      dependsOn: dependencies.map((other) => (chance.happens(0.3) ? { block: nameOf(other), required: false } : nameOf(other))),
      ...(each ? { forEach: each, maxParallel: chance.between(1, 3) } : {}),
      ...(deed.includes("fail twice") ? { retry: { maxAttempts: 3, delayMs: 10 } } : {}),
      ...(isTolerant ? { continueOnError: true } : {}),
      ...(first !== undefined && chance.happens(0.25)
        ? { condition: `\${blocks.${nameOf(first)}.${chance.pick(["succeeded", "failed"])}}` }
        : {}),
      ...(hasChannels && chance.happens(0.5) ? { writes: { log: `${nameOf(index)} \${channels.count}`, count: 1 } } : {}),
      ...(isRich && deed === "work" && chance.happens(0.2) ? { repeatWhile: `\${blocks.${nameOf(index)}.metadata.iterations} < 3` } : {}),
      ...(isRich && dependencies.length > 0 && chance.happens(0.2) ? { join: "any" } : {}),
      ...(chance.happens(0.2) ? { onRevise: chance.pick(["review", "ask_again"] as const) } : {}),
      ...(isEventful && deed.startsWith("ask") && chance.happens(0.3)
        ? { onEvent: { [`end ${nameOf(index)}`]: { answer: chance.pick(ANSWERS) } } }
        : {}),
      ...(isEventful && chance.happens(0.3) ? { compensate: `undo_${nameOf(index)}` } : {}),
    };
  });
  const channels: Workflow["channels"] & object = { log: { reduce: "append" }, count: { reduce: "sum" } };
  const main: Workflow = {
    name: "main",
    inputs: { said: { type: "string" } },
    ...(hasChannels ? { channels } : {}),
    blocks: [...(isRich ? withWays(chance, blocks) : blocks), ...undoing(chance, blocks)],
  };
  return { workflows: [main, isEventful ? EVENTFUL_INNER : INNER], mayFail };
}

/** The blocks that undo others; some of them cannot. */
function undoing(chance: Chance, blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap(({ id, compensate }) =>
    compensate === undefined
      ? []
      : [
          {
            id: compensate,
            type: "Simulated",
            inputs: { deed: chance.happens(0.2) ? "undo badly" : "undo", said: `\${blocks.${id}.outputs}` },
          },
        ],
  );
}

/** The events for which blocks of a workflow may wait, and those that may end their questions. */
export function eventsOf({ blocks }: Workflow): readonly string[] {
  return blocks.flatMap(({ id, type, inputs = {}, forEach, onEvent = {} }) => {
    const items = Array.isArray(forEach) ? forEach : undefined;
    const ending = Object.keys(onEvent);
    if (type === "Wait") return [...ending, ...(items?.map((item) => `${id} ${String(item)}`) ?? [id])];
    if (!String(inputs["deed"]).startsWith("listen")) return ending;
    return [...ending, ...(items?.map((_, item) => `${id}[${item}]`) ?? [id])];
  });
}

/** Lets some blocks lead to a later one, or not, by how they end. */
function withWays(chance: Chance, blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block, index) => {
    const later = blocks[index + chance.between(1, 3)];
    if (!later || !chance.happens(0.2)) return block;
    return { ...block, next: [{ to: later.id, when: `\${blocks.${block.id}.${chance.pick(["succeeded", "failed"])}}` }] };
  });
}

/** What a block gets: the input of the run, or the output of the first block that it depends on. */
function saidBy(chance: Chance, [first]: readonly number[], deeds: readonly Deed[]): string {
  if (first === undefined) return "${inputs.said}";
  if (chance.happens(0.3)) return "";
  return deeds[first] === "call" ? `\${blocks.${nameOf(first)}.metadata.status}` : `\${blocks.${nameOf(first)}.outputs}`;
}

const INNER: Workflow = {
  name: "inner",
  inputs: { said: { type: "string" } },
  blocks: [
    { id: "one", type: "Simulated", inputs: { deed: "ask", said: "${inputs.said}" } },
    { id: "two", type: "Simulated", inputs: { deed: "work", said: "${blocks.one.outputs}" }, dependsOn: ["one"] },
    { id: "three", type: "Simulated", inputs: { deed: "ask twice", said: "${inputs.said} ${blocks.one.outputs}" }, dependsOn: ["one"] },
  ],
  outputs: { two: "${blocks.two.did}", three: "${blocks.three.did}" },
};

/** The same with a wait, a question that a signal may end, and a block that is undone where the run fails or is cancelled. */
const EVENTFUL_INNER: Workflow = {
  ...INNER,
  blocks: [
    ...INNER.blocks.map((block): Block => {
      if (block.id === "two") return { ...block, compensate: "undo_two" };
      return block.id === "one" ? { ...block, onEvent: { "end one": { answer: ANSWERS[1] } } } : block;
    }),
    { id: "four", type: "Wait", inputs: { event: "four" }, dependsOn: ["two"] },
    { id: "undo_two", type: "Simulated", inputs: { deed: "undo", said: "${blocks.two.outputs}" } },
  ],
};
