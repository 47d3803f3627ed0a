import { MockEmbeddingModelV3, MockImageModelV3, MockRerankingModelV3, MockSpeechModelV3 } from "ai/test";
import { createExecutor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { drawImage, embed, rank, speak } from "../../examples/recipes/model-blocks.ts";

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const MP3 = Uint8Array.of(0xff, 0xfb, 0x90, 0x64);
const response = { timestamp: new Date(0), modelId: "mock", headers: undefined };

const flow: Workflow = {
  name: "poster",
  blocks: [
    { id: "vectors", type: "Embed", inputs: { texts: ["boat", "train"] } },
    { id: "best", type: "Rerank", inputs: { texts: ["boat", "train"], query: "What floats?", top: 1 } },
    { id: "poster", type: "DrawImage", dependsOn: ["best"], inputs: { prompt: "A ${blocks.best.outputs.texts[0]}" } },
    { id: "voice", type: "Speak", dependsOn: ["best"], inputs: { text: "All aboard." } },
  ],
};

test("texts become vectors and are ranked, a picture and a voice are files of the run", async () => {
  const asked: unknown[] = [];
  const blocks = [
    embed(
      new MockEmbeddingModelV3({ doEmbed: async ({ values }) => ({ embeddings: values.map(({ length }) => [length]), warnings: [] }) }),
    ),
    rank(new MockRerankingModelV3({ doRerank: async () => ({ ranking: [{ index: 0, relevanceScore: 0.9 }] }) })),
    drawImage(
      new MockImageModelV3({
        doGenerate: async ({ prompt }) => {
          asked.push(prompt);
          return { images: [PNG], warnings: [], response };
        },
      }),
    ),
    speak(
      new MockSpeechModelV3({
        doGenerate: async () => ({ audio: MP3, warnings: [], response: { timestamp: new Date(0), modelId: "mock" } }),
      }),
    ),
  ];
  const executor = createExecutor({ store: memoryStore(), workflows: [flow], blocks });
  const run = await executor.start("poster");
  const result = await run.settled();
  expect(result.error).toBeUndefined();
  expect((await run.state()).values).toMatchObject({
    vectors: { vectors: [[4], [5]] },
    best: { texts: ["boat"], scores: [0.9] },
    poster: { name: "poster.png" },
    voice: { name: "voice.mp3" },
  });
  expect(asked).toEqual(["A boat"]);
  expect((await run.readFile("poster.png")).bytes).toEqual(PNG);
  expect((await run.readFile("voice.mp3")).bytes).toEqual(MP3);
});
