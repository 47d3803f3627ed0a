/** What a request gives as `Authorization: Bearer …`; an empty text where it gives nothing. */
export function bearerOf(request: Request): string {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
}

/** Whether a request gives a token as `Authorization: Bearer …`. */
export async function hasToken(request: Request, token: string): Promise<boolean> {
  // Digests take the same time to compare, wherever the texts begin to differ.
  const [wanted, got] = await Promise.all([digest(token), digest(bearerOf(request))]);
  return wanted === got;
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return bytes.join(".");
}
