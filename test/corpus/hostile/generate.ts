/**
 * The hostile inputs that are nothing but size, made here instead of being kept: the same bytes each time. Everything else of the corpus
 * lies in files beside this one. Pure, so that pages can use it too.
 */

/** A long text in a kept file: pieces, each so many times. */
interface Repeated {
  readonly repeat: readonly (readonly [piece: string, times: number])[];
}

const HEAD = "name: hostile\ndescription: probe\n";
const DEPTH = 6_000;

/** Workflows by their path in the corpus. */
export const GENERATED_WORKFLOWS: ReadonlyMap<string, () => string> = new Map([
  ["workflows/G07-wide-wave.yaml", () => `${HEAD}blocks:\n${lines(5_000, (i) => `  - {id: b${i}, type: Echo, inputs: {message: x}}\n`)}`],
  ["workflows/G08-long-chain.yaml", longChain],
  ["workflows/G09-output-doubling.yaml", outputDoubling],
  ["workflows/Y02-quadratic-alias.yaml", () => `k: &k "${"z".repeat(20_000)}"\n${HEAD}blocks:\n${"  - *k\n".repeat(400)}`],
  ["workflows/Y04-merge-quadratic.yaml", mergeQuadratic],
  ["workflows/Y05-depth-flow.yaml", () => `${"[".repeat(DEPTH)}1${"]".repeat(DEPTH)}\n`],
  ["workflows/Y06-depth-unclosed.yaml", () => `${"[".repeat(DEPTH)}\n`],
  ["workflows/Y07-depth-dash.yaml", () => `${"- ".repeat(DEPTH)}x\n`],
  ["workflows/Y08-depth-flowmap.yaml", () => `${"{a: ".repeat(DEPTH)}1${"}".repeat(DEPTH)}\n`],
  ["workflows/Y09-depth-question.yaml", () => `${"? ".repeat(DEPTH)}x\n`],
  ["workflows/Y10-depth-blockmap.yaml", () => lines(1_200, (i) => `${" ".repeat(i)}a:\n`)],
  ["workflows/Y11-many-keys.yaml", () => `${HEAD}blocks: []\nextra:\n${lines(30_000, (i) => `  k${i}: 1\n`)}`],
  ["workflows/N01-unknown-channels.yaml", unknownChannels],
  ["workflows/N02-unknown-variables.yaml", unknownVariables],
  ["workflows/N03-unknown-fields.yaml", unknownFields],
  ["workflows/Y12-many-anchors.yaml", () => `a: ${"&a ".repeat(30_000)}1\n`],
  [
    "workflows/Y28-huge-scalar.yaml",
    () => `${HEAD}blocks:\n  - id: a\n    type: Echo\n    inputs:\n      message: "${"A".repeat(1_200_000)}"\n`,
  ],
]);

/** Restores the long texts of a kept JSON file: `{ "repeat": [[piece, times], …] }` becomes the text. */
export function restoreLongTexts(value: unknown): unknown {
  if (isRepeated(value)) return value.repeat.map(([piece, times]) => piece.repeat(times)).join("");
  if (Array.isArray(value)) return value.map(restoreLongTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restoreLongTexts(item)]));
}

function isRepeated(value: unknown): value is Repeated {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "repeat");
}

/** The bytes of a JSON file of the corpus, as it would be kept whole. */
export function writeCorpusJson(value: unknown): string {
  const text = JSON.stringify(value, null, 1);
  return text.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join("");
}

function unknownChannels(): string {
  const channels = `channels: {${lines(2_000, (i) => `c${i}: {}, `)}}\n`;
  return `${HEAD}${channels}blocks:\n  - {id: a, type: EchoBlock, inputs: {message: x}, writes: {${lines(2_500, (i) => `z${i}: 1, `)}}}\n`;
}

function unknownVariables(): string {
  const variables = lines(1_000, (i) => `aaaa${i}: 1, `);
  return `${HEAD}blocks:\n  - {id: a, type: Compute, inputs: {variables: {${variables}}, formulas: {${lines(1_000, (i) => `f${i}: zzzz${i}, `)}}}}\n`;
}

function unknownFields(): string {
  const check = `\${fields.zzzz} == 1${" and ${fields.zzzz} == 1".repeat(90)}`;
  const rules = lines(100, () => `{field: aaaa1, message: m, check: "${check}"}, `);
  return `${HEAD}blocks:\n  - {id: a, type: Form, inputs: {prompt: p, fields: [${lines(99, (i) => `{name: aaaa${i}}, `)}], rules: [${rules}]}}\n`;
}

function longChain(): string {
  const block = (i: number): string => `  - {id: b${i}, type: Echo, depends_on: [${i === 0 ? "" : `b${i - 1}`}], inputs: {message: x}}\n`;
  return `${HEAD}blocks:\n${lines(3_000, block)}`;
}

function outputDoubling(): string {
  const block = (i: number): string => {
    const last = `\${blocks.b${i}.outputs.message}`;
    return `  - {id: b${i + 1}, type: Echo, depends_on: [b${i}], inputs: {message: "${last}${last}"}}\n`;
  };
  return `${HEAD}blocks:\n  - {id: b0, type: Echo, inputs: {message: "${"x".repeat(16)}"}}\n${lines(33, block)}`;
}

function mergeQuadratic(): string {
  const keys = Array.from({ length: 1_500 }, (_, i) => `k${i}: ${i}`).join(", ");
  const merge = Array.from({ length: 1_500 }, () => "*b").join(",");
  return `base: &b {${keys}}\n${HEAD}blocks:\n  - id: a\n    type: Echo\n    inputs:\n      <<: [${merge}]\n`;
}
