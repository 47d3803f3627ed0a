import { expect, onTestFinished, test } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { workerExecutor } from "wavepoint/worker";
import { clearDatabase } from "../../support/clear-database.ts";
import { scenarios } from "./scenarios.ts";
import { surveyExecutor } from "./survey.ts";
import { address as surveyWorker } from "./survey-worker.ts?bundled";

const newWorker = (name: string): Worker => new Worker(surveyWorker, { type: "module", name });

test.each(scenarios.map((scenario, number) => ({ ...scenario, number })))("$name: the same in a worker", async ({ play, number }) => {
  // One of them keeps its runs in memory, the others in a database.
  const database = number === 0 ? "" : `survey-${number}`;
  if (database !== "") onTestFinished(() => clearDatabase(database));
  const plain = await play(surveyExecutor(memoryStore()));
  const executor = workerExecutor(() => newWorker(database));
  expect(await play(executor)).toEqual(plain);
  await executor.close();
});
