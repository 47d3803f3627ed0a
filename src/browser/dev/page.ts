/** The page that `wavepoint dev` serves: a workflow as its file has it, and its runs, which live in the process that serves the page. */
import { html, nothing, render, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { Run } from "../../core/run/run.ts";
import type { RunHead } from "../../core/model/run.ts";
import { isWorkflowError } from "../../core/model/errors.ts";
import { define } from "../elements/index.ts";
import { workerExecutor } from "../worker/worker-executor.ts";
import type { OpenedRun, ShownProblem, ShownWorkflow } from "./messages.ts";
import { parse, stringify } from "devalue";
import type { Greeting, ToWorker } from "../worker/messages.ts";

/** Runs that are listed. */
const MAX_RUNS = 20;

/** What is shown now. */
interface State {
  readonly shown: ShownWorkflow;
  readonly run?: Run;
  /** Why there is no run, or what became of the one that was open. */
  readonly told?: string | undefined;
  readonly runs: readonly RunHead[];
}

const page = crypto.randomUUID();
const events = new EventSource(`events?page=${page}`);
/** Ends the following of the run that was shown before. */
let unsubscribe = (): void => {};
let state: State = { shown: { file: "", isRight: false, problems: [] }, runs: [] };

function update(change: Partial<State>): void {
  state = { ...state, ...change };
  render(view(state), document.querySelector("main")!);
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const response = await fetch(path, body ? { method: "POST", body: JSON.stringify(body) } : {});
  return (await response.json()) as T;
}

const executor = workerExecutor(() => {
  let last: Promise<unknown> = Promise.resolve();
  return engineDoor({
    send: (text) => (last = last.then(() => fetch(`messages?page=${page}`, { method: "POST", body: text }))),
    listen: (listener) => events.addEventListener("engine", ({ data }: MessageEvent<string>) => listener(data)),
  });
});

async function showRun(wanted: { readonly run?: string }): Promise<void> {
  const { run, told } = await ask<OpenedRun>("run", wanted);
  if (run === undefined) return update({ told });
  history.replaceState(null, "", `#${run}`);
  const opened = await executor.open(run);
  unsubscribe();
  let { status } = opened.getSnapshot();
  unsubscribe = opened.subscribe((view) => {
    if (view.status !== status) void listRuns();
    ({ status } = view);
  });
  update({ run: opened, told });
  await listRuns();
}

async function listRuns(): Promise<void> {
  const { name } = state.shown;
  if (name === undefined) return;
  update({ runs: (await executor.runs.list({ workflow: name, limit: MAX_RUNS })).items });
}

async function begin(): Promise<void> {
  const shown = await ask<ShownWorkflow>("workflow");
  update({ shown });
  document.title = shown.name ?? shown.file;
  if (shown.name === undefined) return;
  const run = location.hash.slice(1);
  await showRun(run === "" ? {} : { run });
  // What the command line does with runs meanwhile.
  executor.runs.watch(() => void listRuns());
}

/** A file that is wrong leaves the page as it is, with what is wrong above it. */
async function readAgain(): Promise<void> {
  const shown = await ask<ShownWorkflow>("workflow");
  if (shown.isRight) location.reload();
  else update({ shown: { ...state.shown, problems: shown.problems } });
}

function view({ shown, run, told, runs }: State): TemplateResult {
  return html`
    <header>
      <h1>${shown.name ?? "wavepoint dev"}</h1>
      <code>${shown.file}</code>
    </header>
    ${shown.problems.length > 0 ? html`<section class="problems" role="alert">${shown.problems.map(problemView)}</section>` : nothing}
    ${told === undefined ? nothing : html`<p class="told" role="status">${told}</p>`}
    ${run ? html`<wavepoint-run .run=${run}></wavepoint-run>` : nothing}
    ${
      run
        ? html`<section aria-labelledby="graph-title">
            <h2 id="graph-title">Graph</h2>
            <wavepoint-waves .executor=${executor} .run=${run}></wavepoint-waves>
          </section>`
        : nothing
    }
    ${shown.name !== undefined ? runsView(runs, run?.id) : nothing}
  `;
}

function problemView({ place, kind, message, lines }: ShownProblem): TemplateResult {
  return html`<article>
    <p><code>${place}</code> <b>${kind}</b></p>
    <p>${message}</p>
    ${lines.length > 0 ? html`<pre>${lines.join("\n")}</pre>` : nothing}
  </article>`;
}

function runsView(runs: readonly RunHead[], open: string | undefined): TemplateResult {
  return html`<section aria-labelledby="runs-title">
    <h2 id="runs-title">Runs</h2>
    <button type="button" @click=${() => void showRun({})}>New run</button>
    <ul>
      ${repeat(
        runs,
        ({ id }) => id,
        ({ id, status, updatedAt }) =>
          html`<li>
            <a href=${`#${id}`} aria-current=${id === open ? "true" : nothing}>${id}</a> ${status},
            <time>${new Date(updatedAt).toLocaleTimeString()}</time>
          </li>`,
      )}
    </ul>
  </section>`;
}

define();
events.addEventListener("changed", () => void readAgain());
// The process was started anew: what it tells is of other connections.
events.addEventListener("open", () => events.addEventListener("open", () => location.reload()), { once: true });
addEventListener("hashchange", () => void showRun({ run: location.hash.slice(1) }));
addEventListener("unhandledrejection", ({ reason }) => update({ told: isWorkflowError(reason) ? reason.message : String(reason) }));
void begin();

/** A way to the process that serves the page. */
interface Wire {
  /** Sends a text; texts arrive in the order in which they were sent. */
  send(text: string): void;
  listen(listener: (text: string) => void): void;
}

/** What a page uses as the worker that its engine works in, where that is another process at the end of a wire. */
function engineDoor(wire: Wire): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.addEventListener("message", ({ data, ports }: MessageEvent<Greeting>) => {
    if (data.wavepoint === "hello") port2.postMessage({ wavepoint: "ready" } satisfies Greeting);
    else if (data.wavepoint === "connect") connect(ports[0]!, wire);
  });
  port2.start();
  return port1;
}

function connect(port: MessagePort, wire: Wire): void {
  port.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => wire.send(stringify(data)));
  wire.listen((text) => port.postMessage(parse(text)));
  port.start();
}
