import { expect, test } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { scenarios } from "../browser/worker/scenarios.ts";
import { surveyExecutor } from "../browser/worker/survey.ts";
import { overServer } from "./served.ts";

/** What led to an error stays with the server. */
function withoutCauses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCauses);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const members = Object.entries(value).filter(([key]) => key !== "cause");
  return Object.fromEntries(members.map(([key, member]) => [key, withoutCauses(member)]));
}

test.each(scenarios)("$name: the same over a server", async ({ play }) => {
  const plain = await play(surveyExecutor(memoryStore()));
  expect(withoutCauses(await play(overServer(surveyExecutor(memoryStore())).client))).toEqual(withoutCauses(plain));
});
