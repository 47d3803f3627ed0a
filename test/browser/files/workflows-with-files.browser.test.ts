import { expect, onTestFinished, test } from "vitest";
import { createExecutor } from "wavepoint";
import { opfsFiles } from "wavepoint/browser";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";

const NOTES = `
name: notes
inputs:
  text: { type: string }
blocks:
  - { id: write, type: CreateFile, inputs: { path: notes/today.txt, content: "\${inputs.text}", overwrite: true, permissions: "600" } }
  - { id: count, type: MergeState, inputs: { path: notes/state.json, updates: { seen: { "today": true } } } }
  - id: read
    type: EchoBlock
    depends_on: [write]
    inputs: { message: read it }
    outputs:
      note: { path: notes/today.txt, validation: "[a-z]+" }
      none: { path: notes/none.txt, required: false }
outputs:
  note: \${blocks.read.outputs.note}
  none: \${blocks.read.outputs.none}
  state: \${blocks.count.outputs.merged_data}
`;

test("a workflow writes and reads files of the browser", async () => {
  onTestFinished(async () => (await navigator.storage.getDirectory()).removeEntry("workflow", { recursive: true }));
  const workflow = loadWorkflow(NOTES);
  const grants = { files: opfsFiles({ folder: "workflow" }) };
  for (const text of ["first", "second"]) {
    const executor = createExecutor({ store: memoryStore(), workflows: [workflow], grants });
    const run = await executor.start("notes", { text: `${text}\n` });
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { note: text, none: null, state: { seen: { today: true } } } });
  }
});

test("a workflow with files is refused where the page grants none", async () => {
  await expect(createExecutor({ store: memoryStore() }).load(loadWorkflow(NOTES))).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
});
