import {
  embedMany,
  type EmbeddingModel,
  experimental_generateSpeech,
  generateImage,
  type ImageModel,
  rerank,
  type RerankingModel,
  type SpeechModel,
} from "ai";
import { type BlockType, defineBlock, success } from "wavepoint";

const TEXTS = { type: "array", items: { type: "string" }, minItems: 1 } as const;

/** Gives the vectors of texts. */
export function embed(model: EmbeddingModel): BlockType {
  return defineBlock({
    type: "Embed",
    inputs: { jsonSchema: { type: "object", properties: { texts: TEXTS }, required: ["texts"], additionalProperties: false } },
    async execute({ inputs, signal }) {
      // The engine tries again (`retry`), so the package does not.
      const { embeddings } = await embedMany({ model, values: [...inputs.texts], abortSignal: signal as AbortSignal, maxRetries: 0 });
      return success({ vectors: embeddings });
    },
  });
}

/** Puts the texts first that answer a question best. */
export function rank(model: RerankingModel): BlockType {
  return defineBlock({
    type: "Rerank",
    inputs: {
      jsonSchema: {
        type: "object",
        properties: { texts: TEXTS, query: { type: "string" }, top: { type: "integer", minimum: 1 } },
        required: ["texts", "query"],
        additionalProperties: false,
      },
    },
    async execute({ inputs: { texts, query, top }, signal }) {
      const topN = top ?? texts.length;
      const { ranking } = await rerank({ model, documents: [...texts], query, topN, abortSignal: signal as AbortSignal, maxRetries: 0 });
      return success({ texts: ranking.map(({ document }) => document), scores: ranking.map(({ score }) => score) });
    },
  });
}

/** Draws a picture, which is a file of the run. */
export function drawImage(model: ImageModel): BlockType {
  return defineBlock({
    type: "DrawImage",
    inputs: {
      jsonSchema: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"], additionalProperties: false },
    },
    async execute({ inputs, files, block, signal }) {
      const { image } = await generateImage({ model, prompt: inputs.prompt, abortSignal: signal as AbortSignal, maxRetries: 0 });
      const name = `${block}.${image.mediaType.split("/")[1]}`;
      await files.write(name, image.uint8Array, { type: image.mediaType });
      return success({ name });
    },
  });
}

/** Reads a text aloud, into a file of the run. */
export function speak(model: SpeechModel): BlockType {
  return defineBlock({
    type: "Speak",
    inputs: { jsonSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false } },
    async execute({ inputs, files, block, signal }) {
      const { audio } = await experimental_generateSpeech({ model, text: inputs.text, abortSignal: signal as AbortSignal, maxRetries: 0 });
      const name = `${block}.${audio.format}`;
      await files.write(name, audio.uint8Array, { type: audio.mediaType });
      return success({ name });
    },
  });
}
