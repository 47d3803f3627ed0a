import { expect, test } from "vitest";
import { createExecutor, type Answer, type Values, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow } from "wavepoint/yaml";

const code = { en: "Enter a code like ABCD12.", de: "Geben Sie einen Code wie ABCD12 ein." };
const none = { en: "Enter the code.", de: "Geben Sie den Code ein." };

async function refusal(type: string, inputs: Values, response: Answer): Promise<unknown> {
  const block = { id: "ask", type, inputs };
  const run = await createExecutor({ store: memoryStore() }).start({ name: "ask", blocks: [block] } as Workflow);
  const { pauses } = await run.settled();
  const { error } = await run.answer(pauses![0]!.id, response);
  expect(error?.code).toBe("RESPONSE_INVALID");
  expect(run.getSnapshot().status).toBe("paused");
  return (error!.details!["errors"] as readonly unknown[])[0];
}

const input = { prompt: "Code?", validation_pattern: "[A-Z]{4}[0-9]{2}$", messages: { required: none, validation_pattern: code } };

test.each([
  ["a text that does not match", "GetInput", input, "abc", { code: "pattern", text: code, message: code.en }],
  ["an empty text", "GetInput", input, "", { code: "minLength", text: none, message: none.en }],
  [
    "an empty text without a pattern",
    "GetInput",
    { prompt: "Name?", messages: { required: "Enter your name." } },
    "",
    { text: "Enter your name." },
  ],
  [
    "no choice",
    "AskChoice",
    { question: "How?", choices: ["Rail", "Boat"], messages: { required: "Choose how you come." } },
    "",
    { code: "enum", text: "Choose how you come." },
  ],
  [
    "a declaration that is not ticked",
    "Review",
    { prompt: "Is all this right?", declaration: "All of it is true.", messages: { required: "Tick the box to send it." } },
    { declared: false },
    { instancePath: "/declared", text: "Tick the box to send it." },
  ],
  [
    "a declaration that is left out",
    "Review",
    { prompt: "Is all this right?", declaration: "All of it is true.", messages: { required: "Tick the box to send it." } },
    {},
    { instancePath: "/declared", code: "required", text: "Tick the box to send it." },
  ],
])("%s is refused in the words of the question", async (_, type, inputs, response, expected) => {
  expect(await refusal(type, inputs, response)).toMatchObject(expected);
});

test("without words of its own a question says it in the engine's", async () => {
  const { messages: _, ...plain } = input;
  expect(await refusal("GetInput", plain, "abc")).not.toHaveProperty("text");
});

test.each([
  ["GetInput", "{ prompt: Code?, messages: { pattern: Wrong } }", "pattern"],
  ["GetInput", "{ prompt: Code?, messages: { required: {} } }", "no language"],
  ["AskChoice", "{ question: How?, choices: [a], messages: { validation_pattern: Wrong } }", "validation_pattern"],
])("messages of %s for what cannot be broken, or of no language, are refused at load: %s", async (type, inputs, named) => {
  const { problems } = await checkWorkflow(`name: ask\nblocks:\n  - { id: ask, type: ${type}, inputs: ${inputs} }\n`);
  expect(problems.map(({ message }) => message).join(" ")).toContain(named);
});
