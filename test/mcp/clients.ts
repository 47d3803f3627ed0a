import { Client, InMemoryTransport, type ElicitRequest, type ElicitResult } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpServerFactory } from "@modelcontextprotocol/server";

/** What a person says to a form. */
export type Person = (form: ElicitRequest["params"]) => ElicitResult | Promise<ElicitResult>;

export type Era = "2026" | "2025";

export const ERAS: readonly Era[] = ["2026", "2025"];

/** A client that negotiates one revision. With a person it draws forms. */
export function newClient(era: Era, person?: Person): Client {
  const client = new Client(
    { name: "tests", version: "1" },
    {
      versionNegotiation: { mode: era === "2026" ? { pin: "2026-07-28" } : "legacy" },
      capabilities: person ? { elicitation: { form: {} } } : {},
    },
  );
  if (person) client.setRequestHandler("elicitation/create", ({ params }) => person(params));
  return client;
}

/** Connects a client to a server in this process, as over standard input and output. */
export async function connect(factory: McpServerFactory, era: Era, person?: Person): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  serveStdio(factory, { transport: theirs });
  const client = newClient(era, person);
  await client.connect(ours);
  return client;
}

/** What a tool answered, with the members that tests look into. */
export interface Answer {
  readonly run_id: string;
  readonly checkpoint_id: string;
  readonly pauses: readonly { readonly checkpoint_id: string; readonly prompt: string; readonly schema?: unknown }[];
  readonly workflows: readonly { readonly name: string }[];
  readonly [name: string]: unknown;
}

/** Calls a tool and gives what it answered. */
export async function callTool(client: Client, name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const { structuredContent, content } = await client.callTool({ name, arguments: args });
  if (structuredContent) return structuredContent as unknown as Answer;
  const [first] = content as readonly { readonly text?: string }[];
  return { protocolError: first?.text } as unknown as Answer;
}
