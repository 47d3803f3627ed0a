import { createExecutor } from "wavepoint";
import { startApp } from "./app.ts";
import { askSecret } from "./ask-secret.ts";
import { loadExamples } from "./examples.ts";
import { pageGrants } from "./grants.ts";
import { openDemoStore } from "./storage.ts";

const root = document.getElementById("app");
const announcer = document.getElementById("announcer");
if (!root || !announcer) throw new Error("The page lacks its #app or #announcer element.");

// No "await" at the top: parts that are loaded later import from this file, and would wait for it while it waits for them.
void openPage(root, announcer);

async function openPage(root: HTMLElement, announcer: HTMLElement): Promise<void> {
  try {
    const store = await openDemoStore();
    const examples = loadExamples();
    const executor = createExecutor({ store, workflows: examples.runnable, grants: pageGrants(), secrets: askSecret });
    startApp({ executor, examples, durable: store.durable, root, announcer });
  } catch (thrown) {
    const message = document.createElement("p");
    message.className = "notice problem";
    message.setAttribute("role", "alert");
    message.textContent = thrown instanceof Error ? thrown.message : String(thrown);
    root.replaceChildren(message);
  }
}
