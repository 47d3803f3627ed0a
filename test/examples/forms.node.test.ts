import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createExecutor, type Answer, type Values } from "wavepoint";
import { allowHosts } from "wavepoint/network";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";
import { expect, onTestFinished, test } from "vitest";
import { FORMS } from "../../examples/forms/forms.ts";
import { EXAMPLES } from "./readme-lines.ts";

/** Answers by the blocks that ask, in their order, and what comes of them. */
interface Walk {
  readonly title: string;
  readonly form: string;
  readonly answers: readonly (readonly [block: string, answer: Answer])[];
  readonly outputs: { readonly [name: string]: Answer };
  readonly inputs?: () => Promise<Values>;
}

const FOLDER = `${EXAMPLES}forms/`;
const TROUBLES = ["interest", "mood", "sleep", "energy", "appetite", "worth", "focus", "pace", "harm"];
const file = (name: string, type: string) => ({ name, type, size: 3, bytes: new Uint8Array([1, 2, 3]) });
const troubled = (by: Values) => ({ troubles: { ...Object.fromEntries(TROUBLES.map((name) => [name, 0])), ...by } });

const WALKS: readonly Walk[] = [
  {
    title: "without troubles asks nothing more",
    form: "phq-9",
    answers: [["weeks", troubled({})]],
    outputs: { points: 0, severity: "minimal", your_days: null, call_today: null },
  },
  {
    title: "with thoughts of harm offers a call, and asks how hard it is",
    form: "phq-9",
    answers: [
      ["weeks", troubled({ mood: 3, sleep: 3, energy: 3, harm: 1 })],
      ["help", "yes"],
      ["life", { hard: "Very hard" }],
    ],
    outputs: { points: 10, severity: "moderate", your_days: "Very hard", call_today: true },
  },
  {
    title: "in metric units",
    form: "body-mass",
    answers: [["person", { name: "Ada", born: "1980-05-01", units: "metric", cm: 170, kg: 65 }]],
    outputs: { body_mass_index: 22.5, this_means: "normal" },
  },
  {
    title: "in imperial units, what was typed for the others dropped",
    form: "body-mass",
    answers: [["person", { name: "Ada", born: "1980-05-01", units: "imperial", cm: 170, feet: 5, inches: 7, pounds: 190 }]],
    outputs: { body_mass_index: 29.8, this_means: "overweight" },
  },
  {
    title: "with rows, some of which have one field more",
    form: "equipment",
    answers: [
      [
        "order",
        {
          team: "Docks",
          items: [
            { what: "Chair", count: 4, price: 19990 },
            { what: "Something else", which: "A crane", price: 90000, urgent: true },
          ],
        },
      ],
      ["approve", "yes"],
    ],
    outputs: { total_in_euros: "1699.60", needed_this_month: 1, sent_on: true },
  },
  {
    title: "with choices from a service",
    form: "harbour",
    inputs: async () => ({ address: await serveHarbours() }),
    answers: [["trip", { from: "DEKEL", to: "NOOSL" }]],
    outputs: { from: "Kiel", to: "Oslo" },
  },
  {
    title: "with groups in groups",
    form: "developer",
    answers: [
      [
        "entry",
        {
          name: "Ada",
          level: 3,
          home: { town: "Oslo", country: "Norway" },
          languages: ["TypeScript", "Rust"],
          projects: [{ title: "Tides", tasks: [{ what: "Moon", done: true }] }],
        },
      ],
    ],
    outputs: {
      name: "Ada",
      home: { town: "Oslo", country: "Norway" },
      projects: [{ title: "Tides", tasks: [{ what: "Moon", done: true }] }],
    },
  },
  {
    title: "ends early for a child",
    form: "fishing-licence",
    // A day that has been everywhere.
    answers: [["age", { born: new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10) }]],
    outputs: { fee: null, full_name: null, licence: "You need no licence." },
  },
  {
    title: "asks for all, and once more for a look at it",
    form: "fishing-licence",
    answers: [
      ["age", { born: "1950-01-31" }],
      ["kind", { length: "year" }],
      [
        "person",
        {
          name: "Ada Lovelace",
          address: { street: "1 Quay", postal_code: "DN1 1AA", city: "Doncaster", country: "England" },
          news: ["E-mail"],
          email: "ada@example.com",
        },
      ],
      ["check", { declared: true }],
    ],
    outputs: { fee: "24 pounds", full_name: "Ada Lovelace", licence: null },
  },
  {
    title: "with a thing that lacks a receipt, photographs and a signature",
    form: "water-damage",
    answers: [
      ["event", { policy: "AB123456", day: "2026-11-02", cause: "machine", machine: "The washer", stopped: true, story: "It leaked." }],
      [
        "loss",
        {
          things: [
            { what: "Piano", value: 420000 },
            { what: "Carpet", value: 65050, receipt: file("carpet.pdf", "application/pdf") },
          ],
          photos: [file("hall.jpg", "image/jpeg")],
        },
      ],
      ["proof", "A photograph of last year"],
      ["pay", { holder: "Ada", iban: "DE02120300000000202051", signature: file("signature.png", "image/png") }],
      ["check", { declared: true }],
    ],
    outputs: {
      you_claim: "4850.50 euros",
      you_can_show: "A photograph of last year",
      declared: true,
      photographs: [file("hall.jpg", "image/jpeg")],
    },
  },
  {
    title: "with guests, extras and a voucher",
    form: "music-camp",
    answers: [
      [
        "stay",
        {
          arrives: "2027-07-03",
          leaves: "2027-07-10",
          people: [
            { name: "Ada", born: "1985-02-01", plays: "Strings" },
            { name: "Bo", born: "2018-02-01", plays: "Piano" },
          ],
        },
      ],
      ["extras", { room: 25, extras: [30, 80], voucher: "lake27" }],
      ["book", "yes"],
    ],
    outputs: { nights: 7, total: "823.50 euros", booked: true },
  },
  {
    title: "of someone who takes medicines and has an allergy",
    form: "medical-history",
    answers: [
      [
        "history",
        {
          name: "Ada",
          born: "1985-02-01",
          pregnant: "No",
          takes: true,
          medicines: [{ name: "Ibuprofen", often: "When needed", reason: "Headaches" }],
          allergic: true,
          allergies: ["Nuts", "Wool"],
          shock: false,
          smokes: "Not any more",
          stopped: 2010,
          cigarettes: 20,
          ill: ["Diabetes"],
          diabetes: "Type 1",
          insulin: true,
        },
      ],
    ],
    outputs: {
      name: "Ada",
      allergies: ["Nuts", "Wool"],
      insulin: true,
      medicines: [{ name: "Ibuprofen", often: "When needed", reason: "Headaches" }],
      cigarettes: null,
    },
  },
  {
    title: "from a guest who was not happy",
    form: "feedback",
    answers: [
      [
        "visit",
        {
          stars: 2,
          why: "Cold water",
          parts: { staff: 3, rooms: 1, food: 2 },
          first: ["quiet", "wifi", "late"],
          answer: false,
        },
      ],
    ],
    outputs: { stars: 2, why: "Cold water", first: "quiet", email: null },
  },
];

const WRONG: readonly { readonly form: string; readonly block: string; readonly answer: Answer; readonly fields: Values }[] = [
  {
    form: "water-damage",
    block: "event",
    answer: { policy: "12", day: "2026-11-02", noticed: "2026-11-01", cause: "machine", stopped: true, story: "It leaked." },
    fields: {
      policy: "Enter two letters and six digits, like AB123456.",
      machine: "Enter an answer.",
      noticed: "You cannot have noticed it before it happened.",
    },
  },
  {
    form: "music-camp",
    block: "stay",
    answer: { arrives: "2027-05-03", leaves: "2027-05-03", people: [] },
    fields: {
      arrives: "Choose a day from June to September 2027.",
      leaves: "The departure comes after the arrival.",
      people: "Enter at least 1 and at most 6 items.",
    },
  },
];

test("the page names all forms of the folder", () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"));
  expect(Object.keys(FORMS).toSorted()).toEqual(names.map((name) => name.slice(0, -".yaml".length)).toSorted());
  expect(new Set(WALKS.map(({ form }) => form)).size).toBe(names.length);
});

test.each(WALKS)("$form, $title", async ({ form, inputs, answers, outputs }) => {
  const run = await start(form, await inputs?.());
  for (const [block, answer] of answers) {
    const [asked] = (await paused(run)).pauses;
    expect(asked?.path).toEqual([block]);
    const result = await run.answer(asked!.id, answer);
    expect(result.error).toBeUndefined();
  }
  expect(await run.settled()).toMatchObject({ status: "success", outputs });
});

test.each(WRONG)("$form says all that is wrong with $block at once", async ({ form, block, answer, fields }) => {
  const run = await start(form);
  const [asked] = (await paused(run)).pauses;
  expect(asked?.path).toEqual([block]);
  const { error } = await run.answer(asked!.id, answer);
  expect(error?.details?.["fields"]).toEqual(fields);
});

async function start(form: string, inputs: Values = {}) {
  const text = readFileSync(`${FOLDER}${form}.yaml`, "utf8");
  const executor = createExecutor({
    store: memoryStore(),
    workflows: [loadWorkflow(text, { source: `${form}.yaml` })],
    grants: inputs["address"] === undefined ? {} : { network: allowHosts([new URL(String(inputs["address"])).host]) },
  });
  onTestFinished(() => executor.close());
  return executor.start(form, inputs);
}

async function paused(run: Awaited<ReturnType<typeof start>>) {
  const result = await run.settled();
  if (result.status !== "paused") throw new Error(`The run is ${result.status}: ${result.error?.message ?? ""}`);
  return result;
}

/** A service that knows the harbours. */
async function serveHarbours(): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(readFileSync(`${FOLDER}harbours.json`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
