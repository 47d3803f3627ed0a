import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openCluster } from "wavepoint/cluster/dbos";
import { httpListener } from "wavepoint/node";
import { serve } from "wavepoint/server";
import { memoryStore } from "wavepoint/store/memory";
import { ANSWERS, beginWizard, OUTPUTS, wizardExecutor } from "../support/moving-wizard.ts";
import { pagesInChrome } from "../support/pages-in-chrome.ts";
import { hasPostgres, startPostgres } from "../support/postgres-server.ts";
import { storyOf } from "../support/story-of.ts";

const pages = pagesInChrome();

/** A worker of the cluster: DBOS lets one live in a process at a time. Gives what ends it. */
async function startWorker(address: string): Promise<() => Promise<void>> {
  const store = await openCluster(address, { pollMs: 20 });
  const executor = wizardExecutor(store);
  const ending = new AbortController();
  const working = executor.recover({ watch: true, signal: ending.signal });
  return async () => {
    ending.abort();
    await expect(working).rejects.toMatchObject({ code: "ABORTED" });
    await executor.close();
    await store.close();
  };
}

test.skipIf(!hasPostgres)(
  "a run goes from a tab to a server, on by one worker and then another, and back, and says the same as one that stayed",
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const address = postgres.newPlace();
    const store = await openCluster(address);
    const recorder = wizardExecutor(store);
    const served = serve({ executor: recorder, authorize: () => true, allow: ["read", "answer", "transfer"], origins: [pages.origin] });
    const server = createServer(httpListener(served.fetch));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    onTestFinished(async () => {
      served.close();
      server.closeAllConnections();
      server.close();
      await recorder.close();
      await store.close();
    });

    const tab = await pages.open("mover");
    const run = await tab.evaluate(() => mover.begin(1, "not yet"));
    expect(await tab.evaluate(([id, to]) => mover.send(id, to), [run, url] as const)).toBe("paused");

    const there = await recorder.open(run);
    expect(there.getSnapshot().pauses.map(({ draft }) => draft)).toEqual(["not yet"]);
    const endFirst = await startWorker(address);
    expect(await there.answer(there.getSnapshot().pauses[0]!.id, "A 12")).toMatchObject({ status: "paused" });
    await endFirst();
    const endSecond = await startWorker(address);
    expect(await there.answer(there.getSnapshot().pauses[0]!.id, "yes")).toMatchObject({ status: "success", outputs: OUTPUTS });
    await endSecond();

    expect(await tab.evaluate(([id, from]) => mover.fetch(id, from), [run, url] as const)).toBe("completed");
    expect(await tab.evaluate((id) => mover.outputs(id), run)).toEqual(OUTPUTS);
    const stayed = memoryStore();
    const other = await beginWizard(wizardExecutor(stayed), ANSWERS.length);
    expect(await tab.evaluate((id) => mover.story(id), run)).toEqual(await storyOf(stayed, other.id));
    await tab.close();
  },
);
