/** A server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** What to give back as `Last-Event-ID`. */
  readonly id?: string;
}

/** Reads server-sent events from the body of a response, one after another, until it ends. Comments are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (text + value.replaceAll("\r", "")).split("\n\n");
      text = parts.pop()!;
      for (const part of parts) {
        const event = readEvent(part);
        if (event) yield event;
      }
    }
  } finally {
    // Who leaves before the end ends the request.
    reader.cancel().catch(() => {});
  }
}

function readEvent(text: string): ServerEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === undefined) continue;
    fields.set(name, name === "data" && fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const data = fields.get("data");
  const id = fields.get("id");
  return data === undefined ? undefined : { event: fields.get("event") ?? "message", data, ...(id !== undefined && { id }) };
}
