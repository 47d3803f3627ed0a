import type { Executor, Run } from "../../core/run/run.ts";

/** What the ending of a run may not depend on. */
const CIRCUMSTANCES = new Set(["execution_time_ms", "execution_time", "attempts", "startedAt", "endedAt", "tookMs", "elapsed_ms"]);

/** What is compared of two runs that have ended: all that must not depend on time, order, crashes and the store. */
export interface EndingOptions {
  /** Whether all records are still there. */
  readonly withSteps: boolean;
  /** Whether it counts how far others had come when the run failed. */
  readonly mayFail: boolean;
}

/** How a run ended, as a text to compare. */
export async function endingOf(executor: Executor, run: Run, { withSteps, mayFail }: EndingOptions): Promise<string> {
  const { status, outputs, waves } = run.getSnapshot();
  if (mayFail && status === "failed") return status;
  const blocks = waves.flatMap(({ blocks }) =>
    blocks.map(({ id, status, skipped, error, items }) => ({
      id,
      status,
      skipped,
      error: error?.code,
      items: items?.map(({ status }) => status),
    })),
  );
  const { values, channels } = await run.state();
  const files = (await run.files()).map(({ name, hash }) => `${name} ${hash}`).toSorted();
  const steps = withSteps
    ? (await run.steps())
        .map(({ block, item, status, outputs, error, skipped }) => plain({ block, item, status, outputs, error: error?.code, skipped }))
        .toSorted()
    : [];
  const { items } = withSteps ? await executor.checkpoints.list({ run: run.id, kind: "requested", limit: 1_000 }) : { items: [] };
  const requested = items.map(({ metadata }) => plain(metadata)).toSorted();
  return `${plain({ status, outputs, blocks, values: sorted(values), channels, files, requested })}\n${steps.join("\n")}`;
}

function sorted(values: { readonly [block: string]: unknown }): unknown {
  return Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function plain(value: unknown): string {
  return JSON.stringify(value, (key, member: unknown) => (CIRCUMSTANCES.has(key) ? undefined : member), 1);
}
