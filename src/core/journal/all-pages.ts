import type { Page } from "../ports/store.ts";

/** Items of one page. */
const PAGE = 1_000;

/** All pages of a list, one after another. */
export async function* allPages<T>(
  read: (place: { readonly limit: number; readonly after?: string }) => Promise<Page<T>>,
): AsyncGenerator<Page<T>, void, undefined> {
  for (let after: string | undefined; ;) {
    const page = await read({ limit: PAGE, ...(after === undefined ? {} : { after }) });
    yield page;
    after = page.next;
    if (after === undefined) return;
  }
}
