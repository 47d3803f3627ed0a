import { WorkflowError } from "../../index.ts";

/** A length of time in the largest unit that fits: `80 ms`, `1.4 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ["s", 1_000],
  ["min", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** Reads a length of time, `90s`, `30min`, `12h`, `7d`, as milliseconds. Throws `COMMAND_INVALID`. */
export function readDuration(text: string, option: string): number {
  const [, digits, unit] = /^(\d{1,6})\s*([a-z]+)$/.exec(text.trim()) ?? [];
  const ms = Number(digits) * (UNITS.get(unit ?? "") ?? Number.NaN);
  if (ms > 0) return ms;
  throw new WorkflowError("COMMAND_INVALID", `--${option} wants a length of time, such as 90s, 30min, 12h or 7d, not "${text}".`);
}

/** An instant, ISO 8601 in UTC. */
export function timeText(at: number): string {
  return new Date(at).toISOString();
}
