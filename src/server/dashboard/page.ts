/** The page that `wavepoint serve --ui` serves: the runs of the server that the page comes from. */
import { html, render } from "lit-html";
import { isWorkflowError } from "../../core/model/errors.ts";
import { dashboard, type Dashboard, type DashboardRight } from "../../browser/dashboard/index.ts";
import { adoptStyles } from "../../browser/elements/adopt-styles.ts";
import { DASHBOARD_STYLES } from "../../browser/dashboard/styles.ts";
import { callOperation, type Connection } from "../client/requests.ts";
import { remoteExecutor } from "../client/remote-executor.ts";

const STATUS_UNAUTHORIZED = 401;
/** The key of the token in the storage of the session: the token lasts while the tab is open, and survives reloads. */
const KEY = "wavepoint-token";
/** The page stands one folder below the server. */
const SERVER = new URL("..", location.href.replace(/[?#].*$/, "")).href;

const root = document.querySelector<HTMLElement>("#dashboard")!;
let shown: Dashboard | undefined;
let lastStatus = 0;

const connection: Connection = {
  url: SERVER,
  headers: headersOf,
  async fetch(input, init) {
    const response = await fetch(input, init);
    lastStatus = response.status;
    // The token was changed on the server, or is none.
    if (response.status === STATUS_UNAUTHORIZED && shown) askForToken("The server does not take this token any more.");
    return response;
  },
};

function headersOf(): { readonly [name: string]: string } {
  const token = sessionStorage.getItem(KEY);
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

function rightsOf(run?: string): Promise<readonly DashboardRight[]> {
  const input = run === undefined ? {} : { run };
  return callOperation(connection, {
    operation: "server.rights",
    input,
    signal: new AbortController().signal,
    isRepeatable: true,
  }) as Promise<readonly DashboardRight[]>;
}

function show(): void {
  const hasToken = sessionStorage.getItem(KEY) !== null;
  const executor = remoteExecutor(SERVER, { headers: headersOf, fetch: connection.fetch });
  const board = dashboard(root, {
    executor,
    rights: rightsOf,
    place: new URL(SERVER).host,
    ...(hasToken && { signOut: () => askForToken() }),
  });
  shown = {
    close() {
      board.close();
      void executor.close();
    },
  };
}

/** Deletes the token, and asks for another one. */
function askForToken(problem = ""): void {
  shown?.close();
  shown = undefined;
  sessionStorage.removeItem(KEY);
  document.title = "Sign in · Wavepoint";
  root.classList.add("wavepoint-dashboard");
  adoptStyles(root, DASHBOARD_STYLES);
  const draw = (text: string): void => {
    render(
      html`<main>
        <form class="sign-in" @submit=${submit}>
          <h1>Runs</h1>
          <p>
            The server at <b>${new URL(SERVER).host}</b> wants its token: the text in <code>WAVEPOINT_TOKEN</code> where it was started.
          </p>
          <label class="field">
            <span>Token</span>
            <input name="token" type="password" required autocomplete="current-password" aria-describedby="token-problem" />
          </label>
          <p class="error" id="token-problem" role="alert">${text}</p>
          <div class="buttons"><button type="submit" class="primary">Show the runs</button></div>
          <p class="hint">It is kept until you close this tab.</p>
        </form>
      </main>`,
      root,
    );
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const token = String(new FormData(event.currentTarget as HTMLFormElement).get("token")).trim();
    if (token === "") return;
    sessionStorage.setItem(KEY, token);
    const refused = await problemOf();
    if (refused === undefined) return show();
    sessionStorage.removeItem(KEY);
    draw(refused);
  };
  draw(problem);
  root.querySelector("input")?.focus();
}

/** Returns why the server does not let this page read; nothing if it does. */
async function problemOf(): Promise<string | undefined> {
  try {
    await rightsOf();
    return undefined;
  } catch (error) {
    if (!isWorkflowError(error)) throw error;
    return error.code === "ACCESS_DENIED" ? "The server does not take this token, or it may not read runs." : error.message;
  }
}

async function begin(): Promise<void> {
  const { token } = (await (await fetch("config.json")).json()) as { readonly token: boolean };
  if (token && sessionStorage.getItem(KEY) === null) return askForToken();
  if (token) await problemOf();
  // Of all else that is wrong the dashboard says so, and tries again.
  if (lastStatus === STATUS_UNAUTHORIZED) askForToken("The server does not take this token any more.");
  else show();
}

void begin();
