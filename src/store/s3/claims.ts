import { inOrder } from "../in-order.ts";
import type { LeaseRows } from "../leases.ts";
import { type Bucket, type ListedObject, sideBySide } from "./bucket.ts";
import { falling, numberOf } from "./places.ts";

/** What a claim says of itself. */
interface Claim {
  readonly holder: string;
  readonly leaseMs: number;
}

/** How coarse the clock of the service is, in milliseconds. */
const TICK_MS = 1_000;

/**
 * The claims of one store: objects that are created once only, with numbers, and written again to renew them. Only the clock of the service counts: it says when a
 * claim was written last, and what time it is.
 */
export function claimObjects(open: () => Promise<Bucket>, holder: string, leaseMs: number): LeaseRows {
  const taken = new Map<string, string>();
  /** A renewal that ended behind the release would bring the claim back. */
  const work = inOrder();
  const own = JSON.stringify({ holder, leaseMs } satisfies Claim);

  /** Whether a claim has not ended. One that cannot be read lasts as long as one of this store. */
  async function lasts(bucket: Bucket, { key, modifiedAt }: ListedObject, now: number): Promise<boolean> {
    if (now - modifiedAt <= leaseMs + TICK_MS) return true;
    const claim = (await (await bucket.get(key))?.json()) as Claim | undefined;
    return claim !== undefined && now - modifiedAt <= claim.leaseMs + TICK_MS;
  }

  return {
    async take(run) {
      const bucket = await open();
      const { objects, now } = await bucket.list(`claims/${run}/`);
      for (const one of objects) if (await lasts(bucket, one, now)) return false;
      const key = `claims/${run}/${falling(objects[0] ? numberOf(objects[0].key) + 1 : 1)}`;
      if (!(await bucket.create(key, own))) return false;
      // One that slept since it looked may have come between: who finds another claim that lasts steps back.
      const after = await bucket.list(`claims/${run}/`);
      const others = after.objects.filter((one) => one.key !== key);
      for (const one of others) {
        if (!(await lasts(bucket, one, after.now))) continue;
        await bucket.remove([key]);
        return false;
      }
      taken.set(run, key);
      await bucket.remove(others.map((one) => one.key));
      return true;
    },
    async renew() {
      const bucket = await open();
      const still = new Set<string>();
      const renewal = async (run: string, key: string): Promise<void> => {
        if (taken.get(run) !== key) return;
        const [newest] = (await bucket.list(`claims/${run}/`, { limit: 1 })).objects;
        if (newest?.key !== key) return void taken.delete(run);
        await bucket.put(key, own);
        still.add(run);
      };
      await sideBySide([...taken], ([run, key]) => work.add(run, () => renewal(run, key)));
      return still;
    },
    async drop(run) {
      const key = taken.get(run);
      taken.delete(run);
      if (key === undefined) return;
      const bucket = await open();
      await work.add(run, () => bucket.remove([key]));
    },
  };
}
