import { expect, test } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { workerExecutor } from "wavepoint/worker";
import { acrossChannel } from "./across-channel.ts";
import { scenarios } from "./scenarios.ts";
import { surveyExecutor } from "./survey.ts";

/** Notes which members of an executor, and of the runs it gives, are used. */
function noting<T extends object>(target: T, used: Set<string>): T {
  return new Proxy(target, {
    get(_target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof name === "string" && name !== "then") used.add(name);
      if (typeof member === "object" && member !== null && (name === "runs" || name === "checkpoints")) return noting(member, used);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const result: unknown = (member as (...args: unknown[]) => unknown).apply(target, args);
        return result instanceof Promise ? result.then((value: unknown) => (isRun(value) ? noting(value, used) : value)) : result;
      };
    },
  });
}

const isRun = (value: unknown): value is object => typeof value === "object" && value !== null && "getSnapshot" in value;

test.each(scenarios)("$name: the same across a channel", async ({ play }) => {
  const plain = await play(surveyExecutor(memoryStore()));
  expect(await play(acrossChannel(surveyExecutor(memoryStore())).client)).toEqual(plain);
});

test("the scenarios use everything that an executor and a run can do", async () => {
  const [used, all] = [new Set<string>(), new Set<string>()];
  for (const { play } of scenarios) {
    const executor = surveyExecutor(memoryStore());
    for (const face of [executor, executor.runs, executor.checkpoints]) membersOf(face).forEach((name) => all.add(name));
    await play(noting(executor, used));
  }
  const client = workerExecutor(() => new MessageChannel().port1);
  const missing = [...membersOf(client), ...Object.keys(client.runs), ...Object.keys(client.checkpoints)].filter(
    (name) => !used.has(name) && name !== "terminate",
  );
  expect(missing).toEqual([]);
});

function membersOf(value: object): readonly string[] {
  return Object.getOwnPropertyNames(Object.getPrototypeOf(value)).filter((name) => name !== "constructor");
}
