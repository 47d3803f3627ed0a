import { createExecutor } from "wavepoint";
import { startApp } from "./app.ts";
import { askSecret } from "./ask-secret.ts";
import { loadExamples } from "./examples.ts";
import { pageGrants } from "./grants.ts";
import { openDemoStore } from "./storage.ts";

const root = document.getElementById("app");
const announcer = document.getElementById("announcer");
if (!root || !announcer) throw new Error("The page lacks its #app or #announcer element.");

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
