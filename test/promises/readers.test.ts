import { expect, test } from "vitest";
import { watchGroups, writeGroups } from "./groups.ts";
import { PLACES } from "./places.ts";

const COMMITS = 120;

test.each(PLACES)("D4: who reads while another one writes sees each commit whole or not at all: %s", async (_, make) => {
  const place = await make();
  const [writer, ...readers] = [place.open(), place.open(), place.open()];
  const writing = writeGroups(writer!, COMMITS);
  const seen = await Promise.all(readers.map((store) => watchGroups(store, writing)));
  for (const { looks, commits } of seen) {
    expect(looks).toBeGreaterThan(5);
    expect(commits).toBe(COMMITS);
  }
  for (const store of [writer!, ...readers]) await store.close();
  await place.remove();
});
