/* oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema */
import { describe, expect, test } from "vitest";
import { convertForm } from "../../../src/yaml/convert/index.ts";
import type { Values } from "../../../src/core/model/value.ts";
import { checkWorkflow, loadWorkflow } from "../../../src/yaml/index.ts";
import { drive } from "./drive.ts";

/** The lines of the first form that is made of a document, which has no problems, with what was noted. */
async function linesOf(form: unknown) {
  const { yaml, notes } = convertForm(JSON.stringify(form));
  expect((await checkWorkflow(yaml)).problems, yaml).toEqual([]);
  const inputs = loadWorkflow(yaml).blocks.find(({ type }) => type === "Form")!.inputs as Values;
  return {
    fields: inputs["fields"] as readonly Values[],
    rules: inputs["rules"] as readonly Values[] | undefined,
    notes: notes.map(({ pointer, message }) => `${pointer} ${message}`),
  };
}

describe("a survey of SurveyJS", () => {
  const booking = {
    elements: [
      { type: "radiogroup", name: "how", isRequired: true, choices: ["train", "car"] },
      { type: "text", name: "plate", title: "Plate", requiredIf: "{how} = 'car'", requiredErrorText: "Enter the plate." },
      { type: "text", name: "seat", enableIf: "{how} = 'train'" },
      {
        type: "paneldynamic",
        name: "guests",
        templateElements: [
          { type: "text", name: "name", isRequired: true },
          { type: "boolean", name: "eats", labelTrue: "Eats along", labelFalse: "Does not" },
          { type: "text", name: "diet", visibleIf: "{panel.eats} = true", requiredIf: "{how} = 'train'" },
        ],
      },
      {
        type: "matrixdynamic",
        name: "bags",
        columns: [
          { name: "size", cellType: "dropdown", choices: [1, 2, 3] },
          { name: "why", cellType: "text", requiredIf: "{row.size} > 2" },
        ],
      },
    ],
  };

  test("tells that the words of its buttons are left out, and how to ask for a range", async () => {
    const { fields, notes } = await linesOf({
      completeText: "Send it off",
      pageNextText: { default: "Go on", de: "Weiter" },
      elements: [
        { type: "text", name: "who" },
        { type: "slider", name: "age", sliderType: "range", max: 120 },
      ],
    });
    const words = "The words of buttons belong to the page: give them to the element as its messages.";
    expect(notes).toEqual([
      `/completeText ${words}`,
      `/pageNextText ${words}`,
      "/elements/1 A range has two ends: write a number field for each. It is left out.",
    ]);
    expect(fields).toHaveLength(1);
  });

  test("requires an answer under its condition, in groups and tables too", async () => {
    const { fields, rules, notes } = await linesOf(booking);
    expect(notes).toEqual(["/elements/2/enableIf It is shown only while it can be answered."]);
    expect(rules).toMatchObject([{ field: "plate", message: "Enter the plate." }]);
    expect(fields[3]).toMatchObject({
      fields: [
        { name: "name" },
        {
          type: "boolean",
          enum: [
            { value: true, title: "Eats along" },
            { value: false, title: "Does not" },
          ],
        },
        { show_if: "${fields.eats} == true" },
      ],
      rules: [{ field: "diet", message: "Fill in this field." }],
    });
    const answer = { how: "car", plate: "AB 1", seat: "dropped", bags: [{ size: 2 }, { size: 3, why: "A tent" }] };
    expect((await drive(booking, { form: answer })).outputs).toMatchObject({ plate: "AB 1", seat: null });
    await expect(drive(booking, { form: { how: "car" } })).rejects.toThrow("Enter the plate.");
    await expect(drive(booking, { form: { ...answer, bags: [{ size: 3 }] } })).rejects.toThrow("/bags/0/why");
    const guests = [{ name: "Ada", eats: true }];
    await expect(drive(booking, { form: { how: "train", guests } })).rejects.toThrow("/guests/0/diet");
    expect((await drive(booking, { form: { ...answer, guests } })).outputs).toMatchObject({ how: "car" });
  });

  test("keeps choices of other types than texts, rows with any name, and values that are filled in", async () => {
    const { fields, notes } = await linesOf({
      elements: [
        { type: "dropdown", name: "kids", choices: [1, 2, { value: 3, text: "Three or more" }], defaultValue: "2" },
        { type: "checkbox", name: "sizes", choices: [1.5, 2.5], defaultValue: [1.5] },
        { type: "rating", name: "stars", rateMin: 0, rateMax: 20, defaultValue: "3" },
        { type: "matrix", name: "view", columns: ["good", "bad"], rows: ["does what it claims", { value: 2, text: "Two" }] },
        { type: "radiogroup", name: "mixed", choices: [1, "many"] },
        { type: "dropdown", name: "none", choices: [] },
        { type: "dropdown", name: "hours", choicesMin: 1, choicesMax: 3, hasNone: true },
        { type: "checkbox", name: "again", choicesFromQuestion: "kids" },
        { type: "boolean", name: "sure", valueTrue: "Yes", valueFalse: "No", defaultValue: "Yes" },
        { type: "text", name: "code", isRequired: true, defaultValue: "abcdef", validators: [{ type: "text", maxLength: 3 }] },
        { type: "text", name: "pin", placeholder: "4 digits", showCommentArea: true, commentText: "Why?" },
        { type: "slider", name: "share", max: 10 },
        { type: "text", name: "ghost", visible: false },
        { type: "text", name: "pin" },
      ],
    });
    expect(fields.map(({ title: _title, required: _required, ...field }) => field)).toEqual([
      { name: "kids", type: "integer", enum: [1, 2, { value: 3, title: "Three or more" }], default: 2 },
      { name: "sizes", type: "array", enum: [1.5, 2.5], default: [1.5] },
      { name: "stars", type: "integer", minimum: 0, maximum: 20, default: 3 },
      {
        name: "view",
        type: "object",
        format: "matrix",
        rows: [
          { value: "does_what_it_claims", title: "does what it claims" },
          { value: "q_2", title: "Two" },
        ],
        enum: ["good", "bad"],
      },
      { name: "mixed", enum: ["1", "many"] },
      { name: "none" },
      { name: "hours", enum: ["1", "2", "3", { value: "none", title: "None" }] },
      { name: "again", type: "array", enum: [1, 2, { value: 3, title: "Three or more" }] },
      { name: "sure", enum: ["Yes", "No"], default: "Yes" },
      { name: "code", max_length: 3 },
      { name: "pin", description: "4 digits" },
      { name: "pin_comment", format: "multiline" },
      { name: "share", type: "number", minimum: 0, maximum: 10 },
      { name: "pin_2" },
    ]);
    expect(notes).toEqual([
      "/elements/12 It is hidden until something else shows it, and is left out. Write a show_if for it.",
      "/elements/13 Another question has its name, and shared its answer. Here it has its own, pin_2.",
      "/elements/4 Its choices are of several types. They are texts here, and so are its answers.",
      '/elements/5 It has no choices of its own, so it is a text. Give it an "enum".',
      "/elements/6 Its choices are of several types. They are texts here, and so are its answers.",
      '/elements/9 What it begins with does not fit it, and is left out: "abcdef".',
    ]);
  });

  test("keeps choices that clear the others, and the name of a panel", async () => {
    const { fields, notes } = await linesOf({
      elements: [
        { type: "checkbox", name: "pets", choices: ["dog", { value: "no", text: "No pets", isExclusive: true }], showDontKnowItem: true },
        { type: "checkbox", name: "ages", choices: [1, 2], showNoneItem: true, noneText: "none" },
        { type: "radiogroup", name: "one", choices: ["dog"], showNoneItem: true },
        {
          type: "paneldynamic",
          name: "guests",
          templateTitle: "Guest #{panelIndex}",
          templateElements: [{ type: "text", name: "name" }],
        },
      ],
    });
    expect(fields.map(({ required: _required, ...field }) => field)).toMatchObject([
      {
        enum: ["dog", { value: "no", title: "No pets" }, { value: "dontknow", title: "Don't know" }],
        exclusive: ["no", "dontknow"],
      },
      { enum: ["1", "2", "none"], exclusive: ["none"] },
      { enum: ["dog", { value: "none", title: "None" }] },
      { item: "Guest" },
    ]);
    expect(fields[2]).not.toHaveProperty("exclusive");
    expect(notes).toEqual(["/elements/1 Its choices are of several types. They are texts here, and so are its answers."]);
  });

  test("compares answers as it did, and says where a text has no order", async () => {
    const { fields, notes } = await linesOf({
      elements: [
        { type: "dropdown", name: "kids", choices: [1, 2] },
        { type: "text", name: "age" },
        { type: "text", name: "a", visibleIf: "{kids} = '2'" },
        { type: "text", name: "b", visibleIf: "{age} >= 17" },
        { type: "text", name: "c", visibleIf: "{age} = 17" },
        { type: "html", html: "<p>For adults</p>", visibleIf: "{age} = 17" },
      ],
    });
    expect(fields.map(({ show_if: when }) => when)).toEqual([
      undefined,
      undefined,
      "${fields.kids} == 2",
      '${fields.age} != null and ${fields.age} >= "17"',
      '${fields.age} == "17"',
      undefined,
    ]);
    expect(notes).toEqual([
      "/elements/3 Its condition asks whether age is >= 17, and age is a text. Make it a number, a date or a time.",
      "/elements/5 What stands between questions is always shown: its condition is left out.",
    ]);
  });
});

describe("a schema of react-jsonschema-form", () => {
  const pets = {
    schema: {
      type: "object",
      required: ["pet"],
      properties: {
        pet: { type: "string", enum: ["dog", "cat", "none"], default: "none" },
        card: { type: "number" },
        adult: {
          type: "boolean",
          oneOf: [
            { const: true, title: "Of age" },
            { const: false, title: "Younger" },
          ],
        },
      },
      dependencies: {
        card: ["iban"],
        pet: {
          oneOf: [
            { properties: { pet: { enum: ["none"] } } },
            { properties: { pet: { enum: ["dog", "cat"] }, name: { type: "string" } }, required: ["name"] },
          ],
        },
      },
      allOf: [
        { properties: { iban: { type: "string", title: "IBAN" } } },
        { if: { properties: { adult: { const: true } } }, then: { properties: { wine: { type: "boolean" } } } },
      ],
    },
    uiSchema: {
      "ui:order": ["adult", "*", "card"],
      card: { "ui:placeholder": "16 digits", "ui:help": "On the front" },
      iban: { "ui:placeholder": "DE…", "ui:autocomplete": "off" },
      name: { "ui:widget": "petPicker", "ui:readonly": true },
    },
    formData: { pet: "cat" },
  };

  test("asks what its branches add where they hold, and requires what depends on others", async () => {
    const { fields, rules, notes } = await linesOf(pets);
    expect(fields).toMatchObject([
      {
        name: "adult",
        type: "boolean",
        enum: [
          { value: true, title: "Of age" },
          { value: false, title: "Younger" },
        ],
      },
      { name: "pet", default: "cat" },
      { name: "iban", description: "DE…", autocomplete: "off", required: false },
      { name: "wine", show_if: "${fields.adult} == true" },
      { name: "name", show_if: '${fields.pet} == "dog" or ${fields.pet} == "cat"' },
      { name: "card", description: "On the front" },
    ]);
    expect(rules).toMatchObject([{ field: "iban", message: "Fill in “IBAN”." }]);
    expect(notes).toEqual([
      '/schema/dependencies/pet/oneOf/1/properties/name The widget "petPicker" is left out: it has the control of its type.',
      '/schema/dependencies/pet/oneOf/1/properties/name "ui:readonly" is left out: people can change it here, in the control of its type.',
    ]);
    expect((await drive(pets, { form: { pet: "none", name: "dropped", wine: true } })).outputs).toMatchObject({ name: null, wine: null });
    await expect(drive(pets, { form: { pet: "dog" } })).rejects.toThrow("/name");
    await expect(drive(pets, { form: { pet: "none", card: 4 } })).rejects.toThrow("Fill in “IBAN”.");
    const all = { pet: "dog", name: "Rex", card: 4, iban: "DE1", adult: true, wine: false };
    expect((await drive(pets, { form: all })).outputs).toEqual(all);
  });

  test("says which keywords it leaves out, at their places", async () => {
    const { notes } = await linesOf({
      schema: {
        type: "object",
        properties: {
          step: { type: "number", multipleOf: 5 },
          any: { anyOf: [{ type: "string" }, { type: "number" }] },
          color: { type: "string", format: "color" },
          pair: { type: "array", items: [{ type: "string" }, { type: "number" }] },
          id: { type: "string", readOnly: true },
        },
        if: { properties: { step: { not: { const: 5 } } } },
        then: { required: ["id"] },
      },
    });
    expect(notes.map((note) => note.split(" ")[0])).toEqual([
      "/schema",
      "/schema/properties/step/multipleOf",
      "/schema/properties/any/anyOf",
      "/schema/properties/color/format",
      "/schema/properties/pair/items",
      "/schema/properties/pair",
      "/schema/properties/id",
    ]);
  });
});

describe("a FHIR Questionnaire", () => {
  const extension = (name: string, value: Values): Values => ({ url: `http://hl7.org/fhir/StructureDefinition/${name}`, ...value });
  const visit = {
    resourceType: "Questionnaire",
    contained: [
      { resourceType: "ValueSet", id: "sites", compose: { include: [{ concept: [{ code: "arm", display: "Arm" }, { code: "leg" }] }] } },
    ],
    item: [
      { linkId: "smokes", prefix: "1.", text: "Do you smoke?", type: "boolean", required: true },
      { linkId: "since", text: "Since?", type: "date", extension: [extension("entryFormat", { valueString: "yyyy-mm-dd" })] },
      {
        linkId: "dose",
        type: "quantity",
        initial: [{ valueQuantity: { value: 2, code: "mg", unit: "mg" } }],
        enableWhen: [{ question: "smokes", operator: "=", answerBoolean: true }],
      },
      {
        linkId: "pain",
        type: "group",
        repeats: true,
        text: "Pain",
        extension: [extension("questionnaire-maxOccurs", { valueInteger: 2 })],
        item: [
          { linkId: "site", type: "choice", required: true, answerValueSet: "#sites" },
          {
            linkId: "more",
            type: "group",
            text: "More",
            item: [
              {
                linkId: "side",
                type: "string",
                required: true,
                enableBehavior: "any",
                enableWhen: [
                  { question: "site", operator: "=", answerCoding: { code: "leg" } },
                  { question: "smokes", operator: "=", answerBoolean: true },
                ],
              },
            ],
          },
        ],
      },
      { linkId: "id", type: "string", extension: [extension("questionnaire-hidden", { valueBoolean: true })] },
      {
        linkId: "photo",
        type: "attachment",
        extension: [extension("mimeType", { valueCode: "image/png" }), extension("maxSize", { valueDecimal: 2 })],
      },
      {
        linkId: "zip",
        type: "string",
        extension: [extension("regex", { valueString: "[0-9]{5}" }), extension("minLength", { valueInteger: 5 })],
      },
      { linkId: "score", type: "integer", extension: [extension("sdc-questionnaire-calculatedExpression", { valueExpression: {} })] },
    ],
  };

  test("keeps conditions, groups and value sets inside of what repeats", async () => {
    const { fields, notes } = await linesOf(visit);
    expect(fields).toMatchObject([
      { name: "smokes", title: "1. Do you smoke?" },
      { name: "since", description: "yyyy-mm-dd" },
      { name: "dose", type: "number", default: 2, show_if: "${fields.smokes} == true" },
      {
        name: "pain",
        type: "array",
        max_items: 2,
        fields: [
          { name: "site", enum: [{ value: "arm", title: "Arm" }, "leg"] },
          { heading: "More" },
          { name: "side", show_if: '${fields.site} == "leg" or ${fields.smokes} == true' },
        ],
      },
      { name: "photo", accept: "image/png", max_bytes: 2_097_152 },
      { name: "zip", pattern: "^(?:[0-9]{5})$", min_length: 5 },
      { name: "score" },
    ]);
    expect(notes).toEqual([
      "/item/4 It is hidden from people, and is left out.",
      "/item/7 Its calculatedExpression is left out: write a condition, a rule or a Compute block. Here it is asked.",
    ]);
    const answer = {
      smokes: false,
      pain: [
        { site: "arm", side: "dropped" },
        { site: "leg", side: "left" },
      ],
    };
    expect((await drive(visit, { questions: answer })).outputs).toMatchObject({
      dose: null,
      pain: [
        { site: "arm", side: null },
        { site: "leg", side: "left" },
      ],
    });
    await expect(drive(visit, { questions: { smokes: true, pain: [{ site: "arm" }] } })).rejects.toThrow("/pain/0/side");
  });
});

test.each([
  [
    "a group that is deeper than forms go",
    {
      type: "paneldynamic",
      name: "a",
      templateElements: [
        {
          type: "paneldynamic",
          name: "b",
          templateElements: [
            { type: "multipletext", name: "c", items: [{ name: "d" }] },
            { type: "text", name: "e" },
          ],
        },
      ],
    },
  ],
  ["a table without columns", { type: "matrixdynamic", name: "a" }],
  ["a matrix without rows", { type: "matrix", name: "a", columns: ["x"] }],
  ["a question that looks at itself", { type: "text", name: "a", visibleIf: "{a} notempty" }],
])("%s is named, and the workflow has no problems", async (_, element) => {
  const { notes } = await linesOf({ elements: [element, { type: "text", name: "last" }] });
  expect(notes).not.toEqual([]);
});

test("choices that clear the others are kept, as FHIR and GOV.UK mark them", async () => {
  const exclusive = { url: "http://hl7.org/fhir/StructureDefinition/questionnaire-optionExclusive", valueBoolean: true };
  const fhir = {
    resourceType: "Questionnaire",
    item: [
      {
        linkId: "has",
        type: "choice",
        repeats: true,
        answerOption: [{ valueCoding: { code: "a" } }, { valueCoding: { code: "none", display: "None" }, extension: [exclusive] }],
      },
    ],
  };
  expect((await linesOf(fhir)).fields).toMatchObject([
    { type: "array", enum: ["a", { value: "none", title: "None" }], exclusive: ["none"] },
  ]);
  const items = [
    { text: "A", value: "a" },
    { text: "None", value: "none", behaviour: "exclusive" },
  ];
  const govuk = {
    lists: [{ name: "has", items }],
    pages: [{ path: "/has", components: [{ type: "CheckboxesField", name: "has", title: "Has", list: "has" }] }],
  };
  expect((await linesOf(govuk)).fields).toMatchObject([{ type: "array", exclusive: ["none"] }]);
});

describe("what forms of other tools say besides", () => {
  test("a survey keeps listed choices before a range, questions under choices, and messages of lengths", async () => {
    const form = {
      elements: [
        { type: "dropdown", name: "age", choices: [{ value: -1, text: "Unknown" }], choicesMin: 1, choicesMax: 3 },
        {
          type: "checkbox",
          name: "by",
          choices: [{ value: "mail", elements: [{ type: "text", name: "address", isRequired: true }] }, "phone"],
        },
        { type: "comment", name: "why", validators: [{ type: "text", minLength: 5, text: "Say more." }] },
        { type: "text", name: "mail", validators: [{ type: "email", text: "Is it right?", notificationType: "warning" }] },
        { type: "rating", name: "stars", mininumRateDescription: "Bad", maximumRateDescription: "Good" },
      ],
    };
    const { fields, notes } = await linesOf(form);
    expect(notes).toEqual(["/elements/3/validators/0 A hint that lets an answer pass is left out. Write it into the description."]);
    expect(fields[0]).toMatchObject({ enum: [{ value: -1, title: "Unknown" }, 1, 2, 3] });
    expect(fields[5]).toMatchObject({ name: "stars", description: "Bad … Good" });
    expect((await drive(form, { form: { age: 2, by: ["mail"], address: "a@b.fi", why: "Because" } })).outputs).toMatchObject({ age: 2 });
    await expect(drive(form, { form: { by: ["mail"] } })).rejects.toThrow("/address");
    await expect(drive(form, { form: { by: ["phone"], why: "So" } })).rejects.toThrow("Say more.");
  });

  test("a survey splits choices that are written in one text, and keeps panels in groups with their conditions", async () => {
    const address = [{ type: "text", name: "street", isRequired: true }];
    const panel = { type: "panel", name: "more", title: "Address", visibleIf: "{panel.sent} = 'yes'", elements: address };
    const sent = { type: "radiogroup", name: "sent", isRequired: true, choices: ["yes|Yes, please", "no"] };
    const form = { elements: [{ type: "paneldynamic", name: "copies", templateElements: [sent, panel] }] };
    const { fields, notes } = await linesOf(form);
    expect(notes).toEqual(["/elements/0/templateElements/1 What stands between questions is always shown: its condition is left out."]);
    expect(fields[0]).toMatchObject({
      fields: [
        { enum: [{ value: "yes", title: "Yes, please" }, "no"] },
        { heading: "Address" },
        { name: "street", show_if: '${fields.sent} == "yes"' },
      ],
    });
    await expect(drive(form, { form: { copies: [{ sent: "yes" }] } })).rejects.toThrow("/copies/0/street");
    expect((await drive(form, { form: { copies: [{ sent: "no" }] } })).asked).toEqual(["form"]);
  });

  test("a survey says what it allows, begins with and counts, and that it is lost", async () => {
    const rows = [{ value: "food", visibleIf: "{a} = 1" }, "room"];
    const { notes } = await linesOf({
      timeLimitPerPage: 10,
      readOnly: true,
      elements: [
        { type: "radiogroup", name: "a", choices: [1, 2], correctAnswer: 1, choicesOrder: "random" },
        { type: "matrix", name: "m", columns: ["x", "y"], rows, cellType: "checkbox" },
        { type: "matrixdynamic", name: "t", rowCount: 2, allowAddRows: false, columns: [{ name: "c", cellType: "text" }] },
      ],
    });
    expect(notes.map((note) => note.slice(0, note.indexOf(" ")))).toEqual([
      "",
      "/timeLimitPerPage",
      "/elements/0/correctAnswer",
      "/elements/0/choicesOrder",
      "/elements/1/cellType",
      "/elements/1/rows/0/visibleIf",
      "/elements/2/rowCount",
      "/elements/2/allowAddRows",
    ]);
  });

  test("a schema fills in the members of objects, and keeps what stands beside a reference", async () => {
    const form = {
      schema: {
        definitions: { place: { type: "object", properties: { town: { type: "string", default: "Turku" }, street: { type: "string" } } } },
        type: "object",
        properties: {
          home: { $ref: "#/definitions/place", title: "Home" },
          work: { $ref: "#/definitions/place", title: "Work", default: { street: "Quay 2" } },
        },
      },
      uiSchema: {},
      formData: { home: { town: "Oulu" } },
    };
    const { fields, notes } = await linesOf(form);
    expect(notes).toEqual([]);
    expect(fields).toMatchObject([
      { title: "Home", fields: [{ name: "town", default: "Oulu" }, { name: "street" }] },
      { title: "Work", fields: [{ default: "Turku" }, { default: "Quay 2" }] },
    ]);
  });

  test("a schema of alternatives alone is known, and says that they are lost", () => {
    const { format, notes } = convertForm(
      JSON.stringify({ schema: { type: "object", oneOf: [{ properties: { a: { type: "string" } } }] } }),
    );
    expect([format, notes.map(({ pointer }) => pointer)]).toEqual(["rjsf", ["/schema/oneOf"]]);
  });

  test("a questionnaire keeps instructions and units, and says where people choose the unit", async () => {
    const said = (name: string, value: object) => ({ url: `http://hl7.org/fhir/StructureDefinition/questionnaire-${name}`, ...value });
    const options = ["cm", "inch"].map((display) => said("unitOption", { valueCoding: { display } }));
    const instruction = said("instruction", { valueString: "Without shoes." });
    const item = [
      { linkId: "length", type: "quantity", text: "Length", extension: [instruction, ...options] },
      { linkId: "weight", type: "quantity", text: "Weight", extension: options.slice(0, 1) },
      { linkId: "age", type: "quantity", text: "Age", initial: [{ valueQuantity: { value: 3, unit: "months" } }] },
    ];
    const { fields, notes } = await linesOf({ resourceType: "Questionnaire", item });
    expect(notes).toEqual(['/item/0 People choose the unit there: cm, inch. Here it has none: give it a "unit".']);
    expect(fields).toMatchObject([{ description: "Without shoes." }, { unit: "cm" }, { unit: "months", default: 3 }]);
    expect(fields[0]!["unit"]).toBeUndefined();
  });

  test("a questionnaire with more questions than a form may have is asked on several pages, cut before a heading", async () => {
    const question = (linkId: string) => ({ linkId, type: "string", text: linkId });
    const group = (name: string, count: number) => ({
      linkId: name,
      type: "group",
      text: name,
      item: Array.from({ length: count }, (_, i) => question(`${name}${i}`)),
    });
    const late = { ...question("late"), enableWhen: [{ question: "a0", operator: "=", answerString: "yes" }] };
    const item = [{ linkId: "all", type: "group", item: [group("a", 60), group("b", 70), late] }];
    const form = { resourceType: "Questionnaire", item };
    const { notes } = convertForm(JSON.stringify(form));
    expect(notes).toEqual([
      { pointer: "/item/0", message: "A form has at most 100 questions, so it is asked on 2 pages." },
      { pointer: "/item/0/item/2", message: "Its condition looks at another page, so it is asked on a page of its own, all_part_2_2." },
    ]);
    const asked = ["all", "all_part_2", "all_part_2_2"];
    expect((await drive(form, { all: { a0: "yes" }, all_part_2_2: { late: "So" } })).asked).toEqual(asked);
    expect((await drive(form, { all: { a0: "no" } })).outputs).toMatchObject({ a0: "no", b69: null, late: null });
  });
});
