// What the compiler refuses, and what it says: the test beside it takes the directives away and reads the messages.
import { defineBlock, defineWorkflow, success, type PauseId, type Run } from "wavepoint";

const own = defineBlock({
  type: "Own",
  inputs: { jsonSchema: { type: "object", properties: { row: { type: "integer" } }, required: ["row"] } },
  outputs: { jsonSchema: { type: "object", properties: { seat: { type: "string" } }, required: ["seat"] } },
  execute: () => success({ seat: "12" }),
});

defineWorkflow({
  name: "mistakes",
  inputs: { size: { type: "string" }, list: { type: "array" } },
  channels: { log: { reduce: "append" } },
  blocks: [
    {
      id: "age",
      type: "GetInput",
      inputs: {
        // @ts-expect-error There is no input \"sise\". Did you mean \"size\"?
        prompt: "How old, for ${inputs.sise}?",
      },
    },
    {
      id: "echo",
      type: "EchoBlock",
      // @ts-expect-error No block is called \"agee\". Did you mean \"age\"?
      dependsOn: ["agee"],
      // @ts-expect-error The block \"age\" has no output \"inputvalue\". Did you mean \"input_value\"?
      condition: "${blocks.age.inputvalue} == 'x' and true",
      inputs: {
        // @ts-expect-error It refers to a list. The input message of EchoBlock takes a text.
        message: "${inputs.list}",
        // @ts-expect-error It refers to a text. The input delay_ms of EchoBlock takes a number.
        delay_ms: "${blocks.age.input_value}",
      },
      // @ts-expect-error There is no channel \"lug\". Did you mean \"log\"?
      writes: { lug: 1 },
    },
    {
      id: "choice",
      type: "AskChoice",
      // @ts-expect-error The block \"choice\" cannot depend on itself.
      dependsOn: ["choice"],
      inputs: {
        question: "Which?",
        // @ts-expect-error The input choices of AskChoice takes a text.
        choices: ["a", 3],
        // @ts-expect-error AskChoice takes no input \"chioces\". Did you mean \"choices\"?
        chioces: ["b"],
      },
      next: [
        // @ts-expect-error No block is called \"ecko\". Did you mean \"echo\"?
        "ecko",
        // @ts-expect-error The block \"choice\" has no output \"choise\". Did you mean \"choice\"?
        { to: "echo", when: "${blocks.choice.choise} == 'a'" },
      ],
      // @ts-expect-error No block is called \"sorry\". It is none of these.
      onFailure: "sorry",
    },
    {
      id: "bare",
      // @ts-expect-error EchoBlock needs the input \"message\".
      type: "EchoBlock",
    },
    {
      id: "lists",
      type: "Form",
      inputs: {
        prompt: "Which?",
        // @ts-expect-error The input fields of Form, accept, takes a text.
        fields: [{ name: "photo", type: "file", accept: ["image/*"] }],
        // @ts-expect-error The input title of Form takes a text.
        title: ["Which?"],
      },
    },
    {
      id: "shell",
      type: "Shell",
      // @ts-expect-error There is no input \"lists\". Did you mean \"list\"?
      forEach: "${inputs.lists}",
      // @ts-expect-error There is no \"c\" in it.
      inputs: { argv: ["ls", "${blocks.choice.choice.c}"] },
      // @ts-expect-error The metadata of a block have no \"exit_code\".
      repeatWhile: "${blocks.shell.metadata.exit_code} != 0",
    },
  ],
  outputs: {
    // @ts-expect-error The metadata of a run have no \"workflow_nam\". Did you mean \"workflow_name\"?
    workflow: { value: ["${metadata.workflow_nam}"] },
    // @ts-expect-error \"size2\" is no input and no block of this workflow. Did you mean \"size\"?
    older: "${size2}",
  },
  // @ts-expect-error ${inputs} is not a value. Name one: ${inputs.name}.
  label: "All: ${inputs}",
});

defineWorkflow(
  {
    name: "own",
    blocks: [
      // @ts-expect-error The input row of Own takes a number.
      { id: "a", type: "Own", inputs: { row: true } },
      // @ts-expect-error There is no block type \"Echoblock\". Did you mean \"EchoBlock\"?
      { id: "b", type: "Echoblock" },
    ],
    outputs: {
      // @ts-expect-error The block \"a\" has no output \"seats\". Did you mean \"seat\"?
      seat: "${blocks.a.seats}",
    },
  },
  { blocks: [own] },
);

defineWorkflow({
  name: "built in",
  blocks: [
    // @ts-expect-error There is no block type \"GetInputs\". Did you mean \"GetInput\"?
    { id: "a", type: "GetInputs", inputs: { prompt: "Who?" } },
    // @ts-expect-error There is no block type \"Own\". If it is your own, pass { blocks: […] } after the definition.
    { id: "b", type: "Own", inputs: { row: 1 } },
  ],
});

defineWorkflow({
  name: "keys",
  // @ts-expect-error A workflow has no key \"output\". Did you mean \"outputs\"?
  output: {},
  // @ts-expect-error A block has no key \"dependOn\". Did you mean \"dependsOn\"?
  blocks: [{ id: "a", type: "EchoBlock", inputs: { message: "x" }, dependOn: [] }],
});

defineWorkflow({
  name: "inside",
  blocks: [
    {
      // @ts-expect-error Another block is called \"a\" too.
      id: "a",
      type: "Form",
      // @ts-expect-error A block has no key \"depends_on\". Did you mean \"dependsOn\"?
      depends_on: ["b"],
      inputs: {
        prompt: "Which?",
        fields: [
          // @ts-expect-error The input fields of Form has no \"typ\". Did you mean \"type\"?
          { name: "days", typ: "integer" },
          // @ts-expect-error The input fields of Form, type, takes one of these.
          { name: "nights", type: "int" },
          // @ts-expect-error The input fields of Form, fields, has no \"title_\". Did you mean \"title\"?
          { name: "guests", type: "array", fields: [{ name: "who", title_: "Name" }] },
        ],
        // @ts-expect-error The input rules of Form needs \"message\".
        rules: [{ check: "${fields.nights} > 0" }, { check: "${fields.who} != 'x'", message: "Who?" }],
      },
    },
    {
      // @ts-expect-error Another block is called \"a\" too.
      id: "a",
      type: "GetInput",
      inputs: { prompt: "And?" },
    },
  ],
});

defineWorkflow({
  name: "conditions",
  blocks: [
    {
      id: "form",
      type: "Form",
      inputs: {
        prompt: "Which?",
        fields: [
          { name: "kind" },
          { name: "why", show_if: "${fields.kind} == 'x'" },
          // @ts-expect-error The form has no field \"kinds\". Did you mean \"kind\"?
          { name: "how", show_if: "${fields.kinds} == 'x'" },
        ],
        // @ts-expect-error The form has no field \"when\".
        rules: [{ check: "${fields.when} != ''", message: "When?" }],
      },
    },
    {
      id: "echo",
      type: "EchoBlock",
      dependsOn: ["form"],
      // @ts-expect-error Only conditions and rules of a form see its fields, and \"kind\" is asked for elsewhere. Write ${blocks.id.kind}.
      inputs: { message: "${fields.kind}" },
    },
  ],
});

/** What an answer has to be. Never called. */
export async function answer(run: Run, id: PauseId<"sea" | "river">): Promise<void> {
  // @ts-expect-error Argument of type '"lake"' is not assignable to parameter of type
  await run.answer(id, "lake");
}
