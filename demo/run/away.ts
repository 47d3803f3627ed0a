import { html, nothing, type TemplateResult } from "lit-html";
import { isWorkflowError, type Executor, type Run, type RunView } from "wavepoint";
import { problemText } from "../problem-text.ts";
import type { RunThere, Server } from "./move-to-server.ts";
import { DEFAULT_ADDRESS, serverAddress } from "./server-address.ts";

/** The run of the page, where it is at a server. */
export interface Away {
  /** Asks for a server, and hands the run over to it. */
  handOver(run: Run): Promise<void>;
  /** The run as its server has it. Nothing until this page has called the server. */
  there(view: RunView): RunThere | undefined;
  /** Where the run is, and what can be done about it. Nothing where it is here. */
  template(run: Run, view: RunView): TemplateResult | typeof nothing;
  /** Ends what follows the run. */
  close(): void;
}

interface AwayOptions {
  readonly executor: Executor;
  onChange(): void;
  onProblem(thrown: unknown): void;
  /** The run was sent, or is shown as its server has it: the button that did it is gone. */
  onSent(): void;
  /** Shows the page of a run anew. */
  openRun(run: string): void;
}

const FIRST: Server = { address: DEFAULT_ADDRESS, token: "", accept: true };

const SEND = {
  title: "Hand this run over to a server?",
  text: "It goes on there, from where it stands, and nowhere else. You can still answer it on this page, and bring it back.",
  action: "Hand it over",
  isSent: true,
};
const OPEN = { ...SEND, title: "Answer it here?", text: "This page shows the run as its server has it.", action: "Show it" };
const FETCH = {
  title: "Bring this run back?",
  text: "It goes on in this browser again, with what was answered at the server.",
  action: "Bring it back",
  isSent: false,
};

/** Hands runs over to servers, shows them there, and brings them back. The token stays in memory. */
export function followAway({ executor, onChange, onProblem, onSent, openRun }: AwayOptions): Away {
  /** What the person gave last, for the next time. */
  let last = FIRST;
  let reached: RunThere | undefined;
  let unsubscribe: (() => void) | undefined;
  let isBusy = false;

  return {
    handOver: (run) => ask({ ...SEND, run, server: last, isFixed: false, move: send }),
    there,
    template(run, view) {
      const address = addressOf(view);
      if (address === undefined) return nothing;
      const server = last.address === address ? last : { ...FIRST, address };
      return html`<section class="away card" aria-labelledby="away-title">
        <h2 id="away-title" tabindex="-1">This run is at <code>${address}</code></h2>
        <p class="quiet">
          It goes on there, and nowhere else. ${there(view) ? "What you answer below goes to that server. " : nothing}Timeline, data and
          journal are as they were when it left.
        </p>
        <div class="row-actions">
          <button
            class="button small primary"
            type="button"
            aria-disabled=${isBusy}
            @click=${() => void attempt({ ...FETCH, run, server, isFixed: true, move: fetchBack })}
          >
            Bring it back
          </button>
          ${
            there(view)
              ? nothing
              : html`<button
                  class="button small"
                  type="button"
                  aria-disabled=${isBusy}
                  @click=${() => void attempt({ ...OPEN, run, server, isFixed: true, move: send })}
                >
                  Answer it here
                </button>`
          }
          <a class="button small" href=${`${address}/ui/`} target="_blank" rel="noopener">Open its dashboard</a>
        </div>
      </section>`;
    },
    close,
  };

  function there(view: RunView): RunThere | undefined {
    return view.transferredTo !== undefined && reached?.run.id === view.id ? reached : undefined;
  }

  function close(): void {
    unsubscribe?.();
    void reached?.executor.close().catch(onProblem);
    [reached, unsubscribe] = [undefined, undefined];
  }

  /** Tries it at once with what is known of the server, and asks only where that fails. */
  async function attempt(plan: Plan): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    onChange();
    try {
      await carryOut(plan, plan.server);
      if (plan.isSent) onSent();
    } catch (thrown) {
      await ask({ ...plan, problem: (thrown as Error).message });
    } finally {
      isBusy = false;
      onChange();
    }
  }

  async function ask(plan: Plan): Promise<void> {
    try {
      const { askServer } = await import("./ask-server.ts");
      await askServer({ ...plan, act: (server) => carryOut(plan, server), onProblem });
      // Not before the dialog is closed, which gives the focus back.
      if (plan.isSent && reached?.run.id === plan.run.id) onSent();
    } catch (thrown) {
      onProblem(thrown);
    }
  }

  async function carryOut({ run, move, isSent }: Plan, server: Server): Promise<void> {
    last = server;
    try {
      await move(run, server);
    } catch (thrown) {
      throw new Error(adviceOf(thrown, server, isSent), { cause: thrown });
    } finally {
      // It may have left even where it is not known to have arrived.
      await run.refresh();
      onChange();
    }
  }

  async function send(run: Run, server: Server): Promise<void> {
    const { sendToServer } = await import("./move-to-server.ts");
    const sent = await sendToServer(run.id, executor, server);
    close();
    reached = sent;
    unsubscribe = sent.run.subscribe(onChange);
  }

  async function fetchBack(run: Run, server: Server): Promise<void> {
    const { fetchFromServer } = await import("./move-to-server.ts");
    await fetchFromServer(run.id, executor, server);
    close();
    openRun(run.id);
  }
}

interface Plan {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly isSent: boolean;
  readonly isFixed: boolean;
  readonly run: Run;
  readonly server: Server;
  readonly problem?: string;
  move(run: Run, server: Server): Promise<void>;
}

function addressOf({ transferredTo }: RunView): string | undefined {
  return transferredTo === undefined ? undefined : serverAddress(transferredTo);
}

/** What went wrong, and what to do next. */
function adviceOf(thrown: unknown, { address, accept }: Server, isSent: boolean): string {
  const said = problemText(thrown);
  switch (isWorkflowError(thrown) ? thrown.code : undefined) {
    case "STORE_UNREACHABLE":
      return `No server answers this page at ${address}. Start one with the command below, then try again.`;
    case "ACCESS_DENIED":
      return `The server refused: ${said} Check its token, and start it with the rights in the command below.`;
    case "DEFINITION_UNTRUSTED":
      return isSent && !accept ? "The server has not loaded this workflow. Let it take the workflow from this page, then try again." : said;
    case "RUN_NOT_FOUND":
      return `The server at ${address} does not have this run. It may not have arrived: close this, and choose “Answer it here” to send it again.`;
    default:
      return said;
  }
}
