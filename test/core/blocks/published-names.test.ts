import { builtinBlocks } from "wavepoint/blocks";
import { loadWorkflow } from "wavepoint/yaml";
import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { mapFiles } from "../../support/map-files.ts";

const NAMES = [
  ["Workflow", "ExecuteWorkflow"],
  ["WriteJSONState", "SetState"],
  ["ReadJSONState", "ReadState"],
  ["MergeJSONState", "MergeState"],
] as const;

test.each(NAMES)("%s is %s by another name", (published, name) => {
  const find = (type: string): object => ({ ...builtinBlocks.find((block) => block.type === type)!, type: "" });
  expect(find(published)).toEqual(find(name));
});

const PARENT = `
name: parent
inputs:
  topic: { type: string, default: tea }
blocks:
  - id: keep
    type: WriteJSONState
    inputs: { path: state.json, data: { topic: "\${inputs.topic}", steps: { asked: false } } }
  - id: ask
    type: Workflow
    depends_on: [keep]
    inputs: { workflow: child, inputs: { topic: "\${inputs.topic}" } }
  - id: update
    type: MergeJSONState
    depends_on: [ask]
    condition: \${blocks.ask.outputs.opinion} != ''
    inputs: { path: state.json, updates: { steps: { asked: true }, opinion: "\${blocks.ask.opinion}" } }
  - id: read
    type: ReadJSONState
    depends_on: [update]
    inputs: { path: state.json, required: true }
  - id: page
    type: RenderTemplate
    depends_on: [read]
    inputs:
      template: "{{ state.topic }}: {{ state.opinion }}"
      variables: { state: "\${blocks.read.outputs.data}" }
      output_path: pages/opinion.txt
outputs:
  state: \${blocks.read.outputs.data}
  page: \${blocks.page.outputs.content}
  size: \${blocks.page.outputs.size_bytes}
  created: \${blocks.update.outputs.created}
`;

const CHILD = `
name: child
inputs:
  topic: { type: string }
blocks:
  - id: question
    type: Prompt
    inputs: { prompt: "What about \${inputs.topic}?" }
outputs:
  opinion: \${blocks.question.outputs.response}
`;

test("a workflow in the names of the published ones runs as it is written", async () => {
  const files = mapFiles();
  const workflows = [PARENT, CHILD].map((text) => loadWorkflow(text, { blocks: builtinBlocks }));
  const executor = createExecutor({ store: memoryStore(), workflows, grants: { files } });
  const run = await executor.start("parent");
  const asked = await run.settled();
  expect(asked).toMatchObject({ status: "paused", pauses: [{ prompt: "What about tea?", path: ["ask", "question"] }] });

  const result = await run.answer(asked.pauses![0]!.id, "A cup, please.");
  expect(result).toMatchObject({
    status: "success",
    outputs: {
      state: { topic: "tea", steps: { asked: true }, opinion: "A cup, please." },
      page: "tea: A cup, please.",
      size: 19,
      created: false,
    },
  });
  expect(files.texts.get("pages/opinion.txt")).toBe("tea: A cup, please.");
});

test("a secret goes on to a called workflow only where it is one there too, by either name of the block", async () => {
  const caller = (type: string): string => `
name: caller
inputs:
  token: { type: string, secret: true }
blocks:
  - { id: call, type: ${type}, inputs: { workflow: child, inputs: { topic: "\${inputs.token}" } } }
`;
  const codes = await Promise.all(
    ["ExecuteWorkflow", "Workflow"].map(async (type) => {
      const workflows = [caller(type), CHILD].map((text) => loadWorkflow(text, { blocks: builtinBlocks }));
      const executor = createExecutor({ store: memoryStore(), workflows, secrets: () => "long enough" });
      return executor.load(workflows[0]!).then(
        () => "loaded",
        (error: { code: string }) => error.code,
      );
    }),
  );
  expect(codes).toEqual(["SECRET_MISPLACED", "SECRET_MISPLACED"]);
});
