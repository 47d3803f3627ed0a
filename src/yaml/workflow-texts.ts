import { WORKFLOW_SCHEMA } from "../core/definition/definition.ts";
import type { JsonSchema } from "../core/model/json-schema.ts";
import type { RunPolicy } from "../core/model/policy.ts";
import type {
  Block,
  CachePolicy,
  ChannelDeclaration,
  Dependency,
  FileOutput,
  InputDeclaration,
  NextBlock,
  OnTimeout,
  OutputDeclaration,
  RetryPolicy,
  Schedule,
  Workflow,
} from "../core/model/workflow.ts";
import { inYaml } from "./format.ts";

/** What a key is for, or that with the same about the keys below it. */
type Text = string | readonly [about: string, keys: { readonly [name: string]: Text }, item?: string];
/** A text for each member of an interface: the compiler sees to it that none is left out. */
type Texts<Of> = { readonly [name in keyof Of]-?: Text };

const PEOPLE = "A text for people.";

const dependency: Texts<Dependency> = {
  block: "The id of a block of this workflow.",
  required: "Whether this block is skipped where the other one was. Default: `true`.",
};

const nextBlock: Texts<NextBlock> = {
  to: "The id of a block of this workflow.",
  when: "Whether this way is taken: a condition that may refer to what this block gave. Default: `true`.",
};

const retry: Texts<RetryPolicy> = {
  maxAttempts: "Executions in all, the first one counted.",
  delayMs: "Milliseconds before the second attempt. Default: 1,000.",
  backoff: "What each delay is multiplied with to give the next. Default: 2.",
  maxDelayMs: "Milliseconds; no delay is longer. Not less than the first delay. Default: 60,000.",
  jitter: "The part of each delay that is left to chance. Default: 0.",
};

const cache: Texts<CachePolicy> = { ttlMs: "Milliseconds since the block gave it, at most 30 days." };

const fileOutput: Texts<FileOutput> = {
  path: "Relative to the root of the host's files; `$SCRATCH/…` for the folder that a step has to itself. A template.",
  type: "What the text is converted to. Default: `string`.",
  description: PEOPLE,
  validation: "A pattern (RE2 syntax) that the text must match from its start on.",
  required: "Whether a missing file fails the block. Otherwise the output is `null`. Default: `true`.",
  unsafe: "Allows an absolute path, where the host allows such paths. Default: `false`.",
};

const timeoutAnswer: Texts<Exclude<OnTimeout, string>> = { answer: "The answer that is taken then, as it is written." };

const block: Texts<Block> = {
  id: "Unique in the workflow: letters, digits, `_` and `-`, at most 128.",
  type: "What the block does: a built-in block type or one of the host's own.",
  description: PEOPLE,
  inputs: "What the block type takes. Texts in it are templates, resolved just before the block runs.",
  dependsOn: ["What must have settled before this block runs.", dependency, "The id of a block, or the id with whether it must have run."],
  join: "`any`: the block runs where at least one of those was not skipped. Default: `all` that are required.",
  condition: "The block is skipped where this is false.",
  next: [
    "Blocks that depend on this one: the first whose `when` holds runs, the others are skipped.",
    nextBlock,
    "The id of a block, or the id with when it is taken.",
  ],
  continueOnError: "Whether the run goes on where this block fails. Default: `false`.",
  onFailure: "The id of a block that depends on this one and runs only where this one fails. The run goes on then.",
  compensate:
    "The id of a block that undoes this one where the run fails or is cancelled after this one completed. It is no part of the plan.",
  retry: ["When the block is tried again after a failure.", retry],
  timeoutMs: "Milliseconds one attempt may take, waiting for answers and instants left out. Default: as long as it takes.",
  forEach: "A list, an object, a count or a reference to one: the block runs once for each item, or so often.",
  maxParallel: "How many items run at the same time. Default: as many as blocks of a wave.",
  priority: "Blocks of a wave with a higher one begin first where not all may run at the same time. Default: 0.",
  outputs: ["Outputs read from files after the block has run.", fileOutput],
  writes: "Changes of channels by their names. Templates, resolved when the block has completed; its own outputs can be referred to.",
  repeatWhile: "While this holds, looked at when the block has completed, the block runs once more.",
  maxIterations: "How often the block may run where it asks to run again. Default: 100.",
  cache: [
    "Other runs of the store take over what the block gave, where a block of its type is given the same. Default: it is executed.",
    cache,
  ],
  effect: "`once`: the block never runs again where it may have taken effect before a crash; the run asks what became of it instead.",
  answerTimeoutMs: "Milliseconds that a question of the block waits for its answer. Default: as long as it takes.",
  onTimeout: ["What follows where no answer comes in time: `fail`, `skip`, or an answer. Default: `fail`.", timeoutAnswer],
  onEvent: ["Events that end a question of the block, by their names, and what follows then: `fail`, `skip`, or an answer.", timeoutAnswer],
  skippable: "Whether people may leave the question out. The block is skipped then. Default: `false`.",
  declinable:
    "Whether pages offer people to decline to answer. The block fails then, unless its type makes something of it. Default: `false`.",
  onRevise:
    "What a revision does with an answer of the block: keeps it, shows it for review, or asks anew. Default: `keep`, and `ask_again` for a `Review`.",
  maxDepth: "How many runs of the called workflow one chain of calls may hold, the new one included. Default: 1, no recursion.",
};

const input: Texts<InputDeclaration> = {
  type: "What values it takes.",
  description: PEOPLE,
  required: "Whether a run must be given it. Default: `true` where there is no `default`.",
  default: "The value where a run is not given one.",
  enum: "The values it may have.",
  secret: "Whether the value is kept out of the store, events, errors and outputs. Default: `false`.",
};

const channel: Texts<ChannelDeclaration> = {
  type: "What it holds. Default: what its reducer makes; for `replace`, any value.",
  schema: "A JSON Schema of what it holds. Of a list, each item that is added is checked; of an object, each member.",
  description: PEOPLE,
  default: "What it holds when a run begins. Default: `null`, an empty list or object, or 0, by its type.",
  reduce:
    "How a change joins what is there: `replace`, `append`, `sum`, `merge`, `union`, or a reducer of the host by its name. Default: `replace`.",
};

const schedule: Texts<Schedule> = {
  cron: "Minute, hour, day of the month, month and day of the week: `0 9 * * MON-FRI`.",
  timeZone: "The name of the time zone in which that is meant, such as `Europe/Berlin`. Default: `UTC`.",
  inputs: "What its runs are given.",
  timeInput: "The input, a string, that is given the time for which a run starts. Default: none is.",
  catchUp:
    "What becomes of times that passed while nothing was there to start runs: `none` is made up for, the `last` one, or `all`, at most the last 1,000. Default: `last`.",
};

const policy: Texts<RunPolicy> = {
  durability:
    "`sync`: the next wave waits until the steps of this one are stored. `async`: they are written in the background. `exit`: one write when the run pauses or ends; only with `latest`. Default: as the executor says.",
  retention:
    "`full`: all that happened. `latest`: the newest state alone. `windowed`: what happened in the last supersteps. Default: as the executor says.",
  window: "How many supersteps; with `windowed`, which needs it.",
  maxCheckpointBytes: "Characters that the values of a run may take in all. The executor may allow less.",
};

const output: Texts<OutputDeclaration> = {
  value: "A template.",
  title: "What pages call it: a text, or one a language, `{ en, de }`. Default: the title of the field whose answer it is, else its name.",
  type: "What the value is converted to. Default: it is left as it is.",
  description: PEOPLE,
};

const workflow: Texts<Workflow> = {
  name: "What it is started and called by: letters, digits, `_` and `-`, at most 128.",
  description: PEOPLE,
  version: "A text: write it in quotation marks.",
  author: PEOPLE,
  label: "What lists show a run by. A template over inputs and answers; what is not known yet is left out.",
  search: "What lists find a run by, by name: a template over inputs and answers for each; what is not known yet is left out.",
  tags: "What a registry finds it by.",
  inputs: ["What a run is given, by name.", input],
  schedule: ["When runs start by themselves, wherever an executor runs schedules. Default: they never do.", schedule],
  policy: ["How runs are written and what is kept of them, where no other workflow calls this one.", policy],
  channels: ["State that the blocks share, by name. A called workflow has its own.", channel],
  blocks: ["The steps, in any order.", block],
  outputs: ["What a run gives, by name: a template, or an object with one. Default: nothing.", output],
};

/** The form of a workflow in YAML with what its keys are for: what editors and the reference show, and no page needs that reads a workflow. */
export const describedFormat = (): JsonSchema => inYaml(describe(WORKFLOW_SCHEMA, [undefined, workflow]));

function describe(
  schema: JsonSchema,
  [description, keys, item]: readonly [string | undefined, { readonly [name: string]: Text }, string?],
): JsonSchema {
  const { properties, items, additionalProperties: others } = schema;
  const members = Object.entries(properties ?? {}).map(([name, member]) => {
    const text = keys[name]!;
    return [name, describe(member, typeof text === "string" ? [text, {}] : text)];
  });
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(members) } : {}),
    ...(items ? { items: describe(items, [item, keys]) } : {}),
    ...(typeof others === "object" ? { additionalProperties: describe(others, [item, keys]) } : {}),
    ...(description === undefined ? {} : { description }),
  };
}
