import { WorkflowError } from "../model/errors.ts";
import type { Host } from "../ports/host.ts";

/** The latest instant a date can have. */
export const MAX_INSTANT = 8_640_000_000_000_000;

/**
 * The host with a clock as journals, heads and run files need it: whole milliseconds from 1970 on. Clocks of browsers give fractions, and those of
 * devices without a battery begin anywhere. An earlier instant counts as 0. `now` throws `INPUT_INVALID` for what is no number.
 */
export function withWholeClock(host: Host): Host {
  return {
    now: () => wholeInstant(host.now()),
    sleep: (ms, signal, options) => host.sleep(ms, signal, options),
    random: () => host.random(),
    newId: () => host.newId(),
    newAbortController: () => host.newAbortController(),
    hash: (content) => host.hash(content),
    ...(host.newDeflate ? { newDeflate: (way) => host.newDeflate!(way) } : {}),
    maxParallel: host.maxParallel,
  };
}

function wholeInstant(instant: number): number {
  if (typeof instant === "number" && instant <= MAX_INSTANT) return Math.max(0, Math.floor(instant));
  throw new WorkflowError(
    "INPUT_INVALID",
    `The clock of the host gives ${String(instant)}. Let \`now\` give milliseconds since 1970, at most ${MAX_INSTANT}, as Date.now does.`,
  );
}
