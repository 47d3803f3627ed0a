/** Stands for the folder that a step has to itself. Seed 2, "Custom File-Based Outputs". */
const SCRATCH = "$SCRATCH/";

/** A path inside the step's own folder; nothing where the path leads elsewhere. */
export function withoutScratch(path: string): string | undefined {
  return path.startsWith(SCRATCH) ? path.slice(SCRATCH.length) : undefined;
}
