import { onTestFinished } from "vitest";
import {
  createExecutor,
  defineBlock,
  failure,
  WorkflowError,
  type Executor,
  type FileValue,
  type Run,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { define, type Messages, type WavepointHistory, type WavepointRun, type WavepointWaves } from "wavepoint/elements";
import { memoryStore } from "wavepoint/store/memory";

/** Shows a state in a place of its own until the test is over. */
export async function showState(name: string, messages: Messages): Promise<HTMLElement> {
  const place = document.createElement("div");
  document.body.append(place);
  onTestFinished(() => place.remove());
  await ELEMENT_STATES.find((state) => state.name === name)!.show(place, messages);
  return place;
}

/** A state in which people find the elements, drawn into a place of the page. */
export interface ElementState {
  readonly name: string;
  show(place: HTMLElement, messages: Messages): Promise<void>;
}

const ask: Workflow["blocks"][number] = {
  id: "damage",
  type: "AskChoice",
  inputs: { question: "What was damaged?", choices: ["Car", "Home", "Something else"] },
};
const claim: Workflow = {
  name: "claim",
  blocks: [
    ask,
    {
      id: "details",
      type: "Form",
      dependsOn: ["damage"],
      inputs: {
        title: "Tell us what happened",
        prompt: "A few sentences are enough. You can add more later.",
        fields: [
          { name: "name", title: "Your name", description: "As it stands in your policy." },
          { name: "email", title: "E-mail", format: "email" },
          { name: "day", title: "When did it happen?", format: "date" },
          { name: "story", title: "What happened?", format: "multiline" },
          { name: "cost", type: "number", title: "Estimated cost", required: false },
          { name: "hurt", type: "boolean", title: "Was anyone hurt?" },
          { name: "photo", type: "file", title: "A photo of the damage", required: false },
        ],
      },
    },
    {
      id: "sure",
      type: "ConfirmOperation",
      dependsOn: ["details"],
      inputs: { message: "Send the claim?", details: { damaged: "${blocks.damage.choice}", name: "${blocks.details.name}" } },
    },
  ],
  outputs: { number: "C-2041", damaged: "${blocks.damage.choice}" },
};
const answers: readonly Value[] = [
  "Home",
  { name: "Ada Lovelace", email: "ada@example.org", day: "2027-02-01", story: "A branch fell on the roof.", hurt: false },
  "yes",
];

const blocks = [
  defineBlock({
    type: "Endless",
    execute: ({ signal }) => new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(new Error("Stopped.")))),
  }),
  defineBlock({ type: "Broken", execute: () => failure("The register of policies does not answer.") }),
];

/** A workflow that comes, after one question, to one block. */
function upTo(block: Omit<Workflow["blocks"][number], "id" | "dependsOn">): Workflow {
  return { name: "claim", blocks: [ask, { ...block, id: "look", dependsOn: ["damage"] }] };
}

/** A workflow that asks for a list, then whether all of it is right. */
const household: Workflow = {
  name: "household",
  blocks: [
    {
      id: "people",
      type: "Form",
      inputs: {
        title: "Who lives with you?",
        prompt: "Name each person.",
        fields: [
          {
            name: "people",
            type: "array",
            title: "People",
            item: "Person",
            max_items: 3,
            fields: [
              { name: "name", title: "Name" },
              { name: "age", type: "integer", title: "Age", minimum: 0, required: false },
            ],
          },
        ],
      },
    },
    {
      id: "look",
      type: "Review",
      dependsOn: ["people"],
      inputs: { title: "Check your answers", prompt: "You can still change all of this.", declaration: "All of this is true." },
    },
  ],
};

/** A workflow that asks with the controls that few forms have, then whether all of it is right. */
const survey: Workflow = {
  name: "survey",
  blocks: [
    {
      id: "visit",
      type: "Form",
      inputs: {
        title: "Your visit",
        prompt: "It takes two minutes.",
        fields: [
          { heading: "How it was" },
          { name: "stars", title: "All in all", type: "integer", format: "rating", minimum: 1, maximum: 5 },
          {
            name: "parts",
            title: "Were you happy with",
            type: "object",
            format: "matrix",
            rows: [
              { value: "crew", title: "The crew" },
              { value: "food", title: "The food" },
            ],
            enum: ["No", "Partly", "Yes"],
          },
          { name: "next", title: "What should we do first?", type: "array", format: "ranking", enum: ["Wifi", "Quiet nights"] },
          { name: "harbour", title: "From where?", enum: Array.from({ length: 16 }, (_, i) => `Harbour ${i + 1}`) },
          { name: "wood", title: "Which wood?", enum: ["Larch", "Oak"], other: true },
          { name: "paid", title: "What did you pay?", type: "integer", format: "money", currency: "EUR", minimum: 0 },
          { name: "weight", title: "Your luggage", type: "number", unit: "kg", required: false },
          { name: "home", title: "Your address", type: "object", format: "address", required: false },
          { name: "photos", title: "Photo", type: "file", multiple: true, required: false },
          { name: "signed", title: "Your signature", type: "file", capture: "signature" },
        ],
      },
    },
    {
      id: "look",
      type: "Review",
      dependsOn: ["visit"],
      inputs: { title: "Check your answers", prompt: "You can still change all of this." },
    },
  ],
};

/** A workflow that asks for several choices, of which one stands alone, and for a file of some kinds. */
const health: Workflow = {
  name: "health",
  blocks: [
    {
      id: "health",
      type: "Form",
      inputs: {
        title: "Your health",
        prompt: "The crew has to know.",
        fields: [
          {
            name: "has",
            type: "array",
            title: "What do you have?",
            enum: ["Asthma", "An allergy", { value: "none", title: "None of these" }],
            exclusive: ["none"],
          },
          { name: "letter", type: "file", title: "A letter of your doctor", accept: "application/pdf,image/*", max_bytes: 5_000_000 },
        ],
      },
    },
  ],
};

/** A picture as a file. */
async function picture(name: string): Promise<FileValue> {
  const canvas = new OffscreenCanvas(600, 200);
  canvas.getContext("2d");
  const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
  return { name, type: "image/png", size: bytes.length, bytes };
}

/** A workflow whose first question an event ends. */
const invited: Workflow = {
  name: "invited",
  blocks: [
    {
      id: "comes",
      type: "GetInput",
      inputs: { prompt: "Who comes?" },
      onEvent: { called_off: "skip" },
      answerTimeoutMs: 3_600_000,
    },
    { id: "else", type: "GetInput", dependsOn: [{ block: "comes", required: false }], inputs: { prompt: "Anything else?" } },
  ],
};

interface Shown {
  readonly run: Run;
  readonly executor: Executor;
  readonly store: Store;
  readonly element: WavepointRun;
  openTab(): Executor;
}

function state(
  name: string,
  { workflow = claim, answered = 0 }: { readonly workflow?: Workflow; readonly answered?: number },
  reach: (shown: Shown) => Promise<unknown> | void = () => undefined,
): ElementState {
  return {
    name,
    async show(place, messages) {
      define();
      const store = memoryStore();
      const openTab = (): Executor => createExecutor({ store, blocks, workflows: [workflow] });
      const executor = openTab();
      const run = await executor.start(workflow.name);
      await until(() => run.getSnapshot().pauses.length > 0);
      for (const answer of answers.slice(0, answered)) await run.answer(run.getSnapshot().pauses[0]!.id, answer);
      const element = Object.assign(document.createElement("wavepoint-run"), { run, messages });
      place.append(element);
      await until(() => element.querySelector("[part~=heading]"));
      await reach({ run, executor, store, element, openTab });
    },
  };
}

/** Every state of `<wavepoint-run>`, and `<wavepoint-history>` and `<wavepoint-waves>` beside one. */
export const ELEMENT_STATES: readonly ElementState[] = [
  state("asking a choice", {}),
  state("asking with a form", { answered: 1 }),
  state("asking for a confirmation", { answered: 2 }),
  state("with a draft", { answered: 1 }, async ({ run, element }) => {
    type(element, "Ada");
    await until(() => run.getSnapshot().pauses[0]?.draft);
  }),
  state("with errors", { answered: 1 }, ({ element }) => submit(element, "[part~=summary]")),
  state("asking before it is cancelled", {}, async ({ element }) => {
    await press(element.querySelector("[part~=more] button")!);
    await until(() => part(element, "danger"));
  }),
  state("sending", { answered: 1 }, async ({ element, store, run }) => {
    await run.saveDraft(run.getSnapshot().pauses[0]!.id, answers[1] as Value);
    store.commit = () => new Promise<never>(() => {});
    await submit(element, "[aria-busy=true]");
  }),
  state("without room on the device", { answered: 1 }, async ({ element, store, run }) => {
    await run.saveDraft(run.getSnapshot().pauses[0]!.id, answers[1] as Value);
    store.commit = () => Promise.reject(new WorkflowError("STORE_QUOTA", "Full."));
    await submit(element, "[part~=summary]");
  }),
  state("with a draft that is not kept", { answered: 1 }, async ({ element, store }) => {
    store.putNote = () => Promise.reject(new WorkflowError("STORE_QUOTA", "Full."));
    type(element, "Ada");
    await until(() => part(element, "error"));
  }),
  state("answered in another tab", { answered: 1 }, async ({ run, element, openTab }) => {
    type(element, "Ada");
    const there = await openTab().open(run.id);
    await there.answer(run.getSnapshot().pauses[0]!.id, answers[1] as Value);
    await until(() => part(element, "notice"));
  }),
  state("taken back in another tab", { answered: 1 }, async ({ run, element, openTab }) => {
    type(element, "Ada");
    await (await openTab().open(run.id)).back();
    await until(() => part(element, "heading")?.textContent === "What was damaged?");
  }),
  state(
    "working in another tab",
    { workflow: upTo({ type: "Endless", description: "Looking for your policy" }) },
    async ({ run, element, openTab }) => {
      void (await openTab().open(run.id)).answer(run.getSnapshot().pauses[0]!.id, "Home");
      await until(() => element.querySelector("progress:not([value])"));
    },
  ),
  state("asking until an instant", { workflow: invited }),
  state("ended by an event", { workflow: invited }, async ({ run, element }) => {
    type(element, "Ada");
    await until(() => run.getSnapshot().pauses[0]?.draft);
    await run.signal("called_off");
    await until(() => part(element, "notice"));
  }),
  state("asking for a list", { workflow: household }, ({ element }) => until(() => part(element, "item"))),
  state("with an entry more", { workflow: household }, async ({ element }) => {
    await until(() => part(element, "item"));
    await press(part(element, "add")!);
    await until(() => element.querySelectorAll("[part~=item]").length === 2);
  }),
  state("with an entry in another place", { workflow: household }, async ({ element }) => {
    await until(() => part(element, "item"));
    await press(part(element, "add")!);
    await press(element.querySelector('[part~=move][aria-label="Move Person 1 down"], [part~=move]:not([aria-disabled=true])')!);
  }),
  state("with an entry less", { workflow: household }, async ({ element }) => {
    await until(() => part(element, "item"));
    await press(part(element, "add")!);
    await until(() => element.querySelectorAll("[part~=item]").length === 2);
    await press(part(element, "remove")!);
    await until(() => element.querySelectorAll("[part~=item]").length === 1);
  }),
  state("with errors in a list", { workflow: household }, async ({ element }) => {
    await until(() => part(element, "item"));
    await submit(element, "[part~=summary]");
  }),
  state("looking everything over", { workflow: household }, async ({ run, element }) => {
    await run.answer(run.getSnapshot().pauses[0]!.id, { people: [{ name: "Ada", age: 36 }, { name: "Grace" }] });
    await until(() => part(element, "review-line"));
  }),
  state("looking everything over, with errors", { workflow: household }, async ({ run, element }) => {
    await run.answer(run.getSnapshot().pauses[0]!.id, { people: [{ name: "Ada", age: 36 }] });
    await until(() => part(element, "review-line"));
    await submit(element, "[part~=summary]");
  }),
  state("asking with rare controls", { workflow: survey }, ({ element }) => until(() => part(element, "signature"))),
  state("asking with rare controls, with errors", { workflow: survey }, async ({ element }) => {
    await until(() => part(element, "signature"));
    await submit(element, "[part~=summary]");
  }),
  state("searching a list", { workflow: survey }, async ({ element }) => {
    await until(() => part(element, "combobox"));
    const control = part(element, "combobox")!.querySelector("input")!;
    control.focus();
    control.value = "1";
    control.dispatchEvent(new Event("input", { bubbles: true }));
    await until(() => element.querySelector("[part~=listbox]:not([hidden])"));
  }),
  state("writing another choice", { workflow: survey }, async ({ element }) => {
    await until(() => part(element, "signature"));
    const options = [...element.querySelectorAll<HTMLElement>("[part~=option]")];
    options[options.findIndex((option) => option.textContent!.trim() === "Oak") + 1]!.click();
    await until(() => part(element, "revealed"));
  }),
  state("with a choice that stands alone", { workflow: health }, async ({ element }) => {
    await until(() => part(element, "divider"));
    const boxes = element.querySelectorAll<HTMLInputElement>("[part~=option] input");
    boxes[0]!.click();
    await until(() => element.run!.getSnapshot().pauses[0]?.draft);
    boxes[2]!.click();
    await until(() => boxes[2]!.checked && !boxes[0]!.checked);
  }),
  state("with a file of another kind", { workflow: health }, async ({ element }) => {
    await until(() => part(element, "drop"));
    element.querySelector<HTMLInputElement>("[part~=option] input")!.click();
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(2_048)], "letter.docx", { type: "application/octet-stream" }));
    const input = element.querySelector<HTMLInputElement>("input[type=file]")!;
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await until(() => part(element, "picked"));
    await submit(element, "[part~=summary]");
  }),
  state("looking over pictures", { workflow: survey }, async ({ run, element }) => {
    await run.answer(run.getSnapshot().pauses[0]!.id, {
      stars: 4,
      parts: { crew: "Yes", food: "Partly" },
      next: ["Quiet nights", "Wifi"],
      harbour: "Harbour 7",
      wood: "Cedar",
      paid: 1_050,
      weight: 12.5,
      home: { street: "1 Quay", postal_code: "BN3 1AA", city: "Hove", country: "England" },
      photos: [await picture("deck.png"), await picture("sail.png")],
      signed: await picture("signature.png"),
    });
    await until(() => element.querySelectorAll("canvas:not([hidden])").length === 3);
  }),
  state("with a file that was picked", { answered: 1 }, async ({ element }) => {
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(2_048)], "roof.jpg", { type: "image/jpeg" }));
    const input = element.querySelector<HTMLInputElement>("input[type=file]")!;
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await until(() => part(element, "picked"));
  }),
  state("with a graph, a block of which is open", { answered: 2 }, async ({ run, executor, element }) => {
    const waves: WavepointWaves = Object.assign(document.createElement("wavepoint-waves"), {
      run,
      executor,
      workflow: claim,
      messages: element.messages,
    });
    element.replaceWith(waves);
    await until(() => part(waves, "list"));
    (part(waves, "list") as HTMLDetailsElement).open = true;
    await until(() => part(waves, "block-name"));
    await press(part(waves, "block-name")!);
    await until(() => part(waves, "panel-values"));
  }),
  state("working", { workflow: upTo({ type: "Endless", description: "Looking for your policy" }) }, async ({ run, element }) => {
    void run.answer(run.getSnapshot().pauses[0]!.id, "Home");
    await until(() => element.querySelector("progress:not([value])"));
  }),
  state(
    "trying again later",
    { workflow: upTo({ type: "Broken", description: "Looking for your policy", retry: { maxAttempts: 3, delayMs: 40_000 } }), answered: 0 },
    async ({ run, element }) => {
      void run.answer(run.getSnapshot().pauses[0]!.id, "Home");
      await until(() => part(element, "mark"));
    },
  ),
  state(
    "waiting for an instant",
    { workflow: upTo({ type: "Wait", description: "The weekend", inputs: { until: "2035-04-01T09:00:00Z" } }) },
    async ({ run, element }) => {
      void run.answer(run.getSnapshot().pauses[0]!.id, "Home");
      await until(() => part(element, "mark"));
    },
  ),
  state(
    "waiting for an event",
    { workflow: upTo({ type: "Wait", description: "Our expert visits you", inputs: { event: "visited" } }) },
    async ({ run, element }) => {
      void run.answer(run.getSnapshot().pauses[0]!.id, "Home");
      await until(() => part(element, "mark"));
    },
  ),
  state("stopped for now", { workflow: upTo({ type: "Endless" }) }, async ({ run, element }) => {
    void run.answer(run.getSnapshot().pauses[0]!.id, "Home");
    await until(() => run.getSnapshot().pauses.length === 0);
    await run.stop();
    await until(() => part(element, "mark"));
  }),
  state("failed", { workflow: upTo({ type: "Broken" }) }, async ({ run, element }) => {
    await run.answer(run.getSnapshot().pauses[0]!.id, "Home");
    await until(() => part(element, "error"));
  }),
  state("cancelled", {}, async ({ run, element }) => {
    await run.cancel();
    await until(() => part(element, "mark"));
  }),
  state("handed over", {}, async ({ run, element, executor }) => {
    await executor.runs.transfer(run.id, { to: "the office" });
    await run.refresh();
    await until(() => part(element, "mark"));
  }),
  state("completed", { answered: 3 }, ({ element }) => until(() => part(element, "values"))),
  state("reviewing", { answered: 2 }, ({ element }) => review(element)),
  state("changing an answer", { answered: 2 }, async ({ element }) => {
    await review(element);
    await press(element.querySelector("[data-change]")!);
    await until(() => element.querySelector("[part~=review] form"));
  }),
  state("seeing what a change leads to", { answered: 2 }, async ({ element }) => {
    await review(element);
    await press(element.querySelector("[data-change]")!);
    await until(() => element.querySelector("[part~=review] form"));
    element.querySelectorAll<HTMLInputElement>("[part~=review] input")[0]!.click();
    await submit(element, "[part~=preview]");
  }),
  state("reviewing what is over", { answered: 3 }, ({ element }) => review(element)),
  state("with a history", { answered: 2 }, async ({ run, executor, element }) => {
    await executor.fork((await executor.checkpoints.list({ run: run.id })).items[0]!.id);
    const history: WavepointHistory = Object.assign(document.createElement("wavepoint-history"), {
      run,
      executor,
      messages: element.messages,
    });
    element.replaceWith(history);
    await until(() => part(history, "compare"));
  }),
];

function part(element: Element, name: string): HTMLElement | null {
  return element.querySelector(`[part~=${name}]`);
}

async function until(is: () => unknown): Promise<void> {
  const end = performance.now() + 10_000;
  while (!is()) {
    if (performance.now() > end) throw new Error(`The element did not come to its state: ${String(is)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function type(element: Element, text: string): void {
  const control = element.querySelector<HTMLInputElement>("input[part~=control]")!;
  control.value = text;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

async function submit(element: Element, shows: string): Promise<void> {
  element.querySelector("form")!.requestSubmit();
  await until(() => element.querySelector(shows));
}

/** Clicks once the element takes clicks. */
async function press(button: HTMLElement): Promise<void> {
  await until(() => !document.querySelector("[data-new]"));
  button.click();
}

async function review(element: Element): Promise<void> {
  await press(element.querySelector<HTMLElement>("wavepoint-run > [part~=quiet]:last-child")!);
  await until(() => part(element, "review"));
}
