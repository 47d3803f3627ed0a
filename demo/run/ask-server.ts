import { html, nothing, render, type TemplateResult } from "lit-html";
import { showDialog } from "../dialog.ts";
import type { Server } from "./move-to-server.ts";
import { serveCommand, serverAddress } from "./server-address.ts";

interface AskServerOptions {
  readonly title: string;
  readonly text: string;
  /** The word on the button that goes ahead. */
  readonly action: string;
  /** What the fields hold at first. */
  readonly server: Server;
  /** The run is at this server already, so its address cannot be changed. */
  readonly isFixed: boolean;
  /** Whether the server is to get the workflow, too. */
  readonly isSent: boolean;
  /** Why it failed before. */
  readonly problem?: string;
  /** Tries it. Throws an error whose message says what to do next. */
  act(server: Server): Promise<void>;
  /** What failed after the person had closed the dialog. */
  onProblem(thrown: unknown): void;
}

const WRONG_ADDRESS =
  "This page may call servers on this computer only. Give an address that begins with http://127.0.0.1 or http://localhost.";

/** Asks for a server, and stays open until the move is made or the person gives up. */
export async function askServer(options: AskServerOptions): Promise<void> {
  let { problem } = options;
  let hasFailed = problem !== undefined;
  let isBusy = false;
  await showDialog(form(), { labelledBy: "server-title", describedBy: "server-text" });

  async function submit(event: SubmitEvent): Promise<void> {
    if ((event.submitter as HTMLButtonElement | null)?.value === "keep") return;
    event.preventDefault();
    if (isBusy) return;
    const shown = event.currentTarget as HTMLFormElement;
    const dialog = shown.closest("dialog")!;
    const given = new FormData(shown);
    const address = options.isFixed ? options.server.address : serverAddress(textOf(given, "address"));
    const draw = (): void => void render(form(), dialog);
    isBusy = true;
    problem = undefined;
    draw();
    try {
      if (address === undefined) throw new Error(WRONG_ADDRESS);
      await options.act({ address, token: textOf(given, "token"), accept: given.has("accept") });
      dialog.close("go");
    } catch (thrown) {
      if (!dialog.open) options.onProblem(thrown);
      problem = thrown instanceof Error ? thrown.message : String(thrown);
      hasFailed = true;
    } finally {
      isBusy = false;
      draw();
    }
  }

  function form(): TemplateResult {
    const { title, text, action, server, isFixed, isSent } = options;
    return html`<form method="dialog" autocomplete="off" @submit=${(event: SubmitEvent) => void submit(event)}>
      <h2 id="server-title">${title}</h2>
      <p id="server-text">${text}</p>
      ${
        isFixed
          ? nothing
          : html`<label for="server-address">Address of the server</label>
              <input class="field" id="server-address" name="address" inputmode="url" value=${server.address} required autofocus />`
      }
      <label for="server-token">Its token, if it has one</label>
      <input class="field" id="server-token" name="token" type="password" value=${server.token} autocomplete="off" />
      ${
        isSent
          ? html`<label class="ask-check"
              ><input type="checkbox" name="accept" ?checked=${server.accept} />
              <span>Let the server take the workflow from this page</span></label
            >`
          : nothing
      }
      ${problem === undefined ? nothing : html`<p class="field-error" role="alert">${problem}</p>`}
      <details ?open=${hasFailed}>
        <summary>No server yet?</summary>
        <p>In a folder where you installed <code>wavepoint</code> and <code>zod</code>:</p>
        <pre><code>${serveCommand()}</code></pre>
      </details>
      <div class="answers">
        <button class="button primary" value="go" aria-disabled=${isBusy}>${isBusy ? "Moving it…" : action}</button>
        <button class="button" value="keep" formnovalidate>Not now</button>
      </div>
    </form>`;
  }
}

function textOf(form: FormData, name: string): string {
  return String(form.get(name) ?? "").trim();
}
