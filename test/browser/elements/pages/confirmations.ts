// A page with a wizard of four confirmations; every tab shows the same run.
import { createExecutor, type Block, type Value } from "wavepoint";
import { define } from "wavepoint/elements";
import { indexedDbStore } from "wavepoint/store/indexeddb";

const ask = (id: string, dependsOn: readonly string[]): Block => ({
  id,
  type: "ConfirmOperation",
  dependsOn,
  inputs: { message: `Question ${id}?` },
});
const workflow = { name: "sure", blocks: [ask("a", []), ask("b", ["a"]), ask("c", ["b"]), ask("d", ["c"])] };

/** What a test asks a tab. */
export interface Tab {
  answers(): Promise<readonly Value[]>;
  answer(response: Value): Promise<void>;
}

async function open(): Promise<void> {
  const executor = createExecutor({ store: indexedDbStore({ name: "one-click" }), workflows: [workflow] });
  const id = location.hash.slice(1);
  const run = await executor.open(`run_${id}`).catch(() => executor.start("sure", {}, { id }));
  define();
  const element = Object.assign(document.createElement("wavepoint-run"), { run });
  document.body.append(element);
  const tab: Tab = {
    answers: async () => (await run.answers()).flatMap(({ answer }) => (answer === undefined ? [] : [answer])),
    async answer(response) {
      await run.answer(run.getSnapshot().pauses[0]!.id, response);
    },
  };
  Object.assign(globalThis, { tab });
}

void open();
