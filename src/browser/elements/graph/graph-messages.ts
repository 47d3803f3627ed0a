import type { SkipReason } from "../../../core/model/run.ts";

/** What `<wavepoint-waves>` says. */
export interface GraphMessages {
  /** The name of the picture. */
  readonly title: string;
  /** How it is used with the keyboard. */
  readonly help: string;
  wave(number: string): string;
  /** Above the blocks that undo what the run did. */
  readonly undoing: string;
  readonly zoomIn: string;
  readonly zoomOut: string;
  readonly fit: string;
  readonly follow: string;
  readonly list: string;
  readonly legend: string;
  /** What the marks of the picture mean. */
  readonly marks: {
    readonly condition: string;
    readonly items: string;
    readonly loop: string;
    readonly writes: string;
    readonly optional: string;
    readonly undoing: string;
  };
  readonly close: string;
  readonly showInside: string;
  readonly hideInside: string;
  readonly status: string;
  readonly started: string;
  readonly took: string;
  readonly attempts: string;
  /** Which execution it is. */
  readonly iteration: string;
  ofLimit(number: string, limit: string): string;
  readonly items: string;
  /** Shows all items instead of one. */
  readonly allItems: string;
  item(key: string): string;
  readonly why: string;
  skipped(reason: SkipReason): string;
  readonly inputs: string;
  readonly outputs: string;
  readonly error: string;
  readonly executions: string;
}

/** English. */
export const graphEnglish: GraphMessages = {
  title: "Graph of the run",
  help: "Arrow keys lead along the lines, Enter opens a block, plus and minus zoom, 0 shows all.",
  wave: (number) => `Wave ${number}`,
  undoing: "Undoing",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  fit: "Show all",
  follow: "Follow",
  list: "The blocks as a list",
  legend: "What the marks mean",
  marks: {
    condition: "has a condition",
    items: "runs once for each item",
    loop: "repeats: times run, and the limit",
    writes: "writes to these channels",
    optional: "optional path",
    undoing: "is undone by",
  },
  close: "Close",
  showInside: "Show what it called",
  hideInside: "Hide what it called",
  status: "Status",
  started: "Started",
  took: "Took",
  attempts: "Attempts",
  iteration: "Execution",
  ofLimit: (number, limit) => `${number} of at most ${limit}`,
  items: "Items",
  allItems: "All items",
  item: (key) => `Item ${key}`,
  why: "Why",
  skipped: (reason) => SKIPPED[reason.kind](reason as never),
  inputs: "Inputs",
  outputs: "Outputs",
  error: "Error",
  executions: "Executions",
};

const SKIPPED: { readonly [Kind in SkipReason["kind"]]: (reason: Extract<SkipReason, { kind: Kind }>) => string } = {
  condition: ({ condition }) => `Its condition does not hold: ${condition}`,
  dependency: ({ block }) => `“${block}” was skipped.`,
  "not-chosen": ({ block }) => `“${block}” led on another way.`,
  "no-failure": ({ block }) => `“${block}” did not fail.`,
  timeout: () => "No answer came in time.",
  event: ({ event }) => `“${event}” came before an answer.`,
  "left-out": () => "The question was left out.",
  "passed-over": () => "The fork begins behind it.",
  empty: () => "There was nothing to do it for.",
};
