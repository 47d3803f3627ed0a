import { createExecutor, type Block, type CheckpointPolicy, type Executor, type Store, type Value, type Workflow } from "wavepoint";
import { fakeHost } from "wavepoint/testing";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const echo = (id: string, message: string, dependsOn: readonly string[] = []): Block => ({
  id,
  type: "EchoBlock",
  inputs: { message },
  dependsOn,
});

const LODGING: Workflow = {
  name: "lodging",
  blocks: [ask("hotel"), echo("booked", "${blocks.hotel.input_value}", ["hotel"])],
  outputs: { hotel: "${blocks.booked.echoed}" },
};

/** Waves with several blocks, questions, one of them in a called workflow, and items. */
export const TRIP: Workflow = {
  name: "trip",
  inputs: { city: { type: "string" } },
  blocks: [
    echo("hello", "to ${inputs.city}"),
    ask("name"),
    echo("greet", "${blocks.name.input_value}, ${blocks.hello.echoed}", ["name", "hello"]),
    { id: "bags", type: "EchoBlock", forEach: ["a", "b"], inputs: { message: "bag ${each.value}" }, dependsOn: ["name"] },
    { id: "lodging", type: "ExecuteWorkflow", inputs: { workflow: "lodging" }, dependsOn: ["greet"] },
    ask("food", { dependsOn: ["greet", "bags"] }),
    echo("all", "${blocks.greet.echoed}: ${blocks.lodging.hotel}, ${blocks.food.input_value}", ["lodging", "food"]),
  ],
  outputs: { all: "${blocks.all.echoed}" },
};

export const ANSWERS: { readonly [path: string]: Value } = { name: "Ada", "lodging/hotel": "Grand", food: "fish" };

let seed = 0;

/** An executor of its own, as another tab or process has one. */
export function tripExecutor(store: Store, policy: CheckpointPolicy = {}): Executor {
  return createExecutor({ store, policy, workflows: [TRIP, LODGING], host: fakeHost({ seed: (seed += 1), autoAdvance: true }) });
}
