/** The text of a module with a workflow of so many blocks, each of which refers to the one before it. */
export function writeLargeWorkflow(count: number): string {
  const blocks = Array.from({ length: count }, (_, i) => {
    const before = i === 0 ? "${inputs.word}" : `\${blocks.b${i - 1}.outputs.${KINDS[(i - 1) % KINDS.length]!.output}}`;
    const more = [
      ...(i === 0 ? [] : [`dependsOn: ["b${i - 1}"]`]),
      ...(i % 3 === 1 ? [`condition: "${before} != 'x' and \${inputs.count} > 2"`] : []),
    ];
    return `    { id: "b${i}", ${[KINDS[i % KINDS.length]!.write(before), ...more].join(", ")} },`;
  });
  const outputs = Array.from(
    { length: count / 4 },
    (_, i) => `    o${i}: "\${blocks.b${i * 4}.outputs.${KINDS[(i * 4) % KINDS.length]!.output}}",`,
  );
  return `import { createExecutor, defineWorkflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const flow = defineWorkflow({
  name: "large",
  inputs: { word: { type: "string" }, count: { type: "integer" } },
  blocks: [
${blocks.join("\n")}
  ],
  outputs: {
${outputs.join("\n")}
  },
});

export async function use(): Promise<unknown> {
  const run = await createExecutor({ store: memoryStore() }).start(flow, { word: "x", count: 1 });
  for (const pause of run.getSnapshot().pauses) if (pause.type === "AskChoice") await run.answer(pause.id, "b");
  const { outputs } = await run.settled();
  return outputs?.o2;
}
`;
}

const KINDS: readonly { readonly output: string; write(before: string): string }[] = [
  { output: "echoed", write: (before) => `type: "EchoBlock", inputs: { message: "Hello ${before} and \${inputs.word}" }` },
  { output: "input_value", write: (before) => `type: "GetInput", inputs: { prompt: "What, ${before}?" }` },
  { output: "choice", write: (before) => `type: "AskChoice", inputs: { question: "Which of ${before}?", choices: ["a", "b", "c"] }` },
  {
    output: "name",
    write: (before) =>
      `type: "Form", inputs: { prompt: "${before}", fields: [{ name: "name" }, { name: "age", type: "integer" }, { name: "pick", enum: ["x", "y"] }] }`,
  },
  { output: "confirmed", write: (before) => `type: "ConfirmOperation", inputs: { message: "${before}?" }` },
];
