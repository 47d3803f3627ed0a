/** What `${metadata.…}` knows of a run. Seed 2, "Context Structure" and "Workflow Result Structure". */
export const RUN_METADATA: readonly string[] = [
  "workflow_name",
  "execution_id",
  "start_time",
  "execution_time_seconds",
  "total_blocks",
  "execution_waves",
];

/** What `${blocks.id.metadata.…}` knows of every block. Seed 2, "Context Structure". */
export const BLOCK_METADATA: readonly string[] = [
  "status",
  "outcome",
  "succeeded",
  "failed",
  "skipped",
  "paused",
  "wave",
  "execution_order",
  "execution_time_ms",
  "started_at",
  "completed_at",
  "attempts",
];

/** What it knows beside that of a block with `for_each`. */
export const ITEM_METADATA: readonly string[] = ["count", "succeeded_count", "failed_count"];

/** What `${each.…}` knows of the item a block with `for_each` runs for. */
export const ITEM_FIELDS: readonly string[] = ["value", "key", "index", "count"];
