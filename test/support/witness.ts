/**
 * What a process or a page told a witness outside of it, one line each, in the order it arrived. `stored` is told only of what was read from
 * the store, by a connection that has no part in the run.
 */
export type Testimony =
  | {
      readonly type: "began" | "ended";
      readonly run: string;
      readonly block: string;
      readonly key: string;
      readonly by: string;
      readonly proof: string;
    }
  | { readonly type: "stored"; readonly run: string; readonly block: string; readonly by: string; readonly proof: string }
  | {
      readonly type: "answering" | "answered";
      readonly run: string;
      readonly pause: string;
      readonly by: string;
      readonly response: string;
    }
  | { readonly type: "ready" | "refused" | "finished"; readonly run: string; readonly by: string };

type Began = Extract<Testimony, { readonly type: "began" | "ended" }>;
type Stored = Extract<Testimony, { readonly type: "stored" }>;

const isBegan = (line: Testimony): line is Began => line.type === "began";
const isStored = (line: Testimony): line is Stored => line.type === "stored";
const nameOf = ({ run, block }: { readonly run: string; readonly block: string }): string => `${run}/${block}`;

/** Steps that were known to be stored and began again afterwards. */
export function findRepeated(lines: readonly Testimony[]): readonly string[] {
  const stored = new Set<string>();
  const repeated: string[] = [];
  for (const line of lines) {
    if (isStored(line)) stored.add(nameOf(line));
    if (isBegan(line) && stored.has(nameOf(line))) repeated.push(nameOf(line));
  }
  return repeated;
}

/** Of each step that was known to be stored, the proof its output carried. A step told twice with two proofs is listed twice. */
export function listStored(lines: readonly Testimony[]): readonly string[] {
  return [...new Set(lines.filter(isStored).map((line) => `${nameOf(line)} ${line.proof}`))].toSorted();
}

/** Blocks that were given different idempotency keys in their tries, or keys that two blocks shared. */
export function findUnsteadyKeys(lines: readonly Testimony[]): readonly string[] {
  const pairs = new Set(lines.filter(isBegan).map((line) => `${nameOf(line)} ${line.key}`));
  const keys = new Set(lines.filter(isBegan).map(({ key }) => key));
  const blocks = new Set(lines.filter(isBegan).map(nameOf));
  return pairs.size === keys.size && pairs.size === blocks.size ? [] : [...pairs];
}

/** How often each block began. */
export function countBegun(lines: readonly Testimony[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines.filter(isBegan)) counts.set(nameOf(line), (counts.get(nameOf(line)) ?? 0) + 1);
  return counts;
}

/** How far those who went have come: what was only read from the store does not count. */
export function countProgress(lines: readonly Testimony[]): number {
  return lines.filter(({ type }) => type === "began" || type === "ended" || type === "answering" || type === "answered").length;
}
