// Finds the tools that have all the tags named on the command line, and runs them one after another.
import { createExecutor } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { loadDirectories, nodeShell } from "wavepoint/node";
import { createRegistry } from "wavepoint/registry";
import { memoryStore } from "wavepoint/store/memory";

const registry = createRegistry({ blocks: builtinBlocks });
const { failed } = await loadDirectories(registry, ["tools"]);
if (failed.length > 0) throw new Error(failed[0].problems[0].message);

const executor = createExecutor({
  store: memoryStore(),
  workflows: registry.workflows(),
  grants: { shell: nodeShell({ root: "project" }) },
});

for (const { name, description } of registry.list({ tags: process.argv.slice(2) })) {
  const result = await (await executor.start(name)).settled();
  process.stdout.write(`${name} (${description}) ${String(result.outputs?.result ?? result.error?.message).trim()}\n`);
}
await executor.close();
