// A client in a process of its own, which can be killed. It tells in lines what happens: when it is connected, progress, questions, results.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** @type {{ readonly era: "2025" | "2026", readonly url?: string, readonly command?: { readonly args: string[], readonly cwd: string }, readonly answers?: Record<string, string>, readonly calls: [string, object][] }} */
const { era, url, command, answers, calls } = JSON.parse(process.argv[2] ?? "");
const tell = (/** @type {object} */ line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const client = new Client(
  { name: "killed", version: "1" },
  {
    versionNegotiation: { mode: era === "2026" ? { pin: "2026-07-28" } : "legacy" },
    capabilities: answers ? { elicitation: { form: {} } } : {},
  },
);
if (answers) {
  client.setRequestHandler("elicitation/create", ({ params: { message } }) => {
    const answer = answers[message];
    if (answer !== undefined) return { action: "accept", content: { answer } };
    tell({ asked: message });
    return new Promise(() => {});
  });
}
if (url === undefined) {
  await client.connect(new StdioClientTransport({ command: process.execPath, args: command?.args ?? [], cwd: command?.cwd }));
} else {
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
}
tell({ connected: true });
for (const [name, given] of calls) {
  const { structuredContent } = await client.callTool(
    { name, arguments: { ...given } },
    { onprogress: ({ message }) => tell({ progress: message }) },
  );
  tell({ result: structuredContent });
}
// The test kills the process.
setInterval(() => {}, 60_000);
