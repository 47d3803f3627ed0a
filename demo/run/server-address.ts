/** Where `wavepoint serve` listens when it is given no port. */
export const DEFAULT_ADDRESS = "http://127.0.0.1:4100";

const THIS_MACHINE = new Set(["127.0.0.1", "localhost"]);

/** The address of a server that the policy of this page lets it call, written in one way. Nothing for other texts. */
export function serverAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, origin, pathname } = new URL(text);
  const isAllowed = (protocol === "http:" && THIS_MACHINE.has(hostname)) || (protocol.startsWith("http") && origin === location.origin);
  return isAllowed ? origin + pathname.replace(/\/+$/, "") : undefined;
}

/** The line that starts a server which pages of this origin may hand runs to. */
export function serveCommand(): string {
  return `npx wavepoint serve --ui --origin ${location.origin} --allow read --allow answer --allow transfer --allow load`;
}
