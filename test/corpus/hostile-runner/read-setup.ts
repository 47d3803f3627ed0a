/** Something that must be there before a hostile workflow runs. */
export type SetupStep =
  | { readonly kind: "root"; readonly path: string }
  | { readonly kind: "sibling"; readonly name: string }
  | { readonly kind: "pipe"; readonly path: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string; readonly bytes: Uint8Array }
  | { readonly kind: "unknown"; readonly text: string };

const FORMS: readonly (readonly [form: RegExp, read: (...parts: readonly string[]) => SetupStep])[] = [
  [/^root is (\S+)$/, (path = "") => ({ kind: "root", path })],
  [/^a sibling \S*?([^\s/]+) exists$/, (name = "") => ({ kind: "sibling", name })],
  [/^mkfifo (\S+)$/, (path = "") => ({ kind: "pipe", path })],
  [/^mkdir (?:-p )?(\S+)$/, (path = "") => ({ kind: "folder", path })],
  [/^ln -s (\S+) (\S+)$/, (target = "", path = "") => ({ kind: "link", path, target })],
  [/^(\S+) (?:->|is a (?:symbolic |sym)?link to) (\S+)$/, (path = "", target = "") => ({ kind: "link", path, target })],
  [/^(\S+) holds bytes ((?:[0-9a-f]{2} ?)+)$/i, (path = "", hex = "") => ({ kind: "file", path, bytes: fromHex(hex) })],
  [/^(\S+) holds:? (.*)$/, (path = "", text = "") => ({ kind: "file", path, bytes: new TextEncoder().encode(text) })],
];

/** Reads what the comments of a workflow ask for: `# setup: …`, and `# FILE holds: …`. */
export function readSetup(text: string): readonly SetupStep[] {
  const steps: SetupStep[] = [];
  for (const [, wanted, comment = ""] of text.matchAll(/^[ \t]*#[ \t]*(setup:[ \t]*)?(.*)$/gm)) {
    const parts = wanted === undefined ? [comment] : comment.split("; ");
    for (const part of parts) {
      const step = readStep(part.trim());
      if (step.kind !== "unknown" || wanted !== undefined) steps.push(step);
    }
  }
  return steps;
}

function readStep(text: string): SetupStep {
  for (const [form, read] of FORMS) {
    const match = form.exec(text);
    if (match) return read(...match.slice(1));
  }
  return { kind: "unknown", text };
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.trim().split(" "), (pair) => Number.parseInt(pair, 16));
}
