import { createExecutor } from "wavepoint";
import type { RunHead, Store } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { attemptWorkflow } from "./attempt.ts";
import { useRun, VICTIM } from "./victim.ts";
import { isRefusalFor } from "./refusal-codes.ts";
import { failed, PASSED } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";
import { dumpStore } from "./watched-store.ts";

/** A sealed run as the store inside has it. */
interface SealedRun {
  readonly head: RunHead;
  readonly entries: readonly string[];
}

interface Records {
  readonly run: SealedRun;
  /** The same run before it was answered. */
  readonly earlier: SealedRun;
  readonly other: SealedRun;
}

/** What the attacks of the corpus on sealed records mean for ours, by their ids. */
const ATTACKS: ReadonlyMap<string, (records: Records) => SealedRun> = new Map([
  ["C15-replay-old", ({ run, earlier }: Records) => ({ head: run.head, entries: earlier.entries })],
  ["C16-cross-run-splice", ({ run, other }: Records) => ({ head: { ...other.head, id: run.head.id }, entries: other.entries })],
  [
    "C25-alg-none",
    ({ run }: Records) =>
      withSeal(
        run,
        (parts) => parts.with(0, "none"),
        () => '{"type":"started"}',
      ),
  ],
  ["C26-kid-path", ({ run }: Records) => withSeal(run, (parts) => parts.with(0, "../../etc/passwd"))],
  [
    "C27-short-tag",
    ({ run }: Records) =>
      withSeal(
        run,
        (parts) => parts,
        (text) => btoa(atob(text).slice(0, -12)),
      ),
  ],
  ["C30-parent-other-tenant", ({ run }: Records) => ({ ...run, head: { ...run.head, parent: { run: "run_other", block: "call" } } })],
]);

function withSeal(
  { head, entries }: SealedRun,
  seal: (parts: readonly string[]) => readonly string[],
  entry: (text: string) => string = (text) => text,
): SealedRun {
  return { head: { ...head, sealed: seal(head.sealed!.split(".")).join(".") }, entries: entries.map(entry) };
}

/** Judges what changed records of an encrypted store do; nothing for an attack that is not on sealed records. */
export async function judgeSealed(
  input: HostileInput,
  openStore: () => Promise<Store>,
  stopwatch: () => () => number,
): Promise<{ readonly verdict: Verdict; readonly ms: number } | undefined> {
  const attack = ATTACKS.get(input.id);
  if (!attack) return undefined;
  const inner = await openStore();
  const key = { key: new Uint8Array(32).fill(7) };
  const store = await encryptedStore(inner, key);
  const [attempt, other] = [await attemptWorkflow(store, () => VICTIM), await attemptWorkflow(store, () => VICTIM)];
  const id = attempt.run!.id;
  const sealed = async (run: string): Promise<SealedRun> => ({ head: (await inner.head(run))!, entries: await inner.read(run) });
  const earlier = await sealed(id);
  await attempt.run!.answer(attempt.run!.getSnapshot().pauses[0]!.id, "x");
  const records = { run: await sealed(id), earlier, other: await sealed(other.run!.id) };
  for (const { executor } of [attempt, other]) await executor.close();
  const attacked = attack(records);
  const before = await dumpStore(inner);
  const executor = createExecutor({
    store: await encryptedStore(
      {
        ...inner,
        head: async (run) => (run === id ? attacked.head : inner.head(run)),
        read: async (run, range) => (run === id ? attacked.entries.slice(range?.from, range?.to) : inner.read(run, range)),
      },
      key,
    ),
  });
  const elapsed = stopwatch();
  const refusal = await useRun(executor, () => executor.open(id), "x");
  const ms = elapsed();
  await executor.open(other.run!.id);
  await executor.close();
  const { outcome, code } = input.expect;
  if (refusal === undefined || !isRefusalFor(code, refusal))
    return { verdict: failed(`${outcome} ${code}`, refusal ?? "the run went on"), ms };
  return {
    verdict: (await dumpStore(inner)) === before ? PASSED : failed("a refusal that changes no stored byte", "the store changed"),
    ms,
  };
}
