import { createRoot } from "react-dom/client";
import { createExecutor, defineWorkflow } from "wavepoint";
import { useWizard } from "wavepoint/react";
import { indexedDbStore } from "wavepoint/store/indexeddb";

const hello = defineWorkflow({
  name: "hello",
  blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Who are you?" } }],
  outputs: { name: "${blocks.name.input_value}" },
});
const executor = createExecutor({ store: indexedDbStore({ name: "hello" }), workflows: [hello] });

function Hello() {
  const { isLoading, error: startError, view, question } = useWizard(executor, hello, { id: "hello" });
  if (isLoading) return <p>One moment…</p>;
  if (startError) return <p role="alert">{startError.message}</p>;
  const { pause, draft, isSending, error, answer, saveDraft } = question;
  if (!pause) return <p>{view.status === "completed" ? `Hello, ${view.outputs?.name}!` : "One moment…"}</p>;
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

createRoot(document.querySelector("#app")!).render(<Hello />);
