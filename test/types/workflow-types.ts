// What the compiler knows of a workflow. Checked with the rest of the project, and by the test beside it with other versions of TypeScript.
import {
  createExecutor,
  defineBlock,
  defineWorkflow,
  pause,
  success,
  type BlockType,
  type InputsOf,
  type OutputsOf,
  type PausesOf,
  type Pause,
  type Run,
  type Value,
  type Values,
  type Workflow,
} from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_is: Same<A, B>): void {}

const seat = defineBlock({
  type: "Seat",
  inputs: {
    jsonSchema: { type: "object", properties: { row: { type: "integer" }, side: { enum: ["left", "right"] } }, required: ["row"] },
  },
  outputs: { jsonSchema: { type: "object", properties: { seat: { type: "string" } }, required: ["seat"] } },
  answer: { jsonSchema: { enum: ["window", "aisle"] } },
  execute: () => pause({ prompt: "Which seat?" }),
  resume: ({ response, inputs }) => success({ seat: `${response}${inputs.row}` }),
});

const travel = defineWorkflow(
  {
    name: "travel",
    inputs: {
      days: { type: "integer" },
      class: { type: "string", enum: ["first", "second"], default: "second" },
      note: { type: "string", required: false },
    },
    channels: { log: { reduce: "append", schema: { items: { type: "string" } } }, total: { reduce: "sum" } },
    blocks: [
      { id: "where", type: "GetInput", inputs: { prompt: "Where to, in ${inputs.class} class?" } },
      { id: "how", type: "AskChoice", dependsOn: ["where"], inputs: { question: "How?", choices: ["train", { value: 7, title: "ship" }] } },
      {
        id: "sure",
        type: "ConfirmOperation",
        dependsOn: ["how"],
        condition: "${blocks.how.choice} == 'ship'",
        inputs: { message: "Sure?" },
      },
      {
        id: "who",
        type: "Form",
        dependsOn: [{ block: "sure", required: false }],
        inputs: {
          prompt: "Who?",
          fields: [
            { name: "name" },
            { name: "age", type: "integer", required: false },
            { name: "meal", enum: ["meat", { value: "none", title: "Nothing" }], default: "meat" },
          ],
        },
      },
      { id: "seat", type: "Seat", dependsOn: ["who"], inputs: { row: "${inputs.days}", side: "left" } },
      { id: "each", type: "EchoBlock", dependsOn: ["seat"], forEach: ["a", "b"], inputs: { message: "${each.value} $${HOME}" } },
      {
        id: "sums",
        type: "Compute",
        inputs: { formulas: { twice: "days * 2" }, variables: { days: "${inputs.days}" } },
        writes: { total: 1 },
      },
    ],
    outputs: {
      where: "${blocks.where.outputs.input_value}",
      how: "${blocks.how.choice}",
      text: "To ${blocks.where.input_value}",
      age: "${blocks.who.age}",
      seat: "${blocks.seat.seat}",
      results: "${blocks.each.results[0].echoed}",
      sum: "${blocks.sums.twice}",
      class: "${inputs.class}",
      days: { value: "${inputs.days}", type: "string" },
      both: { value: { note: "${inputs.note}", ok: "${blocks.sure.succeeded}", log: "${channels.log}" } },
    },
  },
  { blocks: [seat] },
);

type Outputs = OutputsOf<typeof travel>;
same<Outputs["where"], string>(true);
same<Outputs["how"], "train" | "ship" | null>(true);
same<Outputs["text"], string>(true);
same<Outputs["age"], number | null>(true);
same<Outputs["seat"], string | null>(true);
same<Outputs["results"], Value>(true);
same<Outputs["sum"], Value>(true);
same<Outputs["class"], "first" | "second">(true);
same<Outputs["days"], string>(true);
same<Outputs["both"]["note"], string | null>(true);
same<Outputs["both"]["ok"], boolean | null>(true);
same<Outputs["both"]["log"], readonly string[]>(true);

const claim = defineWorkflow({
  name: "claim",
  blocks: [
    {
      id: "ask",
      type: "Form",
      inputs: {
        prompt: "What was damaged?",
        fields: [
          { heading: "Things" },
          {
            name: "things",
            type: "array",
            fields: [
              { name: "what" },
              { name: "price", type: "number", required: false, show_if: "${fields.what} != 'paper'" },
              { name: "far", required: false, show_if: "${fields.where} != null" },
            ],
          },
          { name: "where", type: "object", fields: [{ name: "town" }] },
        ],
        rules: [{ check: "${fields.things} != []", field: "things", message: "Name one." }],
      },
    },
  ],
  outputs: { things: "${blocks.ask.things}", town: "${blocks.ask.where.town}" },
});
same<OutputsOf<typeof claim>["town"], string>(true);
same<NonNullable<OutputsOf<typeof claim>["things"][number]["price"]>, number>(true);

same<PausesOf<typeof travel>["type"], "GetInput" | "AskChoice" | "ConfirmOperation" | "Form" | "Seat">(true);

/** What answers to questions of known blocks are. Never called. */
export async function answers(): Promise<void> {
  const run = await createExecutor({ store: memoryStore(), blocks: [seat] }).start(travel, { days: 3 });
  for (const pause of run.getSnapshot().pauses) {
    switch (pause.type) {
      case "GetInput":
        await run.answer(pause.id, "Rome");
        // @ts-expect-error Argument of type 'number' is not assignable to parameter of type 'string'.
        await run.answer(pause.id, 1);
        break;
      case "AskChoice":
        await run.answer(pause.id, "ship");
        await run.answer(pause.id, 1);
        // @ts-expect-error Argument of type '"boat"' is not assignable to parameter of type
        await run.answer(pause.id, "boat");
        break;
      case "Form":
        await run.answer(pause.id, { name: "Ada", meal: "none" });
        // @ts-expect-error Property 'name' is missing in type
        await run.answer(pause.id, { age: 3 });
        break;
      case "Seat":
        await run.answer(pause.id, "window");
        // @ts-expect-error Argument of type '"roof"' is not assignable to parameter of type '"window" | "aisle"'.
        await run.answer(pause.id, "roof");
        break;
      case "ConfirmOperation":
        await run.answer(pause.id, { answer: "yes", comment: "of course" });
    }
  }
  const { outputs } = await run.settled();
  if (outputs) same<typeof outputs.how, "train" | "ship" | null>(true);
  await run.answer("pause_1", ["anything", 1]);
  await run.answer({ pause_1: "anything" });
  const any: Run = run;
  await any.answer("pause_1", 3);
}

// What is not known passes, and gives what it may be.
const loose: Workflow = { name: "loose", blocks: [{ id: "any", type: "Own" }] };
same<OutputsOf<typeof loose>, Values>(true);
same<InputsOf<typeof loose>, Values>(true);
same<PausesOf<typeof loose>, Pause>(true);
defineWorkflow(loose);
defineWorkflow({ name: "mixed", blocks: [...loose.blocks, { id: "own", type: "Own", dependsOn: ["any"] }] });
defineWorkflow(
  {
    name: "own",
    blocks: [
      { id: "own", type: "Own", inputs: { any: 1 } },
      { id: "b", type: "EchoBlock", inputs: { message: "${blocks.own.anything.at.all}" } },
    ],
  },
  { blocks: [] as BlockType[] },
);
const calls = defineWorkflow({
  name: "calls",
  blocks: [{ id: "a", type: "ExecuteWorkflow", inputs: { workflow: "travel" } }],
  outputs: { any: "${blocks.a.where}" },
});
same<PausesOf<typeof calls>, Pause>(true);

const dir: string = "there";
defineWorkflow({
  name: "computed",
  blocks: [{ id: "a", type: "Shell", inputs: { command: `ls ${dir}` } }],
  outputs: { a: `\${blocks.a.${dir}}` },
});
defineWorkflow({
  name: "paths",
  inputs: { key: { type: "string" }, list: { type: "array" } },
  blocks: [
    {
      id: "a",
      type: "HttpCall",
      inputs: { url: "https://example.org/${inputs.key}", expect: [200, "${inputs.list[0]}"], timeout: "${inputs.list.0}" },
    },
    {
      id: "b",
      type: "EchoBlock",
      dependsOn: ["a"],
      inputs: { message: "${blocks.a.outputs[inputs.key]} ${blocks.a.outputs.${inputs.key}} ${blocks.a.json.x.y} ${key}" },
    },
    {
      id: "c",
      type: "EchoBlock",
      dependsOn: ["b"],
      onFailure: "d",
      inputs: { message: "${blocks.a.headers.etag}", delay_ms: "${blocks.a.status}" },
    },
    {
      id: "d",
      type: "EchoBlock",
      inputs: { message: "${failure.message} ${previous.outputs.x} ${metadata.started_at} ${blocks.c.metadata.attempts}" },
    },
  ],
});
