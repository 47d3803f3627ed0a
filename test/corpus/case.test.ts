import { describe, expect, it } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { readCase } from "./case.ts";
import { runCase } from "./run-case.ts";

const ask = 'name: ask\nblocks:\n  - {id: who, type: GetInput, inputs: {prompt: "Who?"}}\n';
const given = (rest: object): object => ({ name: "case", workflows: [ask], expect: { status: "paused" }, ...rest });
const play = (rest: object): Promise<string[]> => runCase(readCase(given(rest)), async () => memoryStore());

describe("a case that cannot be played says why", () => {
  it.each([
    [{ revise: "pause:0" }, '"response" is missing'],
    [{ jump: "pause:0" }, "no known kind"],
    [{ back: true, response: "x" }, 'unknown field "response" beside "back"'],
    [42, "not an object"],
  ])("answer %j", (answer, problem) => {
    expect(() => readCase(given({ answers: [answer] }))).toThrow(problem);
  });

  it("names what nobody knows to expect", async () => {
    expect(await play({ expect: { status: "paused", moons: 2 } })).toEqual(['unknown expectation "moons"']);
  });
});

describe("what a case expects at the end can fail", () => {
  it("runs", async () => {
    expect(await play({ expect: { status: "paused", runs: 2 } })).toEqual(["runs: expected 2, got 1"]);
    expect(
      await play({ answers: [{ response: "Ada", checkpoint: "pause:0", fork: true }], expect: { status: "success", runs: 2 } }),
    ).toEqual([]);
  });

  it("channels", async () => {
    expect(await play({ expect: { status: "paused", channels: { total: 6 } } })).toHaveLength(1);
  });

  it("a step that changes an answer", async () => {
    expect(await play({ answers: [{ back: true }], expect: { status: "paused", steps: ["paused", "failure"] } })).toEqual([]);
    expect(await play({ answers: [{ revise: "pause:3", response: "x" }] }).catch(String)).toContain('there is no checkpoint "pause:3"');
  });
});
