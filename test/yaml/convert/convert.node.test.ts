import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { drive } from "./drive.ts";
import { convertForm } from "../../../src/yaml/convert/index.ts";
import { createExecutor } from "../../../src/index.ts";
import type { Values } from "../../../src/core/model/value.ts";
import { memoryStore } from "../../../src/store/memory.ts";
import { checkWorkflow, loadWorkflow } from "../../../src/yaml/index.ts";

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`./forms/${name}.json`, import.meta.url), "utf8"));
const claim = read("claim.surveyjs");
const bmi = read("bmi.fhir");
const parking = read("parking.govuk");
const visit = read("visit.rjsf");
const household = read("household.surveyjs");
const intake = read("intake.fhir");
const permit = read("permit.govuk");
const order = read("order.rjsf");

describe.each(Object.entries({ claim, bmi, parking, visit, household, intake, permit, order }))("the form %s", (name, form) => {
  test("becomes a workflow without problems", async () => {
    const { yaml, notes } = convertForm(JSON.stringify(form));
    expect((await checkWorkflow(yaml)).problems).toEqual([]);
    await expect(`${yaml}\n${notes.map(({ pointer, message }) => `# ${pointer}: ${message}\n`).join("")}`).toMatchFileSnapshot(
      `forms/${name}.yaml`,
    );
  });
});

describe("a FHIR Questionnaire", () => {
  const who = { q_1_1: "Ada", q_1_3: "yes" };
  const body = { q_2_1: 170, q_2_2: 64, q_2_4: [] };

  test("asks a page whose condition holds, by answers of earlier pages", async () => {
    const heavy = await drive(bmi, { who: { ...who, q_1_4: 20 }, body, advice: { q_3_1: true } });
    expect(heavy.asked).toEqual(["who", "body", "advice"]);
    expect(heavy.outputs).toMatchObject({ q_1_1: "Ada", q_1_4: 20, q_2_2: 64, q_3_1: true });
  });

  test("and leaves it out where it does not, also where the question was not asked", async () => {
    const light = await drive(bmi, { who: { q_1_1: "Ada", q_1_3: "no" }, body });
    expect(light.asked).toEqual(["who", "body"]);
    expect(light.outputs).toMatchObject({ q_1_4: null, q_3_1: null });
  });
});

describe("a GOV.UK form", () => {
  test("takes the way that its condition says, and meets again", async () => {
    const car = await drive(parking, { kind: { kind: "car" }, car: { plate: "AB 123" }, done: { agree: true } });
    expect(car.asked).toEqual(["kind", "car", "done"]);
    const address = { street: "Quay 1", postal_code: "1", city: "Hove", country: "UK" };
    const bytes = new Uint8Array([1]);
    const proof = [{ name: "a.pdf", type: "application/pdf", size: 1, bytes }];
    const van = await drive(parking, { kind: { kind: "van" }, company: { address, days: ["mon"], proof }, done: { agree: true } } as never);
    expect(van.asked).toEqual(["kind", "company", "done"]);
    expect(van.outputs).toMatchObject({ plate: null, days: ["mon"], agree: true });
  });
});

describe("forms with much in them come to their end", () => {
  test("SurveyJS: an earlier answer in a text, a table, and a review", async () => {
    const people = { name: "Ada", adults: 2, own: "yes" };
    const members = [{ first: "Grace", age: 40, job: "Admiral" }];
    const more = { sat: { noise: 1, green: 2 }, nps: 10 };
    const { asked, outputs } = await drive(household, { p1: people, p2: { members, cars: [] }, p3: more, p3_2: { zip: "1" } });
    expect(asked).toEqual(["p1", "p2", "p3", "p3_2", "review"]);
    expect(outputs).toMatchObject({ ...people, members: [{ ...members[0], rel: null }], ...more, zip: "1" });
    expect((await drive(household, { p1: { ...people, adults: 1 }, p3: more })).asked).toEqual(["p1", "p3", "p3_2", "review"]);
  });

  test("SurveyJS: the page shows the answer that its text repeats", async () => {
    const run = await createExecutor({ store: memoryStore() }).start(loadWorkflow(convertForm(JSON.stringify(household)).yaml));
    await run.answer((await run.settled()).pauses![0]!.id, { name: "Ada {adults} ${x}", adults: 1, own: "no" });
    const { properties = {} } = run.getSnapshot().pauses[0]!.schema;
    expect(properties["comment"]!.title).toBe("Anything else, Ada {adults} ${x}?");
  });

  test("SurveyJS: all rows are asked of a table that asks for all", async () => {
    const wrong = drive(household, { p1: { name: "Ada", adults: 1, own: "yes" }, p3: {} });
    await expect(wrong).rejects.toThrow('"code":"required"');
  });

  test("GOV.UK: a review with its declaration, messages and kinds of files", async () => {
    const bytes = new Uint8Array([1]);
    const file = [{ name: "a.pdf", type: "application/pdf", size: 1, bytes }];
    const evidence = { file, my: "2020-01", email: "a@b.test", why: "So", time: "10:00", dec: true };
    const addr = { street: "Quay 1", postal_code: "1", city: "Hove", country: "UK" };
    const pages = { name: { fullName: "Ada", addr }, resident: { resident: true }, evidence, summary: { declared: true } };
    const vehicles = { vehicles: [{ reg: "AB 1", fuel: "petrol" }] };
    expect((await drive(permit, { ...pages, vehicles } as never)).asked).toEqual(["name", "resident", "vehicles", "evidence", "summary"]);
    const undeclared = drive(permit, { ...pages, vehicles, evidence: { ...evidence, dec: false } } as never);
    await expect(undeclared).rejects.toThrow("Tick “Declaration”.");
    await expect(drive(permit, { ...pages, name: { fullName: "", addr } } as never)).rejects.toThrow("Enter your full name");
    const text = [{ ...file[0]!, type: "text/plain", name: "a.txt" }];
    await expect(drive(permit, { ...pages, vehicles, evidence: { ...evidence, file: text } } as never)).rejects.toThrow("contentMediaType");
  });

  test("FHIR: a condition on a question with several answers holds where one of them is meant", async () => {
    const first = { q_1_1: "Ada", q_1_2: "2000-01-01", q_1_3: false };
    const loose = { q_3: ["N", "Y"], q_4: "North", q_6: "1", q_15: "Shown" };
    const { asked, outputs } = await drive(intake, { q_1: first, questions: loose, questions_2: {} });
    expect(asked).toEqual(["q_1", "questions", "questions_2"]);
    expect(outputs).toMatchObject({ q_15: "Shown" });
    const no = await drive(intake, { q_1: first, questions: { ...loose, q_3: ["N"], q_6: "0" } });
    expect(no).toMatchObject({ asked: ["q_1", "questions"], outputs: { q_15: null } });
  });

  test("react-jsonschema-form: a branch and a list", async () => {
    const form = { name: "Ada", delivery: "shop", shop: "Hove", items: [{ sku: "1", opts: [{ value: "a" }] }], agree: true };
    const { outputs } = await drive(order, { form });
    expect(outputs).toMatchObject({ shop: "Hove", pension: null, agree: true });
  });
});

describe("days, times and units", () => {
  test.each<[tool: string, form: object, fields: readonly object[], notes: readonly string[]]>([
    [
      "SurveyJS",
      {
        elements: [
          { type: "text", name: "at", inputType: "time" },
          { type: "text", name: "until", inputType: "month" },
          { type: "text", name: "day", inputType: "date", min: "2026-01-01", max: "=today()" },
        ],
      },
      [{ format: "time" }, { format: "month" }, { format: "date", min: "2026-01-01" }],
      ["/elements/2/max"],
    ],
    [
      "FHIR",
      {
        resourceType: "Questionnaire",
        item: [
          { linkId: "at", type: "time", text: "At" },
          {
            linkId: "weight",
            type: "decimal",
            text: "Weight",
            extension: [
              { url: "http://hl7.org/fhir/StructureDefinition/questionnaire-unit", valueCoding: { code: "kg", display: "kilograms" } },
              { url: "http://hl7.org/fhir/StructureDefinition/minValue", valueDecimal: 0.5 },
              { url: "http://hl7.org/fhir/StructureDefinition/maxValue", valueDecimal: 400 },
            ],
          },
          {
            linkId: "day",
            type: "date",
            extension: [
              { url: "http://hl7.org/fhir/StructureDefinition/minValue", valueDate: "2026-01-01" },
              { url: "http://hl7.org/fhir/StructureDefinition/maxValue", valueDate: "2026" },
            ],
          },
        ],
      },
      [{ format: "time" }, { type: "number", unit: "kilograms", minimum: 0.5, maximum: 400 }, { format: "date", min: "2026-01-01" }],
      ["/item/2"],
    ],
    [
      "GOV.UK",
      {
        pages: [
          {
            path: "/when",
            components: [
              { type: "MonthYearField", name: "until", title: "Until" },
              { type: "TimeField", name: "at", title: "At" },
              { type: "NumberField", name: "weight", title: "Weight", options: { suffix: "kg" } },
              { type: "DatePartsField", name: "day", title: "Day", options: { maxDaysInPast: "0", maxDaysInFuture: 30 } },
            ],
          },
        ],
      },
      [{ format: "month" }, { format: "time" }, { type: "number", unit: "kg" }, { format: "date", min: "today-0d", max: "today+30d" }],
      [],
    ],
    [
      "react-jsonschema-form",
      { schema: { type: "object", properties: { at: { type: "string", format: "time" } } } },
      [{ format: "time" }],
      [],
    ],
  ])("of %s are carried over", async (_, form, fields, notes) => {
    const converted = convertForm(JSON.stringify(form));
    expect((await checkWorkflow(converted.yaml)).problems).toEqual([]);
    const [block] = loadWorkflow(converted.yaml).blocks;
    const written = (block!.inputs as Values)["fields"] as readonly Values[];
    expect(written.map(({ name: _name, title: _title, required: _required, ...kind }) => kind)).toEqual(fields);
    expect(converted.notes.map(({ pointer }) => pointer)).toEqual(notes);
  });
});

describe("what is no form", () => {
  test.each(["", "{", "[]", "null", "<survey/>", '{"pages": 3}', `"${"x".repeat(50)}"`, '{"schema": {"type": "string"}}'])(
    "is refused: %j",
    (text) => expect(() => convertForm(text)).toThrow(expect.objectContaining({ code: "FORM_UNKNOWN" }) as Error),
  );
});

describe("texts of a form", () => {
  test("are never references", async () => {
    const form = { elements: [{ type: "text", name: "a", title: "Hello ${inputs.secret}", defaultValue: "${blocks.x}" }] };
    const { yaml } = convertForm(JSON.stringify(form));
    expect((await checkWorkflow(yaml)).problems).toEqual([]);
    const run = await createExecutor({ store: memoryStore() }).start(loadWorkflow(yaml));
    const { pauses } = await run.settled();
    expect(pauses![0]!.schema.properties!["a"]).toMatchObject({ title: "Hello ${inputs.secret}", default: "${blocks.x}" });
  });

  test("with quotation marks and dollar signs stand in conditions as they are", async () => {
    const odd = `it's "5$" \\ \${x}`;
    const form = {
      elements: [
        { type: "radiogroup", name: "a", isRequired: true, choices: [odd, "no"] },
        { type: "text", name: "b", visibleIf: `{a} = '${odd.replaceAll("\\", "\\\\").replaceAll("'", String.raw`\'`)}'` },
      ],
    };
    const answers = { form: { a: odd, b: "shown" } };
    expect((await drive(form, answers)).outputs).toEqual({ a: odd, b: "shown" });
    expect((await drive(form, { form: { a: "no", b: "dropped" } })).outputs).toEqual({ a: "no", b: null });
  });
});

test("random documents with the words of forms are converted or refused, and never fail otherwise", () => {
  const words = [
    "type",
    "name",
    "pages",
    "elements",
    "item",
    "linkId",
    "text",
    "components",
    "path",
    "next",
    "list",
    "properties",
    "enum",
    "oneOf",
    "$ref",
  ];
  const values = [
    "group",
    "choice",
    "matrixdynamic",
    "paneldynamic",
    "RadiosField",
    "object",
    "array",
    "#/properties/a",
    "Questionnaire",
    "{a} = 1",
  ];
  const { document } = fc.letrec((tie) => ({
    document: fc.dictionary(fc.oneof(fc.constantFrom(...words), fc.string()), tie("value"), { maxKeys: 6 }),
    value: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(fc.constantFrom(...values), fc.jsonValue({ maxDepth: 1 })),
      tie("document"),
      fc.array(tie("document"), { maxLength: 4 }),
    ),
  }));
  fc.assert(
    fc.property(document, fc.constantFrom("item", "pages", "elements", "properties"), fc.boolean(), (form, key, isFhir) => {
      const { [key]: inside = [] } = form as { [key: string]: unknown };
      const whole = { ...(form as object), ...(isFhir ? { resourceType: "Questionnaire" } : {}), [key]: inside };
      try {
        convertForm(JSON.stringify(whole));
      } catch (error) {
        expect(error).toMatchObject({ code: "FORM_UNKNOWN" });
      }
    }),
    { numRuns: 300 },
  );
});

describe("choices with a text of your own", () => {
  const survey = (choices: readonly unknown[], visibleIf = "{wood} = 'other'") => ({
    title: "s",
    elements: [
      { type: "radiogroup", name: "wood", isRequired: true, choices, showOtherItem: true, otherText: "Another" },
      { type: "checkbox", name: "more", choices, hasOther: true },
      { type: "text", name: "why", visibleIf },
    ],
  });

  test("are those of SurveyJS, whose conditions on the other one hold for any text", async () => {
    const { yaml, notes } = convertForm(JSON.stringify(survey(["larch", { value: "oak", text: "Oak" }])));
    expect(notes).toEqual([]);
    expect(loadWorkflow(yaml).blocks[0]!.inputs!["fields"]).toMatchObject([
      { name: "wood", other: "Another" },
      { name: "more", type: "array", other: true },
      { name: "why", show_if: 'not ${fields.wood} in [null, "larch", "oak"]' },
    ]);
    const { outputs } = await drive(survey(["larch", "oak"]), { form: { wood: "yew", more: ["oak", "ash"], why: "It bends." } });
    expect(outputs).toEqual({ wood: "yew", more: ["oak", "ash"], why: "It bends." });
    expect((await drive(survey(["larch"]), { form: { wood: "larch", why: "It grows." } })).outputs).toMatchObject({ why: null });
  });

  test("are reported as lost where the choices are no texts", () => {
    const { notes } = convertForm(JSON.stringify(survey([1, 2], "{wood} = 1")));
    expect(notes.map(({ message }) => message)).toEqual(
      Array(2).fill("Other answers are texts, and its choices are not. They are left out."),
    );
  });

  test.each([{ type: "open-choice" }, { type: "coding", answerConstraint: "optionsOrString" }])("are those of FHIR: %j", async (kind) => {
    const answerOption = [{ valueCoding: { code: "a", display: "Aspirin" } }, { valueString: "None" }];
    const item = [{ linkId: "drug", ...kind, required: true, answerOption }];
    const { yaml, notes } = convertForm(JSON.stringify({ resourceType: "Questionnaire", item }));
    expect(notes).toEqual([]);
    expect(loadWorkflow(yaml).blocks[0]!.inputs!["fields"]).toMatchObject([
      { other: true, enum: [{ value: "a", title: "Aspirin" }, "None"] },
    ]);
  });
});

test("a question whose condition looks at another page has a page of its own with it", async () => {
  const form = {
    pages: [
      { name: "kind", elements: [{ type: "text", name: "kind", isRequired: true }] },
      {
        name: "rest",
        elements: [
          { type: "text", name: "name", isRequired: true },
          { type: "text", name: "why", isRequired: true, visibleIf: "{kind} = 'a'" },
          { type: "text", name: "when", visibleIf: "{why} notempty" },
          { type: "text", name: "where", visibleIf: "{kind} = 'a'" },
        ],
      },
    ],
  };
  const { notes } = convertForm(JSON.stringify(form));
  expect(notes.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    "/pages/1/elements/1 Its condition looks at another page, so it is asked on a page of its own, rest_2.",
    "/pages/1/elements/2 Its condition looks at another page, so it is asked on a page of its own, rest_3.",
    "/pages/1/elements/3 Its condition looks at another page, so it is asked on a page of its own, rest_2.",
  ]);
  const pages = { kind: { kind: "a" }, rest: { name: "Ada" }, rest_2: { why: "So." }, rest_3: { when: "Now" } };
  expect((await drive(form, pages)).asked).toEqual(["kind", "rest", "rest_2", "rest_3"]);
  const other = await drive(form, { ...pages, kind: { kind: "b" } });
  expect(other).toEqual({ asked: ["kind", "rest"], outputs: { kind: "b", name: "Ada", why: null, when: null, where: null } });
});

test("objects deeper than forms go, and those without members, are left out and named", () => {
  const node = {
    type: "object",
    properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#/definitions/node" } } },
  };
  const extra = { type: "object", additionalProperties: { type: "string" } };
  const { yaml, notes } = convertForm(
    JSON.stringify({ schema: { type: "object", definitions: { node }, properties: { tree: { $ref: "#/definitions/node" }, extra } } }),
  );
  expect(loadWorkflow(yaml).name).toBe("form");
  expect(notes.map(({ pointer }) => pointer)).toEqual([
    "/schema/properties/tree/properties/children/items/properties/children",
    "/schema/properties/extra",
  ]);
});

describe("a GOV.UK form", () => {
  const is = { field: { name: "cars" }, operator: "is more than", value: { type: "Value", value: "1" } };
  const form = {
    pages: [
      {
        path: "/cars",
        components: [{ type: "NumberField", name: "cars", schema: { integer: true } }],
        next: [{ path: "/note", condition: "many" }, { path: "/sorry" }],
      },
      { path: "/note", components: [{ type: "Para", content: "Have the papers ready." }], next: [{ path: "/more" }] },
      {
        path: "/more",
        controller: "RepeatPageController",
        repeat: { options: { name: "papers", title: "Papers" }, schema: { min: 1, max: 3 } },
        components: [{ type: "TextField", name: "reg", schema: { length: 7 } }],
        next: [],
      },
      { path: "/sorry", components: [{ type: "Para", content: "No." }], next: [] },
      { path: "/summary", controller: "SummaryPageController", components: [] },
    ],
    conditions: [{ name: "many", value: { name: "many", conditions: [is] } }],
  };

  test("compares numbers with numbers, leads past a page without questions, and asks again in a list", async () => {
    const { notes } = convertForm(JSON.stringify(form));
    expect(notes.map(({ pointer }) => pointer)).toEqual(["/pages/1"]);
    const papers = [{ reg: "AB12CDE" }, { reg: "XY99ZZZ" }];
    expect(await drive(form, { cars: { cars: 2 }, more: { papers } })).toEqual({
      asked: ["cars", "more", "summary"],
      outputs: { cars: 2, papers },
    });
    // A page that ends the form is shown, and nothing is asked behind it.
    expect(await drive(form, { cars: { cars: 1 }, sorry: "End" })).toEqual({
      asked: ["cars", "sorry"],
      outputs: { cars: 1, papers: null },
    });
  });

  test("ends where its page says so, also by a way with a condition", async () => {
    const few = { name: "few", value: { conditions: [{ field: { name: "cars" }, operator: "is less than", value: { value: "1" } }] } };
    const next = [{ path: "/many" }, { path: "/sorry", condition: "few" }];
    const pages = [
      { path: "/cars", components: [{ type: "NumberField", name: "cars" }], next },
      { path: "/sorry", title: "You need a car", components: [{ type: "Html", content: "<p>Ask <b>us</b>.</p>" }], next: [] },
      { path: "/many", components: [{ type: "TextField", name: "why" }], next: [] },
      { path: "/summary", controller: "SummaryPageController", components: [] },
    ];
    const ending = { pages, conditions: [few] };
    expect(convertForm(JSON.stringify(ending)).yaml).toContain("You need a car\n\n        Ask us.");
    expect((await drive(ending, { cars: { cars: 0 }, sorry: "End" })).asked).toEqual(["cars", "sorry"]);
    expect((await drive(ending, { cars: { cars: 2 }, many: { why: "So" } })).asked).toEqual(["cars", "many", "summary"]);
  });

  test("keeps the answers of questions with the same name, and compares the one that a condition means", async () => {
    const person = [{ type: "TextField", name: "first" }];
    const isAda = { field: { name: "two.first" }, operator: "is", value: { value: "Ada" } };
    const twice = {
      pages: [
        { path: "/one", section: "one", components: person, next: [{ path: "/two" }] },
        { path: "/two", section: "two", components: structuredClone(person), next: [{ path: "/ada", condition: "ada" }] },
        { path: "/ada", components: [{ type: "YesNoField", name: "known" }], next: [] },
      ],
      conditions: [{ name: "ada", value: { conditions: [isAda] } }],
    };
    expect(convertForm(JSON.stringify(twice)).notes).toEqual([
      { pointer: "/pages/1/components/0", message: "Another question has its name. Here it is first_2." },
    ]);
    const given = { one: { first: "Bo" }, two: { first_2: "Ada" }, ada: { known: true } };
    expect((await drive(twice, given)).outputs).toEqual({ first: "Bo", first_2: "Ada", known: true });
    const other = { ...given, one: { first: "Ada" }, two: { first_2: "Bo" } };
    expect((await drive(twice, other)).asked).toEqual(["one", "two"]);
  });

  test("asks what a choice reveals, and takes lists of numbers", async () => {
    const items = [
      { text: "One", value: 1 },
      { text: "More", value: 2, conditional: { components: [{ type: "NumberField", name: "count", title: "How many?" }] } },
    ];
    const revealing = {
      pages: [{ path: "/a", components: [{ type: "RadiosField", name: "how", list: "l" }] }],
      lists: [{ name: "l", items }],
    };
    expect(convertForm(JSON.stringify(revealing)).notes).toEqual([]);
    expect((await drive(revealing, { a: { how: 1, count: 9 } })).outputs).toEqual({ how: 1, count: null });
    expect((await drive(revealing, { a: { how: 2, count: 9 } })).outputs).toEqual({ how: 2, count: 9 });
    await expect(drive(revealing, { a: { how: 2 } })).rejects.toThrow("/count");
  });
});
