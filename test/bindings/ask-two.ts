import { createExecutor, type Run, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

/** Two questions at once, then one more. */
const workflow: Workflow = {
  name: "ask-two",
  blocks: [
    { id: "name", type: "GetInput", inputs: { prompt: "Name?" } },
    { id: "seats", type: "Form", inputs: { prompt: "Seats?", fields: [{ name: "count", type: "integer", maximum: 4 }] } },
    { id: "town", type: "GetInput", inputs: { prompt: "Town?" }, dependsOn: ["name", "seats"] },
  ],
  outputs: { town: "${blocks.town.input_value}" },
};

export interface Asking {
  readonly run: Run;
  /** The ids of the two questions that wait. */
  readonly name: string;
  readonly seats: string;
}

/** A run that waits at two questions. */
export async function askTwo(): Promise<Asking> {
  const executor = createExecutor({ store: memoryStore(), workflows: [workflow] });
  const run = await executor.start("ask-two");
  const { pauses } = await run.settled();
  return { run, name: pauses![0]!.id, seats: pauses![1]!.id };
}
