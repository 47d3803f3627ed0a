import type { RunHead } from "../../model/run.ts";
import type { Services } from "../services.ts";

/** The heads of all runs that can be read, newest first. */
export async function listHeads({ store }: Pick<Services, "store">): Promise<readonly RunHead[]> {
  const heads: RunHead[] = [];
  for (let after: string | undefined; ;) {
    const page = await store.runs({ limit: 1_000, ...(after === undefined ? {} : { after }) });
    for (const head of page.items) heads.push(head);
    after = page.next;
    if (after === undefined) return heads;
  }
}
