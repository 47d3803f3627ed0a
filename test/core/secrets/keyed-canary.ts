import { createExecutor, defineBlock, success } from "wavepoint";
import type { BlockType, Executor, Store, Workflow } from "wavepoint";
import { CANARY } from "./canary.ts";

/** What services were sent by blocks. */
export const sentKeys: unknown[] = [];

const blocks: readonly BlockType[] = [
  defineBlock({
    type: "KeyLogin",
    execute: async () => success({ token: CANARY, at: new Date(0), large: { secret: new TextEncoder().encode(CANARY.repeat(2_000)) } }),
  }),
  defineBlock({
    type: "KeySend",
    execute: ({ inputs }) => {
      sentKeys.push(inputs);
      return success({ echo: JSON.stringify(inputs), credentials: { again: inputs as never } });
    },
  }),
];

/** Given by a person and by a service, passed on, asked for and given back. */
const workflow: Workflow = {
  name: "keyed",
  inputs: { api_key: { type: "string" } },
  blocks: [
    { id: "login", type: "KeyLogin" },
    {
      id: "door",
      type: "Form",
      inputs: { prompt: "Who?", schema: { type: "object", properties: { password: { type: "string" } }, required: ["password"] } },
      dependsOn: ["login"],
    },
    {
      id: "send",
      type: "KeySend",
      inputs: { token: "${blocks.login.outputs.token}", key: "${inputs.api_key}", note: "with ${blocks.door.outputs.password}" },
      dependsOn: ["door"],
    },
    { id: "last", type: "GetInput", inputs: { prompt: "Done?" }, dependsOn: ["send"] },
  ],
  outputs: { token: "${blocks.login.outputs.token}", echo: "${blocks.send.outputs.echo}" },
};

export function keyedExecutor(store: Store): Executor {
  return createExecutor({ store, blocks, workflows: [workflow], policy: { retention: "latest" } });
}

/** Starts a run that logs in, answers with a password and saves a draft; it stands at its last question. */
export async function goThroughKeys(executor: Executor): Promise<string> {
  sentKeys.length = 0;
  const run = await executor.start("keyed", { api_key: CANARY });
  const door = (await run.settled()).pauses![0]!.id;
  await run.saveDraft(door, { password: CANARY });
  await run.answer(door, { password: CANARY });
  return run.id;
}
