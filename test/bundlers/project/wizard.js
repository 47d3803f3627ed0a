import { createExecutor } from "wavepoint";
import { loadWorkflow } from "wavepoint/yaml";

const LETTER = `
name: letter
blocks:
  - id: name
    type: GetInput
    inputs: { prompt: To whom?, validation_pattern: "^[A-Z][a-z]+$" }
  - id: text
    type: PopulateTemplate
    inputs:
      template: "Dear {{ name | upper }}"
      variables: { name: "\${blocks.name.outputs.input_value}" }
    depends_on: [name]
outputs:
  text: \${blocks.text.rendered}
`;

/** Starts a run, answers its question and gives what came of it. */
export async function play(store) {
  const executor = createExecutor({ store, workflows: [loadWorkflow(LETTER)] });
  const run = await executor.start("letter");
  const { pauses } = await run.settled();
  await run.answer(pauses[0].id, "Ada");
  const { status, outputs } = await run.settled();
  const { items } = await executor.runs.list({ workflow: "letter" });
  await executor.close();
  return { asked: pauses[0].prompt, status, outputs, stored: items.map((item) => item.status) };
}
