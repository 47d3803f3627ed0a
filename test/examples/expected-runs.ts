import { expect } from "vitest";
import type { Value, Values } from "wavepoint";

/** What a run of an example is answered, and what it must give. */
export interface ExpectedRun {
  /** By the id of the block that asks. */
  readonly answers?: Values;
  readonly outputs: Values;
  /** Outputs that differ from run to run: they must match. */
  readonly like?: { readonly [name: string]: RegExp };
}

const TIDES = "Cuxhaven\n04:12  3.4 m\n10:47  0.4 m\n16:35  3.2 m\n";
const survey = (lines: readonly string[], large: string): Value =>
  [`${lines.length} harbours`, ...lines.map((line, i) => `${i + 1}. ${line}`), `Large ships: ${large}`].join("\n");

/** For each folder the runs of its README, in their order. */
export const EXPECTED_RUNS: { readonly [folder: string]: readonly ExpectedRun[] } = {
  "ci-pipeline": [
    { outputs: { summary: "tests: success, lint: success\nin production", lint_says: "clean", production: true } },
    { outputs: { summary: "tests: success, lint: success\non staging", lint_says: "clean", production: false } },
  ],
  "config-wizard": [
    {
      answers: { begin: "yes", kind: "2", name: "tide-clock", agree: "y" },
      outputs: { file: "projects/tide-clock/settings.json", written: true },
    },
  ],
  "deployment-approval": [
    {
      answers: { approve: "yes" },
      outputs: { approved: true, deployed: true, log: "harbour-site is live on production", problem: null },
    },
    { outputs: { approved: null, deployed: null, log: null, problem: "Not deployed: 1 of 3 tests failed" } },
  ],
  "follow-up-form": [
    {
      answers: {
        booking: { name: "Ada", berths: 1, deck: "Upper", car: true },
        car: { plate: "WP 26", length: 4.5 },
      },
      outputs: { ticket: "Ada: 1 berth, upper deck, car WP 26 (4.5 m)" },
    },
  ],
  "http-retry": [{ outputs: { tides: TIDES, attempts: 3 } }],
  "letter-files": [
    {
      outputs: { letter: "Dear Grace,\nwe meet at the boat house. Grace, bring oars!\n", signature: "", edits: 3 },
    },
  ],
  "parallel-survey": [
    {
      outputs: {
        report: survey(
          ["Esbjerg: 10 m", "Cuxhaven: 15 m", "Harwich: 9 m", "Zeebrugge: 16 m", "Lerwick: 12 m"],
          "Cuxhaven, Zeebrugge, Lerwick",
        ),
        surveyed: 5,
      },
    },
    { outputs: { report: survey(["Hook: 17 m"], "Hook"), surveyed: 1 } },
  ],
  "project-check": [
    { answers: { sign_off: "yes" }, outputs: { summary: "3 tools", signed_off: true } },
    { answers: { sign_off: "no" }, outputs: { summary: "2 tools, no no-such-tool", signed_off: false } },
  ],
  reminder: [
    {
      answers: { done: "no" },
      outputs: { done: false, last_word: "Still to do: Water the plants" },
      like: { reminded_at: /^\d{4}-\d\d-\d\dT/ },
    },
  ],
  "state-document": [
    {
      outputs: { log: { boat: "Marlin", today: { weather: "fair", wind: 4, miles: 31 } }, remark: "A long day." },
    },
  ],
  "tool-catalogue": [{ outputs: { tool: "count-lines" }, like: { result: /^\s*3\n$/ } }],
};

/** Expects of a run what the list says. */
export function expectOutputs(outputs: Values | undefined, { outputs: exact, like = {} }: ExpectedRun): void {
  expect(outputs).toEqual({ ...exact, ...Object.fromEntries(Object.keys(like).map((name) => [name, expect.anything()])) });
  for (const [name, pattern] of Object.entries(like)) expect(outputs?.[name]).toMatch(pattern);
}
