import { WorkflowError, type Executor } from "../../../index.ts";
import type { McpServerOptions } from "../../../mcp/index.ts";
import { EXECUTION_OPTIONS, type Call, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { prepareExecution } from "../grants.ts";
import { placeOptions, readPlace, readPort, type HttpPlace } from "../http-place.ts";
import { loadWithPackages } from "../import-module.ts";
import type { Serving } from "../mcp/serve.ts";
import { readStateKey } from "../mcp/state-key.ts";
import { plainLine } from "../plain-text.ts";
import { readDirectories } from "../read-directories.ts";
import { note, type Terminal } from "../terminal.ts";
import { openWorkspace, storeAddress, type Workspace } from "../workspace.ts";

/** What a server of other people's clients has no use for. */
const NOT_HERE = new Set(["answers", "json", "workflows"]);
/** What workflows of clients could use; own block types may do all that their code does. */
const GRANTS = ["allow-files", "allow-shell", "allow-host", "blocks"];
const TOKEN_VARIABLE = "WAVEPOINT_MCP_TOKEN";

export const mcpCommand: Command = {
  name: "mcp",
  usage: "[DIR...] [OPTIONS]",
  summary: "Let a chat client start workflows, see runs and put their questions to you (Model Context Protocol).",
  about: [
    "Serves the workflows of directories and of the folders in them, without DIR those of the working directory, over standard input and output: the client starts this command. With --http over HTTP. Runs live in the store, so a server that is killed loses nothing, and the next one continues them.",
    "Clients may see, start and answer all of these workflows, unless options say less. They may bring workflows of their own where you grant neither files, commands, hosts nor block types, or with --inline.",
    "Install @modelcontextprotocol/server and zod beside wavepoint.",
  ],
  takes: { least: 0, most: Infinity },
  options: [
    { name: "read-only", about: "Clients may look at workflows and runs, and change nothing." },
    { name: "may-read", value: "TAG", several: true, about: "Clients see only workflows with this tag. May be given several times." },
    { name: "may-start", value: "TAG", several: true, about: "Clients start only workflows with this tag. May be given several times." },
    {
      name: "may-answer",
      value: "TAG",
      several: true,
      about: "Clients answer only questions of workflows with this tag. May be given several times.",
    },
    { name: "inline", about: "Clients may bring workflows of their own, which may use all that you allow." },
    {
      name: "http",
      value: "PORT",
      about: "Serve over HTTP at this port of this machine, path /mcp, in the place of standard input and output.",
    },
    ...placeOptions(TOKEN_VARIABLE, "With --http: "),
    { name: "workflow-tools", about: "Also offer each workflow as a separate tool." },
    ...EXECUTION_OPTIONS.filter(({ name }) => !NOT_HERE.has(name)),
  ],
  async run(call, terminal) {
    const serve = await loadServer(call);
    const { setup } = await prepareExecution(call, terminal);
    const workflows = await readDirectories(call, terminal, setup.blocks);
    let workspace: Promise<Workspace> | undefined;
    const ending = new AbortController();
    const signal = AbortSignal.any([terminal.signal, ending.signal]);
    const open = async (): Promise<Executor> => {
      workspace = openWorkspace({ call, terminal }, { ...setup, workflows });
      const { executor } = await workspace;
      // Continues runs that a killed server left, without a request of a client.
      executor.recover({ watch: true, signal }).catch((error: unknown) => {
        if (!signal.aborted) note(terminal, plainLine(String(error)));
      });
      return executor;
    };
    const key = readStateKey(storeAddress(call));
    const options: McpServerOptions = {
      executor: open,
      workflows,
      blocks: setup.blocks,
      access: accessOf(call),
      secrets: setup.secrets,
      workflowTools: call.has("workflow-tools"),
      ...(key === undefined ? {} : { key }),
    };
    try {
      await serve(options, { signal: terminal.signal, onError: ({ message }) => note(terminal, plainLine(message)) }, terminal);
    } finally {
      // A client that ends its server closes the store, too: it is watched no longer.
      ending.abort();
      // One that could not be opened has said so to the client.
      await (await workspace?.catch(() => undefined))?.close();
    }
    return EXIT.completed;
  },
};

type Serve = (options: McpServerOptions, serving: Serving, terminal: Terminal) => Promise<void>;

/** Throws `COMMAND_INVALID`. */
async function loadServer(call: Call): Promise<Serve> {
  const place = readHttp(call);
  if (!place) {
    return loadWithPackages("mcp", ["@modelcontextprotocol/server", "zod"], async () => (await import("../mcp/serve.ts")).serveOverStdio);
  }
  const packages = ["@modelcontextprotocol/server", "@modelcontextprotocol/node", "zod"];
  const { serveOverHttp } = await loadWithPackages("mcp", packages, () => import("../mcp/serve-http.ts"));
  const { token, hosts, address, port } = place;
  return (options, serving, terminal) =>
    serveOverHttp(
      { ...options, ...(token === undefined ? {} : { token }), hosts, origins: hosts },
      { address, port, ...serving, onListening: (url) => note(terminal, `Listening at ${url}`) },
    );
}

/** Returns where the server listens, if it should. Throws `COMMAND_INVALID`, also if others could reach it without a token. */
function readHttp(call: Call): HttpPlace | undefined {
  const port = readPort(call, "http");
  if (port !== undefined) return readPlace(call, port, TOKEN_VARIABLE);
  if (call.has("listen") || call.has("host")) throw new WorkflowError("COMMAND_INVALID", "--listen and --host go with --http PORT.");
  return undefined;
}

function accessOf(call: Call): NonNullable<McpServerOptions["access"]> {
  const tags = (option: string): boolean | readonly string[] => (call.has(option) ? call.values(option) : true);
  const isReadOnly = call.has("read-only");
  return {
    read: tags("may-read"),
    start: !isReadOnly && tags("may-start"),
    answer: !isReadOnly && tags("may-answer"),
    inline: !isReadOnly && (call.has("inline") || !GRANTS.some((grant) => call.has(grant))),
  };
}
