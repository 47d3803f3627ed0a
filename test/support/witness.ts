import type { Store } from "wavepoint";

/**
 * What a process or a page told a witness outside of it, one line each, in the order it arrived. A line `stored` stands only for what was read from
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
  | { readonly type: "signalling" | "signalled"; readonly run: string; readonly name: string; readonly by: string }
  | { readonly type: "opened" | "got" | "closed"; readonly run: string; readonly resource: string; readonly by: string }
  | { readonly type: "made" | "kept"; readonly run: string; readonly key: string; readonly by: string }
  | { readonly type: "ready" | "refused" | "finished"; readonly run: string; readonly by: string };

/** What works on the run, and where it reports. */
export interface WorkerOptions {
  readonly by: string;
  readonly store: Store;
  /** Resolves once the witness has it. */
  readonly tell: (line: Testimony) => void | Promise<void>;
}

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

/** Results that a block learned to be stored, and that were made again afterwards. */
export function findMadeAgain(lines: readonly Testimony[]): readonly string[] {
  const kept = new Set<string>();
  return lines.flatMap((line) => {
    if (line.type === "kept") kept.add(line.key);
    return line.type === "made" && kept.has(line.key) ? [line.key] : [];
  });
}

/** Resources that a block had got, and that were opened again afterwards. */
export function findOpenedAgain(lines: readonly Testimony[]): readonly string[] {
  const got = new Set<string>();
  return lines.flatMap((line) => {
    if (line.type === "got") got.add(line.resource);
    return line.type === "opened" && got.has(line.resource) ? [line.resource] : [];
  });
}

/** Resources that were opened and not closed. */
export function findLeftOpen(lines: readonly Testimony[]): readonly string[] {
  const open = new Set<string>();
  for (const line of lines) {
    if (line.type === "opened") open.add(line.resource);
    if (line.type === "closed") open.delete(line.resource);
  }
  return [...open];
}

/** The signals that were acknowledged. */
export function listSignalled(lines: readonly Testimony[]): readonly string[] {
  return [...new Set(lines.flatMap((line) => (line.type === "signalled" ? [line.name] : [])))].toSorted();
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
