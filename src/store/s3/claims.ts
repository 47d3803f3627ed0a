import { inOrder } from "../in-order.ts";
import type { LeaseRows } from "../leases.ts";
import { type Bucket, type ListedObject, sideBySide } from "./bucket.ts";
import { falling, numberOf } from "./places.ts";

/** What a claim says of itself. */
interface Claim {
  /** Which no other claim has. */
  readonly name: string;
  readonly leaseMs: number;
}

/** The object of a claim of this store. */
interface Taken {
  readonly key: string;
  readonly body: string;
}

/** How coarse the clock of the service is, in milliseconds. */
const TICK_MS = 1_000;

/**
 * The claims of one store: objects that are created once only, with numbers, and written again to renew them. Only the clock of the service counts: it says when a
 * claim was written last, and what time it is.
 */
export function claimObjects(open: () => Promise<Bucket>, holder: string, leaseMs: number): LeaseRows {
  const taken = new Map<string, Taken>();
  let count = 0;
  /** A renewal that ended behind the release would bring the claim back. */
  const work = inOrder();

  /** Whether a claim is still valid. One that cannot be read is valid as long as one of this store. */
  async function lasts(bucket: Bucket, { key, modifiedAt }: ListedObject, now: number): Promise<boolean> {
    if (now - modifiedAt <= leaseMs + TICK_MS) return true;
    const claim = (await (await bucket.get(key))?.json()) as Claim | undefined;
    return claim !== undefined && now - modifiedAt <= claim.leaseMs + TICK_MS;
  }

  /** Whether the object is this claim: numbers come again once all claims of a run are gone. */
  async function isThere(bucket: Bucket, { key, body }: Taken): Promise<boolean> {
    return (await (await bucket.get(key))?.text()) === body;
  }

  return {
    async take(run) {
      const bucket = await open();
      const { objects, now } = await bucket.list(`claims/${run}/`);
      for (const one of objects) if (await lasts(bucket, one, now)) return false;
      const key = `claims/${run}/${falling(objects[0] ? numberOf(objects[0].key) + 1 : 1)}`;
      const body = JSON.stringify({ name: `${holder} ${(count += 1)}`, leaseMs } satisfies Claim);
      // A request that was repeated finds its own.
      if (!(await bucket.create(key, body)) && !(await isThere(bucket, { key, body }))) return false;
      // A process that was stopped after its check may have written a claim in between. A process that finds another valid claim gives way.
      const after = await bucket.list(`claims/${run}/`);
      const others = after.objects.filter((one) => one.key !== key);
      for (const one of others) {
        if (!(await lasts(bucket, one, after.now))) continue;
        await bucket.remove([key]);
        return false;
      }
      taken.set(run, { key, body });
      await bucket.remove(others.map((one) => one.key));
      return true;
    },
    async renew() {
      const bucket = await open();
      const still = new Set<string>();
      const renewal = async (run: string, claim: Taken): Promise<void> => {
        if (taken.get(run) !== claim) return;
        const [newest] = (await bucket.list(`claims/${run}/`, { limit: 1 })).objects;
        if (newest?.key !== claim.key || !(await isThere(bucket, claim))) return void taken.delete(run);
        await bucket.put(claim.key, claim.body);
        still.add(run);
      };
      await sideBySide([...taken], ([run, claim]) => work.add(run, () => renewal(run, claim)));
      return still;
    },
    async drop(run) {
      const claim = taken.get(run);
      taken.delete(run);
      if (!claim) return;
      const bucket = await open();
      await work.add(run, async () => {
        if (await isThere(bucket, claim)) await bucket.remove([claim.key]);
      });
    },
  };
}
