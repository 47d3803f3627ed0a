import type { RunHead } from "../../model/run.ts";
import { assertSearch, hasValues } from "../../model/search.ts";
import type { Page, RunQuery } from "../../ports/store.ts";
import type { RunListQuery, Services } from "../../run/run.ts";

/**
 * The next page of runs that have values, or belong to a conversation. Where the store cannot search, this reads pages of the runs that meet the rest of
 * the query until one of them matches.
 */
export async function searchRuns({ store }: Pick<Services, "store">, query: RunListQuery): Promise<Page<RunHead>> {
  const { conversation, where = {}, ...rest } = query;
  assertSearch(where);
  const isSearch = Object.keys(where).length > 0;
  const isOurs = isSearch && !store.searches;
  const asked: RunQuery = isSearch && !isOurs ? { ...rest, where } : rest;
  if (conversation === undefined && !isOurs) return store.runs(asked);
  const isMeant = ({ id, previous, search }: RunHead): boolean =>
    (conversation === undefined || id === conversation || previous?.conversation === conversation) && hasValues(search, where);
  for (let after = rest.after; ;) {
    const page = await store.runs({ ...asked, ...(after !== undefined && { after }) });
    const items = page.items.filter(isMeant);
    if (items.length > 0 || page.damaged || page.next === undefined) return { ...page, items };
    after = page.next;
  }
}
