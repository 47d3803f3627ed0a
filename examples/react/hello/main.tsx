import { createRoot } from "react-dom/client";
import { createExecutor, type Run } from "wavepoint";
import { usePause, useRun } from "wavepoint/react";
import { indexedDbStore } from "wavepoint/store/indexeddb";

const hello = {
  name: "hello",
  blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Who are you?" } }],
  outputs: { name: "${blocks.name.input_value}" },
};
const executor = createExecutor({ store: indexedDbStore({ name: "hello" }), workflows: [hello] });

// The question that waits since the page was closed, else a new run.
const [last] = (await executor.runs.list({ workflow: "hello", status: "paused", limit: 1 })).items;
const run = last ? await executor.open(last.id) : await executor.start("hello");

function Hello({ run }: { readonly run: Run }) {
  const { status, outputs } = useRun(run);
  const { pause, draft, isSending, error, answer, saveDraft } = usePause(run);
  if (!pause) return <p>{status === "completed" ? `Hello, ${outputs?.name}!` : "One moment…"}</p>;
  const send = (event: { preventDefault(): void }) => {
    event.preventDefault();
    // What is thrown is in `error` too.
    answer(draft ?? "").catch(() => {});
  };
  return (
    <form onSubmit={send}>
      <label>
        {pause.prompt} <input value={String(draft ?? "")} onChange={({ target }) => saveDraft(target.value)} />
      </label>
      <button disabled={isSending}>Continue</button>
      <p role="alert">{error?.message}</p>
    </form>
  );
}

createRoot(document.querySelector("#app")!).render(<Hello run={run} />);
