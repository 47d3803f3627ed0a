/**
 * The Prompt API as its specification has it (Draft of April 2026), with a model that says what a test gives it. It refuses what browsers refuse: system prompts
 * that come late, kinds of parts that were not announced, too much to read, and sessions that are gone.
 */
export class FakePromptApi {
  static state: "unavailable" | "downloadable" | "available" = "available";
  /** What it says, one reply after another, each in pieces. */
  static replies: (readonly string[])[] = [];
  static readonly asked: { readonly created: CreateOptions; readonly prompts: readonly Prompt[]; readonly constraint: unknown }[] = [];
  static open = 0;
  static languages: readonly string[] = ["en", "de"];

  static async availability(options: CreateOptions = {}): Promise<string> {
    const wanted = [...(options.expectedInputs ?? []), ...(options.expectedOutputs ?? [])].flatMap(({ languages = [] }) => languages);
    return wanted.every((language) => FakePromptApi.languages.includes(language)) ? FakePromptApi.state : "unavailable";
  }

  static async create(options: CreateOptions = {}): Promise<FakePromptApi> {
    options.signal?.throwIfAborted();
    const { initialPrompts = [] } = options;
    if (initialPrompts.slice(1).some(({ role }) => role === "system")) throw new TypeError("A system prompt comes first, and once.");
    if ((await FakePromptApi.availability(options)) !== "available")
      throw new DOMException("Unable to create a text session.", "NotAllowedError");
    return new FakePromptApi(options);
  }

  contextUsage = 0;
  readonly contextWindow: number = 2_000;
  readonly #created: CreateOptions;
  #isGone = false;

  private constructor(created: CreateOptions) {
    this.#created = created;
    this.contextUsage = tokensOf(created.initialPrompts ?? []);
    FakePromptApi.open++;
  }

  async measureContextUsage(prompts: readonly Prompt[]): Promise<number> {
    this.#check(prompts);
    return tokensOf(prompts);
  }

  promptStreaming(
    prompts: readonly Prompt[],
    options: { readonly responseConstraint?: unknown; readonly signal?: AbortSignal } = {},
  ): ReadableStream<string> {
    const { signal, responseConstraint } = options;
    const pieces = [...(FakePromptApi.replies.shift() ?? [])];
    return new ReadableStream<string>({
      start: (controller) => {
        this.#check(prompts);
        signal?.addEventListener("abort", () => controller.error(signal.reason), { once: true });
        FakePromptApi.asked.push({ created: this.#created, prompts, constraint: responseConstraint });
        this.contextUsage += tokensOf(prompts);
        if (this.contextUsage > this.contextWindow) throw new DOMException("The input is too large.", "QuotaExceededError");
      },
      pull: (controller) => {
        const piece = pieces.shift();
        // One that says nothing more is never done: it waits to be told to stop.
        if (piece === HANG) return new Promise(() => {});
        if (piece === undefined) return controller.close();
        this.contextUsage += tokensOf(piece);
        controller.enqueue(piece);
      },
    });
  }

  destroy(): void {
    if (!this.#isGone) FakePromptApi.open--;
    this.#isGone = true;
  }

  #check(prompts: readonly Prompt[]): void {
    if (this.#isGone) throw new DOMException("The session was destroyed.", "InvalidStateError");
    const kinds = new Set((this.#created.expectedInputs ?? []).map(({ type }) => type));
    for (const { role, content } of prompts) {
      if (role === "system") throw new DOMException("A system prompt is an initial prompt.", "NotSupportedError");
      for (const { type, value } of content) {
        if (!kinds.has(type)) throw new DOMException(`${type} was not expected.`, "NotSupportedError");
        if ((type === "text") !== (typeof value === "string")) throw new TypeError(`This is no ${type}.`);
      }
    }
  }
}

/** In the place of a piece: nothing more comes. */
export const HANG = "\u0000hang";

interface CreateOptions {
  readonly initialPrompts?: readonly Prompt[];
  readonly expectedInputs?: readonly Expected[];
  readonly expectedOutputs?: readonly Expected[];
  readonly signal?: AbortSignal;
}

interface Expected {
  readonly type: string;
  readonly languages?: readonly string[];
}

export interface Prompt {
  readonly role: "system" | "user" | "assistant";
  readonly content: readonly { readonly type: string; readonly value: unknown }[];
}

/** A token for each four letters, and 100 for what is no text. */
function tokensOf(read: string | readonly Prompt[]): number {
  if (typeof read === "string") return Math.ceil(read.length / 4);
  return read
    .flatMap(({ content }) => content)
    .reduce((sum, { value }) => sum + (typeof value === "string" ? Math.ceil(value.length / 4) : 100), 0);
}
