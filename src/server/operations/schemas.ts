import * as z from "zod/mini";
import { CHECKPOINT_KINDS } from "../../core/model/checkpoint.ts";
import { RUN_STATUSES } from "../../core/model/run.ts";

/** A schema without the types of what it reads: those are written by hand, in the model. */
export type Schema = z.ZodMiniType;

/** Any value of a run. What JSON cannot hold stands as `{ "~": [kind, content] }`. */
const VALUE: Schema = z.unknown();
const VALUES: Schema = z.record(z.string(), z.unknown());
const TEXT: Schema = z.string();
const TEXTS: Schema = z.array(z.string());
const COUNT: Schema = z.int();
const FLAG: Schema = z.boolean();
export const RUN_STATUS: Schema = z.enum(RUN_STATUSES as readonly ["running"]);

const optional = z.optional;
const object = z.object;
const list = z.array;

/** A workflow as plain data. The engine checks all of it. */
export const WORKFLOW: Schema = z.looseObject({ name: TEXT, blocks: list(z.looseObject({ id: TEXT, type: TEXT })) });

export const ERROR: Schema = object({
  code: TEXT,
  message: TEXT,
  details: optional(VALUES),
  path: optional(TEXT),
  line: optional(COUNT),
  column: optional(COUNT),
  source: optional(TEXT),
});

const PROGRESS = object({ answered: COUNT, remaining: object({ min: COUNT, max: optional(COUNT) }) });
const PARENT = object({ run: TEXT, block: TEXT });
const FORK = object({ run: TEXT, checkpoint: TEXT });
const PREVIOUS = object({ run: TEXT, conversation: TEXT });
const SKIPPED = z.looseObject({ kind: TEXT });
const CACHED = object({ run: TEXT, at: COUNT });

/** What every record and every view of a block has. */
const BLOCK_PARTS = {
  startedAt: optional(COUNT),
  tookMs: optional(COUNT),
  skipped: optional(SKIPPED),
  error: optional(ERROR),
  attempts: optional(COUNT),
  cached: optional(CACHED),
  iteration: optional(COUNT),
  until: optional(COUNT),
  events: optional(TEXTS),
  child: optional(TEXT),
};

const PAUSE: Schema = object({
  id: TEXT,
  run: TEXT,
  path: TEXTS,
  type: TEXT,
  title: optional(TEXT),
  prompt: TEXT,
  schema: VALUES,
  prefill: optional(VALUE),
  sensitive: optional(FLAG),
  allows: object({ decline: FLAG, cancel: FLAG, back: FLAG, skip: FLAG }),
  progress: PROGRESS,
  metadata: VALUES,
  askedAt: COUNT,
  expiresAt: optional(COUNT),
  events: optional(TEXTS),
  draft: optional(VALUE),
  earlier: optional(object({ response: VALUE, state: z.enum(["ok", "needs_review", "invalid"]) })),
  again: optional(object({ times: COUNT, firstAt: COUNT, lastAt: COUNT })),
});

const ITEM = object({ ...BLOCK_PARTS, key: TEXT, status: TEXT, maxIterations: optional(COUNT) });
const BLOCK = object({
  ...BLOCK_PARTS,
  id: TEXT,
  type: TEXT,
  description: optional(TEXT),
  status: TEXT,
  maxIterations: optional(COUNT),
  items: optional(list(ITEM)),
});

export const RUN_FILE: Schema = object({ name: TEXT, type: TEXT, size: COUNT, hash: TEXT, block: TEXT, item: optional(COUNT) });
export const FILE_VALUE: Schema = object({ name: TEXT, type: TEXT, size: COUNT, bytes: VALUE });

export const RUN_POLICY: Schema = z.strictObject({
  durability: optional(z.enum(["sync", "async", "exit"])),
  retention: optional(z.enum(["full", "latest", "windowed"])),
  window: optional(COUNT),
  maxCheckpointBytes: optional(COUNT),
});

const RUN_VIEW = object({
  id: TEXT,
  workflow: TEXT,
  definition: TEXT,
  status: RUN_STATUS,
  reason: optional(TEXT),
  createdAt: COUNT,
  updatedAt: COUNT,
  endedAt: optional(COUNT),
  inputs: VALUES,
  waves: list(object({ index: COUNT, blocks: list(BLOCK) })),
  compensations: optional(list(BLOCK)),
  pauses: list(PAUSE),
  progress: PROGRESS,
  channels: optional(VALUES),
  files: optional(list(RUN_FILE)),
  outputs: optional(VALUES),
  outputSchema: optional(VALUES),
  error: optional(ERROR),
  parent: optional(PARENT),
  fork: optional(FORK),
  policy: optional(RUN_POLICY),
  previous: optional(PREVIOUS),
  outdated: optional(FLAG),
  transferredTo: optional(TEXT),
  active: FLAG,
});

const RESULT = object({
  status: z
    .enum(["success", "failure", "paused", "running"])
    .check(z.describe("`running`: the server waited long enough; ask for the result again.")),
  run: TEXT,
  outdated: optional(FLAG),
  outputs: optional(VALUES),
  error: optional(ERROR),
  pauses: optional(list(PAUSE)),
  reason: optional(TEXT),
  metadata: optional(
    object({
      executionTimeSeconds: z.number(),
      executionWaves: COUNT,
      totalBlocks: COUNT,
      completed: COUNT,
      failed: COUNT,
      skipped: COUNT,
    }),
  ),
});

/** A run as it is now. */
export const RUN_REPLY: Schema = object({ view: RUN_VIEW, version: TEXT });
/** The same, with what came of the call. */
export const MOVED_REPLY: Schema = object({ view: RUN_VIEW, version: TEXT, result: optional(RESULT) });

const HEAD = object({
  id: TEXT,
  workflow: TEXT,
  definition: TEXT,
  status: RUN_STATUS,
  reason: optional(TEXT),
  label: optional(TEXT),
  search: optional(VALUES),
  createdAt: COUNT,
  updatedAt: COUNT,
  changedAt: COUNT,
  revision: COUNT,
  epoch: COUNT,
  entries: COUNT,
  base: optional(COUNT),
  blobs: optional(TEXTS),
  pauses: list(object({ id: TEXT, path: TEXTS, prompt: TEXT })),
  parent: optional(PARENT),
  fork: optional(FORK),
  previous: optional(PREVIOUS),
  imported: optional(FLAG),
  revised: optional(FLAG),
  ownership: optional(COUNT),
  transferredTo: optional(TEXT),
  error: optional(ERROR),
  sealed: optional(TEXT),
});

/** A page of a list. */
const pageOf = (item: Schema): Schema =>
  object({ items: list(item), next: optional(TEXT), damaged: optional(list(object({ run: TEXT, error: ERROR }))) });

export const RUN_PAGE: Schema = pageOf(HEAD);

const SUMMARY_PARTS = {
  id: TEXT,
  run: TEXT,
  workflow: TEXT,
  kind: z.enum(CHECKPOINT_KINDS as readonly ["wave"]),
  createdAt: COUNT,
  superseded: optional(FLAG),
  metadata: optional(VALUES),
};

export const CHECKPOINT_PAGE: Schema = pageOf(
  object({
    ...SUMMARY_PARTS,
    path: optional(TEXTS),
    prompt: optional(TEXT),
    status: optional(z.enum(["open", "answered", "withdrawn"])),
  }),
);

export const CONTEXT: Schema = object({
  inputs: VALUES,
  metadata: VALUES,
  channels: optional(VALUES),
  blocks: z.record(z.string(), object({ inputs: optional(VALUES), outputs: optional(z.nullable(VALUES)), metadata: VALUES })),
});

export const CHECKPOINT: Schema = object({
  ...SUMMARY_PARTS,
  schemaVersion: COUNT,
  definition: TEXT,
  blocks: list(VALUES),
  waves: list(TEXTS),
  inputs: VALUES,
  context: CONTEXT,
  supersteps: COUNT,
  stepCount: COUNT,
  callers: TEXTS,
  parent: optional(PARENT),
  parentCheckpoint: optional(TEXT),
  childCheckpoint: optional(TEXT),
  completedBlocks: TEXTS,
  skippedBlocks: TEXTS,
  currentWave: COUNT,
  totalWaves: COUNT,
  progressPercentage: z.number(),
  pausedBlock: optional(TEXT),
  pausePrompt: optional(TEXT),
  pauseMetadata: optional(VALUES),
  pauses: list(PAUSE),
});

const DIFFERENCES = list(object({ path: TEXT, before: optional(VALUE), after: optional(VALUE) }));

export const CHECKPOINT_DIFFERENCE: Schema = object({
  from: TEXT,
  to: TEXT,
  inputs: DIFFERENCES,
  answers: DIFFERENCES,
  blocks: list(object({ block: TEXT, before: optional(TEXT), after: optional(TEXT), outputs: DIFFERENCES })),
  channels: optional(DIFFERENCES),
  truncated: optional(FLAG),
});

export const RUN_TREE: Schema = object({
  run: TEXT,
  workflow: TEXT,
  status: TEXT,
  createdAt: COUNT,
  checkpoint: optional(TEXT),
  get forks(): Schema {
    return list(RUN_TREE);
  },
});

export const REVIEW: Schema = list(
  object({
    block: TEXT,
    path: TEXTS,
    type: TEXT,
    status: z.enum(["answered", "open", "declined", "expired", "skipped", "pending"]),
    pause: optional(TEXT),
    title: optional(TEXT),
    prompt: optional(TEXT),
    schema: optional(VALUES),
    sensitive: optional(FLAG),
    metadata: optional(VALUES),
    answer: optional(VALUE),
    answeredAt: optional(COUNT),
  }),
);

export const REVISION_PREVIEW: Schema = object({
  kept: TEXTS,
  asked: TEXTS,
  rerun: TEXTS,
  effects: TEXTS,
  once: TEXTS,
  skipped: TEXTS,
  leftDone: TEXTS,
  uncertain: TEXTS,
});

export const MOVE_PLAN: Schema = object({
  verdict: z.enum(["same", "compatible", "needs_migration", "fork"]),
  from: TEXT,
  to: TEXT,
  differences: list(
    object({
      block: optional(TEXT),
      kind: z.enum(["added", "removed", "type", "changed", "inputs", "outputs"]),
      finished: FLAG,
      message: TEXT,
    }),
  ),
  forkFrom: optional(object({ wave: COUNT, checkpoint: optional(TEXT) })),
});

export const STEPS: Schema = list(
  object({
    ...BLOCK_PARTS,
    index: COUNT,
    block: TEXT,
    item: optional(COUNT),
    status: TEXT,
    superstep: optional(COUNT),
    at: COUNT,
    outputs: optional(z.nullable(VALUES)),
    partial: optional(FLAG),
    pauses: optional(TEXTS),
  }),
);

export const RUN_VALUES: Schema = object({
  superstep: COUNT,
  values: z.record(z.string(), z.nullable(VALUES)),
  channels: optional(VALUES),
});

export const JOURNAL_PAGE: Schema = pageOf(object({ place: COUNT, at: COUNT, entry: z.looseObject({ type: TEXT, at: COUNT }) }));

export const METRICS: Schema = object({
  runs: COUNT,
  runsByStatus: z.record(z.string(), COUNT),
  damagedRuns: COUNT,
  checkpoints: COUNT,
  pausedCheckpoints: COUNT,
  automaticCheckpoints: COUNT,
  requestedCheckpoints: COUNT,
  byWorkflow: z.record(z.string(), object({ runs: COUNT, checkpoints: COUNT })),
  ages: object({ underHour: COUNT, underDay: COUNT, underWeek: COUNT, older: COUNT }),
  newestAgeMs: optional(COUNT),
  oldestAgeMs: optional(COUNT),
  bytes: optional(COUNT),
});

export const CLEANUP_REPORT: Schema = object({ runs: COUNT, checkpoints: COUNT, blobs: COUNT, done: FLAG });
export const RECOVERY: Schema = object({ runs: TEXTS, failed: list(object({ run: TEXT, error: ERROR })) });
