import { errorData, type ErrorData } from "../core/model/errors.ts";
import type { Pause } from "../core/model/run.ts";
import type { Values } from "../core/model/value.ts";
import type { RunView } from "../core/model/view.ts";
import type { Run } from "../core/run/run.ts";
import { followPause, type Source, type UsedPause } from "./follow-pause.ts";

/** A run that is opened or started, and then followed, with the question that it asks. It is loading, there, or could not be opened. */
export type UsedWizard<Outputs = Values, Asks = Pause> =
  | Loading
  | {
      readonly isLoading: false;
      readonly run: Run<Outputs, Asks>;
      /** The run as it stands. */
      readonly view: RunView<Outputs, Asks>;
      /** The question that is shown: after Back, and after a changed answer, the one that was opened again. */
      readonly question: UsedPause;
      readonly error?: undefined;
      readonly retry?: undefined;
    }
  | {
      readonly isLoading: false;
      readonly run?: undefined;
      readonly view?: undefined;
      readonly question?: undefined;
      /** Why it could not be opened or started. */
      readonly error: ErrorData;
      /** Tries it again, for all who follow it: it is loading at once. */
      readonly retry: () => void;
    };

interface Loading {
  readonly isLoading: true;
  readonly run?: undefined;
  readonly view?: undefined;
  readonly question?: undefined;
  readonly error?: undefined;
  readonly retry?: undefined;
}

/** Before it is known whether there is a run. */
export const LOADING: Loading = { isLoading: true };

/** What is shown of a wizard on a server, where no run is started. */
export const NO_WIZARD: Source<UsedWizard> = {
  getSnapshot: () => LOADING,
  subscribe(listener) {
    listener();
    return () => {};
  },
};

/** The wizard of one executor, workflow and id: its run is opened once, for all that follow it. */
export class SharedWizard {
  readonly #listeners = new Set<() => void>();
  #state: UsedWizard = LOADING;
  /** As the one that came last opens it. */
  #open!: () => Promise<Run>;
  #opening: Promise<void> | undefined;
  #opened: { readonly run: Run; readonly question: Source<UsedPause> } | undefined;
  #leaveRun = (): void => {};

  get isFollowed(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls the listener now and after each change, perhaps more often. Gives the function that ends it. */
  follow(listener: () => void, open: () => Promise<Run>): () => void {
    this.#open = open;
    if (!this.isFollowed) {
      // The first one after a failure tries it again. Others show the error: they may be there to do so.
      if (!this.#opening && !this.#opened) this.#state = LOADING;
      this.#followRun();
    }
    // A listener that throws does not keep the others from being called; its error is not caught.
    const own = async (): Promise<void> => listener();
    this.#listeners.add(own);
    listener();
    void this.#begin();
    return () => {
      if (this.#listeners.delete(own) && !this.isFollowed) this.#leaveRun();
    };
  }

  /** The state as it stands: the same object until something changes. */
  look(): UsedWizard {
    if (!this.#opened) return this.#state;
    const { run } = this.#opened;
    const view = run.getSnapshot();
    const question = this.#opened.question.getSnapshot();
    if (this.#state.view !== view || this.#state.question !== question) this.#state = { isLoading: false, run, view, question };
    return this.#state;
  }

  /** Resolves when nothing is being opened, a moment later at the earliest: who left may be back by then. */
  async rest(): Promise<void> {
    await this.#opening;
  }

  async #begin(): Promise<void> {
    // Nothing is opened for one that leaves at once, as where a page is drawn on a server.
    await Promise.resolve();
    if (!this.isFollowed || this.#opening || this.#opened || this.#state !== LOADING) return;
    await (this.#opening = this.#openRun());
    this.#opening = undefined;
    this.#tell();
  }

  async #openRun(): Promise<void> {
    try {
      const run = await this.#open();
      this.#opened = { run, question: followPause(run) };
    } catch (thrown) {
      this.#state = { isLoading: false, error: errorData(thrown, "STORE_FAILED"), retry: () => this.#retry() };
    }
    // At once: one that comes before the next turn follows the run itself if nothing else does.
    if (this.isFollowed) this.#followRun();
  }

  #retry(): void {
    if (this.#opening || this.#opened) return;
    this.#state = LOADING;
    this.#tell();
    void this.#begin();
  }

  #followRun(): void {
    if (!this.#opened) return;
    const { run, question } = this.#opened;
    const tell = (): void => this.#tell();
    const leaving = [run.subscribe(tell), question.subscribe(tell)];
    this.#leaveRun = () => leaving.forEach((leave) => leave());
  }

  #tell(): void {
    for (const listener of this.#listeners) void listener();
  }
}
