import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { mcpServer, type McpServerOptions } from "../../../mcp/index.ts";

/** Serves one client over standard input and output, until it closes them or the signal aborts. */
export async function serveOverStdio(options: McpServerOptions, { signal, onError }: Serving): Promise<void> {
  const handle = serveStdio(mcpServer(options), { onerror: onError });
  await new Promise<void>((resolve) => {
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await handle.close();
}

export interface Serving {
  readonly signal: AbortSignal;
  /** Told of what clients send that cannot be read. */
  onError(error: Error): void;
}
