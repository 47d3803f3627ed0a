import { afterEach, expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";
import { clearDatabase } from "../../../support/clear-database.ts";
import { fillIn } from "../../../support/fill-in.ts";
import { ANSWERS, JOURNEY } from "../../../support/journey.ts";
import { pauseOf } from "../../../support/pause-of.ts";

const NAME = "journey-revised";

afterEach(() => clearDatabase(NAME));

test("a questionnaire of thirty questions in IndexedDB asks again what depends on a changed answer, in another page too", async () => {
  const workflows = [loadWorkflow(JOURNEY)];
  const store = indexedDbStore({ name: NAME });
  const executor = createExecutor({ store, workflows });
  const run = await executor.start("journey");
  await fillIn(run, ANSWERS);
  const before = [await store.head(run.id), await store.read(run.id)];
  const transport = await pauseOf(run, "transport");
  const preview = await run.previewRevise(transport, "plane");
  const revised = await run.revise(transport, "plane");
  const asked = await fillIn(revised, ANSWERS, { until: "meal" });
  await executor.close();
  await store.close();

  const later = indexedDbStore({ name: NAME });
  const page = createExecutor({ store: later, workflows });
  const again = await page.open(revised.id);
  asked.push(...(await fillIn(again, ANSWERS)));
  expect(asked.toSorted()).toEqual(preview.asked.toSorted());
  expect(asked).toHaveLength(6);
  expect(await again.settled()).toMatchObject({ outputs: { booked: true, summary: "Ada goes by plane: a quiet room" } });
  expect([await later.head(run.id), await later.read(run.id)]).toEqual(before);
  const back = await again.back();
  expect(back.getSnapshot().pauses).toMatchObject([{ path: ["book"], earlier: { response: "yes", state: "ok" } }]);
  await page.close();
  await later.close();
});
