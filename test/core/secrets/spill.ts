import { defineBlock, failure, pause, success } from "wavepoint";
import type { BlockType, Store, Workflow } from "wavepoint";
import { CANARY, ENCODINGS } from "./canary.ts";

/** The secret in every encoding, in one value. */
function everything(secret: string): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(ENCODINGS).map(([name, encode]) => [name, `<${encode(secret)}>`]));
}

type Given = { readonly env?: { readonly TOKEN: string }; readonly note?: string };

/** What blocks were given, as they saw it. */
export const seen: string[] = [];

/** Block types that take a secret and let it out on one way each. */
export const leakyBlocks: readonly BlockType[] = (
  [
    ["Outputs", (secret) => success({ all: everything(secret), [secret]: { [secret]: [secret] } })],
    [
      "RichOutputs",
      (secret) =>
        success({
          map: new Map([[secret, { secret }]]),
          set: new Set([secret, "other"]),
          bytes: new TextEncoder().encode(`<${secret}>`),
          buffer: new TextEncoder().encode(secret).buffer,
          view: new DataView(new TextEncoder().encode(`..${secret}`).buffer, 1),
          at: new Date(0),
          nothing: undefined,
        }),
    ],
    ["Fails", (secret) => failure({ code: "BLOCK_FAILED", message: `no: ${secret}`, details: { [secret]: secret } }, everything(secret))],
    [
      "Throws",
      (secret) => {
        throw new Error(`cannot log in with ${JSON.stringify(everything(secret))}`, { cause: new Error(secret) });
      },
    ],
    ["ThrowsLong", (secret) => failure(`${"x".repeat(4_000 - secret.length + 3)}${secret}`)],
    [
      "Asks",
      (secret) =>
        pause({
          prompt: `Log in with ${secret}?`,
          schema: {
            type: "string",
            description: secret,
            enum: [secret, "other"],
            pattern: `^${secret.replace(/[\\+]/g, "\\$&")}$|^other$`,
          },
          metadata: { hint: everything(secret), when: new Date(0) },
        }),
    ],
  ] satisfies readonly (readonly [string, (secret: string) => ReturnType<BlockType["execute"]>])[]
).map(([type, leak]) => ({
  ...defineBlock({
    type,
    async execute(context) {
      const { env, note } = context.inputs as Given;
      const secret = env?.TOKEN ?? note ?? "";
      seen.push(secret);
      for (let at = 0; at < secret.length; at += 5) context.output("stdout", secret.slice(at, at + 5));
      context.output("stderr", ENCODINGS["base64"]!(secret));
      return leak(secret);
    },
    resume: ({ response }) => success({ answered: String(response), spilt: CANARY }),
  }),
  secretInputs: ["env"],
}));

/** A workflow of one block that gets the secret. */
export function leakyWorkflow(type: string): Workflow {
  return {
    name: `leaky-${type}`,
    blocks: [
      { id: "a", type, inputs: { env: { TOKEN: "${secrets.TOKEN}" } }, continueOnError: true },
      { id: "b", type: "EchoBlock", inputs: { message: "ran: ${blocks.a.inputs.env.TOKEN}" }, dependsOn: ["a"] },
    ],
    outputs: { a: "${blocks.a.outputs}", b: "${blocks.b.outputs.echoed}" },
  };
}

/** A store that remembers every text that was given to it. */
export function listeningStore(store: Store): { readonly store: Store; readonly texts: string[] } {
  const texts: string[] = [];
  const listen =
    <Given extends readonly unknown[], Result>(work: (...given: Given) => Result) =>
    (...given: Given): Result => {
      texts.push(JSON.stringify(given));
      return work(...given);
    };
  return {
    texts,
    store: {
      kind: store.kind,
      durable: store.durable,
      commit: listen(store.commit.bind(store)),
      putBlob: listen(store.putBlob.bind(store)),
      head: store.head.bind(store),
      read: store.read.bind(store),
      runs: store.runs.bind(store),
      checkpoints: store.checkpoints.bind(store),
      getBlob: store.getBlob.bind(store),
      delete: store.delete.bind(store),
      putNote: listen(store.putNote.bind(store)),
      notes: store.notes.bind(store),
      sweepBlobs: store.sweepBlobs.bind(store),
      usage: store.usage.bind(store),
      claim: store.claim.bind(store),
      close: store.close.bind(store),
    },
  };
}
