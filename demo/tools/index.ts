import { html, nothing, render } from "lit-html";
import type { Run } from "wavepoint";
import type { ToolsContext } from "./context.ts";
import type { ToolPanel } from "./panel.ts";

export type { ToolsContext } from "./context.ts";

/** The workshop of the page: look into the engine, break it, change what it runs. One element, to stand wherever the page wants it. */
export interface Tools {
  readonly element: HTMLElement;
  /** The page shows this run, or none. */
  show(run: Run | undefined): void;
  /** Opens a tool by its name, and goes there. */
  open(name: string): Promise<void>;
}

interface Tool {
  readonly name: string;
  readonly title: string;
  load(): Promise<(context: ToolsContext) => ToolPanel>;
}

const TOOLS: readonly Tool[] = [
  { name: "worker", title: "Kill the worker", load: async () => (await import("./worker-panel.ts")).workerPanel },
  { name: "faults", title: "Faults", load: async () => (await import("./faults-panel.ts")).faultsPanel },
  { name: "storage", title: "Storage", load: async () => (await import("./storage-panel.ts")).storagePanel },
  { name: "editor", title: "Edit the YAML", load: async () => (await import("./editor-panel.ts")).editorPanel },
  { name: "events", title: "Events", load: async () => (await import("./events-panel.ts")).eventsPanel },
];

/** Makes the workshop. A tool is loaded when it is opened. */
export function toolsPanel(context: ToolsContext): Tools {
  const element = document.createElement("section");
  element.className = "tools card";
  element.setAttribute("aria-labelledby", "tools-title");
  const panels = new Map<string, ToolPanel>();
  let run: Run | undefined;
  let opened: string | undefined;
  let problem: string | undefined;
  draw();

  return {
    element,
    show(next) {
      if (next === run) return;
      run = next;
      if (opened !== undefined) panels.get(opened)?.show(run);
    },
    async open(name) {
      await open(TOOLS.find((tool) => tool.name === name)!);
      element.scrollIntoView();
      element.querySelector<HTMLElement>(`#tool-${name}`)?.focus({ preventScroll: true });
    },
  };

  async function open(tool: Tool): Promise<void> {
    if (opened !== undefined) panels.get(opened)?.hide();
    opened = tool.name;
    problem = undefined;
    draw();
    try {
      if (!panels.has(tool.name)) {
        const makePanel = await tool.load();
        if (!panels.has(tool.name)) panels.set(tool.name, makePanel(context));
      }
      if (opened !== tool.name) return;
      panels.get(tool.name)?.show(run);
    } catch (thrown) {
      if (opened !== tool.name) return;
      problem = `This tool could not be loaded: ${thrown instanceof Error ? thrown.message : String(thrown)} Reload the page to try again.`;
    }
    draw();
  }

  function close(): void {
    if (opened !== undefined) panels.get(opened)?.hide();
    opened = undefined;
    draw();
  }

  /** Arrow keys go from tab to tab, and open what they come to. */
  function move(event: KeyboardEvent, index: number): void {
    const isRightToLeft = getComputedStyle(element).direction === "rtl";
    const step = { ArrowRight: isRightToLeft ? -1 : 1, ArrowLeft: isRightToLeft ? 1 : -1 }[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? TOOLS.length - 1 : step && (index + step + TOOLS.length) % TOOLS.length;
    const tool = to === undefined ? undefined : TOOLS[to];
    if (!tool) return;
    event.preventDefault();
    element.querySelector<HTMLElement>(`#tool-${tool.name}`)?.focus();
    void open(tool);
  }

  function draw(): void {
    const panel = opened === undefined ? undefined : panels.get(opened);
    render(
      html`<div class="tools-head">
          <div>
            <h2 id="tools-title">Workshop</h2>
            <p class="quiet">Look into the engine, break it, and change what it runs.</p>
          </div>
          ${opened === undefined ? nothing : html`<button class="button small quiet-button" type="button" aria-label="Close the workshop" @click=${close}>Close</button>`}
        </div>
        <div class="tab-list" role="tablist" aria-labelledby="tools-title">
          ${TOOLS.map(
            (tool, index) =>
              html`<button
                class="tab"
                type="button"
                role="tab"
                id=${`tool-${tool.name}`}
                aria-selected=${opened === tool.name}
                aria-controls=${opened === tool.name ? "tool-panel" : nothing}
                tabindex=${opened === tool.name || (opened === undefined && index === 0) ? 0 : -1}
                @click=${() => void open(tool)}
                @keydown=${(event: KeyboardEvent) => move(event, index)}
              >
                ${tool.title}
              </button>`,
          )}
        </div>
        ${
          opened === undefined
            ? nothing
            : html`<div class="tool tab-panel" id="tool-panel" role="tabpanel" aria-labelledby=${`tool-${opened}`} tabindex="0">
                ${problem === undefined ? (panel?.element ?? html`<p class="quiet">Loading…</p>`) : html`<p class="tool-problem" role="alert">${problem}</p>`}
              </div>`
        }`,
      element,
    );
  }
}
