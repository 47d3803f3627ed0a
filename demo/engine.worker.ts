import { serveExecutor, type ServedExecutor } from "wavepoint/worker";
import { NO_FAULTS, type Faults } from "./engine/faults.ts";
import { makeDemoExecutor } from "./engine/make-executor.ts";
import { isOfDemo, type AskedSecret, type ToDemoWorker } from "./engine/messages.ts";
import { demoStore } from "./storage.ts";

/** The part of a worker's scope that is used; the library that declares it does not go together with the one of the page. */
interface WorkerScope {
  postMessage(message: AskedSecret): void;
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void): void;
}

const page = globalThis as unknown as WorkerScope;
/** Runs that wait for a secret. */
const asked = new Map<number, (value: string | undefined) => void>();
let count = 0;
let faults: Faults = NO_FAULTS;

page.addEventListener("message", ({ data }) => {
  if (!isOfDemo<ToDemoWorker>(data)) return;
  if (data.demo === "secret") asked.get(data.number)?.(data.value);
  else {
    faults = data.faults;
    if (data.demo === "begin") begin(data);
  }
});

function begin({ workflows, agents }: ToDemoWorker & { readonly demo: "begin" }): void {
  const executor = makeDemoExecutor({
    store: demoStore(),
    workflows,
    agents,
    secrets: askPage,
    faults: () => faults,
    onEvent: (event) => served.onEvent(event),
  });
  const served: ServedExecutor = serveExecutor(executor);
}

/** Only the page can ask the person. */
function askPage(name: string): Promise<string | undefined> {
  count += 1;
  const number = count;
  page.postMessage({ demo: "ask-secret", number, name });
  return new Promise((resolve) => {
    asked.set(number, (value) => {
      asked.delete(number);
      resolve(value);
    });
  });
}
