import type { RunHead } from "wavepoint";

/** Runs without those that another one of the list took the place of, because an answer was changed or somebody went back: the newest version of each. */
export function newestVersions(runs: readonly RunHead[]): readonly RunHead[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const newest = new Map<string, RunHead>();
  const originOf = (run: RunHead): string => {
    let origin = run.id;
    for (let version: RunHead | undefined = run; version?.fork?.revises; version = byId.get(origin)) origin = version.fork.run;
    return origin;
  };
  const origins = new Map(runs.map((run) => [run, originOf(run)]));
  for (const [run, origin] of origins) {
    const other = newest.get(origin);
    if (!other || run.updatedAt > other.updatedAt) newest.set(origin, run);
  }
  return runs.filter((run) => newest.get(origins.get(run)!) === run);
}
