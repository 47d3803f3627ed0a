import { html, nothing, render, type TemplateResult } from "lit-html";
import type { MovePlan, Run } from "wavepoint";
import { dropDraft, keepDraft, readDraft } from "../drafts.ts";
import { askFirst } from "../parts/ask-first.ts";
import { workflowGraph } from "../parts/workflow-graph.ts";
import { saveFile } from "wavepoint/dashboard";
import { titleOf } from "../wording.ts";
import { problemText } from "../problem-text.ts";
import { checkText, SCHEMA, type CheckedText } from "./check-text.ts";
import { completionsAt } from "./complete-yaml.ts";
import type { ToolsContext } from "./context.ts";
import { dropZone } from "./drop-zone.ts";
import { movePart } from "./move-part.ts";
import { NEW_WORKFLOW } from "./new-workflow.ts";
import type { ToolPanel } from "./panel.ts";
import { problemsPart } from "./problems-part.ts";
import { createYamlEditor } from "./yaml-editor.ts";

/** Names the text that is not a workflow of the page yet. */
const NEW = "";

/** Write and change workflows: with what is wrong in its place, the graph beside it, and what a change means for the open run. */
export function editorPanel(context: ToolsContext): ToolPanel {
  const { engine, examples } = context;
  const { executor } = engine;
  const element = document.createElement("div");
  let run: Run | undefined;
  let isShown = false;
  /** The workflow whose text is open. */
  let opened: string | undefined;
  /** The text that this workflow has without what was typed since. */
  let kept = "";
  /** The workflow that was chosen last; its text may still be on its way. */
  let chosen: string | undefined;
  let opening = Promise.resolve();
  let checked: CheckedText = { problems: [] };
  /** The newest check. */
  let checking = Promise.resolve();
  /** The newest text that could run. */
  let drawable: CheckedText["workflow"];
  let plan: MovePlan | undefined;
  let said = "";
  let problem: string | undefined;
  let isBusy = false;
  const editor = createYamlEditor({
    check: async (text) => (await checkText(text)).problems,
    complete: (text, at) => completionsAt(text, at, SCHEMA),
    onChange: changed,
  });

  return {
    element,
    show(next) {
      const isOther = next?.id !== run?.id;
      run = next;
      isShown = true;
      if (chosen === undefined || (isOther && run !== undefined))
        void openText(run?.getSnapshot().workflow ?? examples.shown[0]?.workflow.name ?? NEW);
      else void planAgain();
    },
    hide() {
      isShown = false;
    },
  };

  function openText(name: string, given?: GivenText): Promise<void> {
    chosen = name;
    opening = readText(name, given);
    return opening;
  }

  async function readText(name: string, given: GivenText | undefined): Promise<void> {
    try {
      const source = (await examples.find(name)?.readSource()) ?? NEW_WORKFLOW;
      // Another one was chosen meanwhile.
      if (chosen !== name) return;
      kept = source;
    } catch (thrown) {
      return tell(thrown);
    }
    opened = name;
    said = "";
    problem = undefined;
    drawable = undefined;
    const text = given?.text ?? (readDraft(draftOf(name)) || kept);
    editor.open(text, given?.file ?? (name === NEW ? "A new workflow" : `YAML of ${titleOf(name)}`));
    changed(text);
  }

  function changed(text: string): void {
    if (opened === undefined) return;
    if (text === kept) dropDraft(draftOf(opened));
    else keepDraft(draftOf(opened), text);
    said = "";
    look(text);
  }

  function look(text: string): void {
    checking = check(text);
  }

  /** Until a text is checked there is nothing that could be kept or run. */
  async function check(text: string): Promise<void> {
    const looking = (checked = { problems: [] });
    draw();
    const found = await checkText(text);
    // Another text was opened or typed meanwhile.
    if (checked !== looking) return;
    checked = found;
    drawable = found.workflow ?? drawable;
    draw();
    void planAgain();
  }

  /** Asks what the text would mean for the open run, where it is of that workflow. */
  async function planAgain(): Promise<void> {
    const { workflow } = checked;
    const asked = run;
    if (!isShown) return;
    if (!asked || workflow?.name !== asked.getSnapshot().workflow) {
      plan = undefined;
      return draw();
    }
    try {
      const found = await asked.plan(workflow);
      if (run !== asked || checked.workflow !== workflow) return;
      plan = found;
    } catch (thrown) {
      plan = undefined;
      problem = problemText(thrown);
    }
    draw();
  }

  /** Does one thing at a time, and says what went wrong with it. */
  async function act(work: () => Promise<string>): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    problem = undefined;
    draw();
    try {
      said = await work();
    } catch (thrown) {
      problem = problemText(thrown);
    }
    isBusy = false;
    draw();
    await planAgain();
  }

  /** Keeps the text, so that everything goes on with it from now on. Gives the name of its workflow. */
  async function keep(): Promise<{ readonly name: string; readonly said: string }> {
    await opening;
    await checking;
    const { workflow } = checked;
    if (!workflow) throw new Error("Only a workflow with nothing wrong can be kept. Look at the list of errors.");
    const { name } = workflow;
    const survives = await context.keepWorkflow(name, editor.text);
    dropDraft(draftOf(opened ?? NEW));
    dropDraft(draftOf(name));
    opened = chosen = name;
    kept = editor.text;
    return {
      name,
      said: survives
        ? `${titleOf(name)} is kept in this browser.`
        : `${titleOf(name)} is kept until you reload: the browser has no room for it.`,
    };
  }

  function save(): Promise<void> {
    return act(async () => (await keep()).said);
  }

  function tryOut(): Promise<void> {
    return act(async () => {
      const { name, said: kept } = await keep();
      const { inputs = {} } = checked.workflow!;
      if (Object.keys(inputs).length > 0) context.openWorkflow(name);
      else context.openRun((await executor.start(name)).id);
      return kept;
    });
  }

  function move(): Promise<void> {
    return act(async () => {
      const { said: kept } = await keep();
      const moved = run!.resume({ definition: "latest" });
      moved.then(planAgain, tell);
      // The blocks that it executes now may take as long as they like.
      await Promise.race([moved, new Promise((resolve) => setTimeout(resolve, MOVE_SHOWN_MS))]);
      return `${kept} The run goes on with it.`;
    });
  }

  function fork(): Promise<void> {
    return act(async () => {
      const from = plan?.forkFrom;
      const inputs = run!.getSnapshot().inputs;
      const { name } = await keep();
      const made =
        from?.checkpoint === undefined
          ? await executor.start(name, inputs)
          : await executor.fork(from.checkpoint, { definition: "latest" });
      context.openRun(made.id);
      return "A new run was made with it; the old one stays as it is.";
    });
  }

  async function forget(): Promise<void> {
    const name = opened;
    if (name === undefined) return;
    const sure = await askFirst({
      title: "Give up your version?",
      text: `${titleOf(name)} as you wrote it. Runs that were started with it keep it.`,
      action: "Give it up",
    });
    if (!sure) return;
    await act(async () => {
      await context.forgetWorkflow(name);
      dropDraft(draftOf(name));
      await openText(examples.find(name) ? name : NEW);
      return "Given up.";
    });
  }

  async function takeIn(file: File): Promise<void> {
    const text = await file.text();
    await openText((await checkText(text)).workflow?.name ?? NEW, { text, file: file.name });
  }

  function tell(thrown: unknown): void {
    problem = problemText(thrown);
    draw();
  }

  function draw(): void {
    const name = opened ?? NEW;
    const isOwn = examples.find(name)?.shelf === "own";
    render(
      html`<div class="tool-bar">
          <label class="tool-choice"
            >Workflow
            <select class="field" @change=${(event: Event) => void openText((event.target as HTMLSelectElement).value)}>
              ${examples.shown.map(
                ({ workflow, shelf }) =>
                  html`<option value=${workflow.name} .selected=${workflow.name === name}>
                    ${titleOf(workflow.name)}${shelf === "own" ? " (yours)" : ""}
                  </option>`,
              )}
              <option value=${NEW} .selected=${name === NEW}>A new workflow</option>
            </select></label
          >
          <button class="button small primary" type="button" aria-disabled=${isBusy || !checked.workflow} @click=${() => void tryOut()}>
            Keep and run
          </button>
          <button class="button small" type="button" aria-disabled=${isBusy || !checked.workflow} @click=${() => void save()}>Keep</button>
          <button class="button small" type="button" @click=${() => saveFile(`${checked.workflow?.name ?? "workflow"}.yaml`, editor.text)}>
            Save as a file
          </button>
          ${isOwn ? html`<button class="button small quiet-button" type="button" @click=${() => void forget()}>Give up my version</button>` : nothing}
        </div>
        <p class="tool-said" role="status">${said}</p>
        ${problem === undefined ? nothing : html`<p class="tool-problem" role="alert">${problem}</p>`}
        <div class="editor-columns">
          <div class="editor-side">
            ${editor.element}
            <p class="quiet">Ctrl+Space completes and Tab indents. To leave the editor, press Escape, then Tab.</p>
            ${problemsPart({ problems: checked.problems, goTo: editor.goTo, mend: editor.mend })}
          </div>
          <div class="editor-side">${graph()}</div>
        </div>
        ${plan ? movePart({ plan, isBusy, move: () => void move(), fork: () => void fork(), leave: () => void save() }) : nothing}
        ${dropZone({
          label: "Open a workflow from a file",
          hint: "Drop a YAML file here, or choose it.",
          accept: ".yaml,.yml",
          take: (file) => void takeIn(file),
        })}`,
      element,
    );
  }

  function graph(): TemplateResult | typeof nothing {
    if (!drawable) return html`<p class="quiet">The graph comes with the first text that has no errors.</p>`;
    return html`${workflowGraph(drawable)} ${checked.workflow ? nothing : html`<p class="quiet">As it was before the last error.</p>`}`;
  }
}

/** A text that someone hands in, and the file that it came from. */
interface GivenText {
  readonly text: string;
  readonly file: string;
}

/** How long the panel waits to hear whether a run took its new definition, in milliseconds. */
const MOVE_SHOWN_MS = 500;

function draftOf(name: string): string {
  return `yaml:${name}`;
}
