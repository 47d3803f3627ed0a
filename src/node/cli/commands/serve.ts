import { WorkflowError } from "../../../index.ts";
import type { Right, Served, ServeOptions } from "../../../server/index.ts";
import { RIGHTS } from "../../../server/protocol/operations.ts";
import { httpListener } from "../../index.ts";
import { CLUSTER_OPTION, EXECUTION_OPTIONS, type Call, type Command } from "../command.ts";
import { DASHBOARD_PATH, withDashboard } from "../dashboard-files.ts";
import { EXIT } from "../exit-code.ts";
import { prepareExecution } from "../grants.ts";
import { placeOptions, readPlace, readPort } from "../http-place.ts";
import { keepGoing, noteEvent, noteWorkflows } from "../keep-going.ts";
import { listen } from "../listen.ts";
import { loadWithPackages } from "../import-module.ts";
import { plainLine } from "../plain-text.ts";
import { readDirectories } from "../read-directories.ts";
import { note } from "../terminal.ts";
import { withExecutor } from "../workspace.ts";

/** A server asks its clients, and takes its workflows from directories. */
const NOT_HERE = new Set(["answers", "json", "workflows"]);
const DEFAULT_PORT = 4100;
const LINK_KEY_VARIABLE = "WAVEPOINT_LINK_KEY";
const TOKEN_VARIABLE = "WAVEPOINT_TOKEN";

export const serveCommand: Command = {
  name: "serve",
  usage: "[DIR...] [OPTIONS]",
  summary: "Let pages and programs start, see and answer runs over HTTP, and continue those that a dead process left.",
  about: [
    "Serves the workflows of directories and of the folders in them, without DIR those of the working directory, until Ctrl-C. Clients call remoteExecutor with the address that it says.",
    "It does what wavepoint worker does, too. Runs live in the store, so a server that is killed loses nothing, and the next one continues them. Any number of servers and workers may share a store.",
    `${LINK_KEY_VARIABLE}, at least 32 random characters, lets clients make links to a question or to a run.`,
    "Install zod beside wavepoint.",
  ],
  takes: { least: 0, most: Infinity },
  options: [
    { name: "port", value: "PORT", about: `The port to listen at; 0 is any that is free. Default: ${DEFAULT_PORT}.` },
    ...placeOptions(TOKEN_VARIABLE),
    {
      name: "allow",
      value: "RIGHT",
      several: true,
      about: `What clients may do: ${RIGHTS.join(", ")}. May be given several times. Default: read, start and answer.`,
    },
    {
      name: "origin",
      value: "ORIGIN",
      several: true,
      about: "Pages of this origin may call it: https://app.example. May be given several times. Default: pages of its own address.",
    },
    CLUSTER_OPTION,
    {
      name: "ui",
      about: `Serve a dashboard of the runs, too, at the path ${DASHBOARD_PATH}. It does what --allow lets clients do, and asks for the token if there is one.`,
    },
    ...EXECUTION_OPTIONS.filter(({ name }) => !NOT_HERE.has(name)),
  ],
  async run(call, terminal) {
    const place = readPlace(call, readPort(call, "port") ?? DEFAULT_PORT, TOKEN_VARIABLE);
    const allow = readRights(call);
    const origins = readOrigins(call);
    const linkKey = process.env[LINK_KEY_VARIABLE];
    const { serve } = await loadWithPackages("serve", ["zod"], () => import("../../../server/index.ts"));
    const { setup } = await prepareExecution(call, terminal);
    const workflows = await readDirectories(call, terminal, setup.blocks);
    let served: Served | undefined;
    const onEvent: typeof setup.onEvent = (event) => {
      served?.onEvent(event);
      noteEvent(event, terminal);
    };
    await withExecutor({ call, terminal }, { ...setup, workflows, onEvent }, async (executor) => {
      const options: ServeOptions = {
        executor,
        hosts: place.hosts,
        origins,
        ...(linkKey && { linkKey }),
        onError: (error) => note(terminal, plainLine(String(error))),
        ...(allow.length > 0 && { allow }),
        // Without a token only this machine reaches the server.
        ...(place.token === undefined ? { authorize: () => true } : { token: place.token }),
      };
      served = serve(options);
      const handle = call.has("ui") ? withDashboard(served.fetch, place) : served.fetch;
      const { url, close } = await listen(httpListener(handle), place);
      try {
        noteWorkflows(workflows, terminal);
        note(terminal, `Listening at ${url}`);
        if (call.has("ui")) note(terminal, `Dashboard at ${url}${DASHBOARD_PATH}`);
        await keepGoing(executor, workflows, terminal.signal);
      } finally {
        served.close();
        await close();
      }
    });
    return EXIT.completed;
  },
};

/** Throws `COMMAND_INVALID` for a text that no page sends as its origin. */
function readOrigins(call: Call): readonly string[] {
  const origins = call.values("origin");
  const wrong = origins.find((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin);
  if (wrong === undefined) return origins;
  throw new WorkflowError(
    "COMMAND_INVALID",
    `--origin ${plainLine(wrong)} is no origin. Give scheme, name and port alone: https://app.example.`,
  );
}

/** Throws `COMMAND_INVALID`. */
function readRights(call: Call): readonly Right[] {
  return call.values("allow").map((given) => {
    const right = RIGHTS.find((one) => one === given);
    if (right !== undefined) return right;
    throw new WorkflowError("COMMAND_INVALID", `--allow ${plainLine(given)} is no right. There are ${RIGHTS.join(", ")}.`);
  });
}
