// @ts-check
// Small pages as users build them, from the built package: what they load is measured, and that they go on without a network is tested.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, defaultClientConditions } from "vite";
import { ROOT } from "../build/manifest.mjs";

const DEFINITION = `{ name: "sign-up", blocks: [
  { id: "email", type: "GetInput", inputs: { prompt: "What is your e-mail address?" } },
  { id: "plan", type: "AskChoice", dependsOn: ["email"], inputs: { question: "Which plan?", choices: ["solo", "team"] } },
  { id: "confirm", type: "ConfirmOperation", dependsOn: ["plan"], inputs: { message: "Create an account?" } },
  { id: "done", type: "EchoBlock", dependsOn: ["confirm"], condition: "\${blocks.confirm.outputs.confirmed}", inputs: { message: "Welcome" } },
] }`;

const YAML = `name: sign-up
blocks:
  - id: email
    type: GetInput
    inputs: { prompt: What is your e-mail address? }
  - id: plan
    type: AskChoice
    depends_on: [email]
    inputs: { question: Which plan?, choices: [solo, team] }
`;

/** @param {string} workflow */
const start = (workflow) => `
  const executor = createExecutor({ store: indexedDbStore({ name: "sign-up" }), workflows: [${workflow}] });
  const run = await executor.start("sign-up", {});
  window.run = run;`;

const IMPORTS = `
  import { createExecutor } from "wavepoint";
  import { indexedDbStore } from "wavepoint/store/indexeddb";`;
const YAML_IMPORTS = `
  import { loadWorkflow } from "wavepoint/yaml";
  import text from "./workflow.yaml?raw";`;
const OWN_MARKUP = `
  const { pauses } = await run.settled();
  document.body.append(pauses[0].prompt);
  window.askedAt = performance.now();`;
const ELEMENTS = `
  import { define } from "wavepoint/elements";
  define();
  const element = document.createElement("wavepoint-run");
  document.body.append(element);
  element.run = run;
  const look = () => (element.querySelector("input") ? (window.askedAt = performance.now()) : requestAnimationFrame(look));
  look();`;

/** What pages do, by their names. Each sets `run`, and `askedAt` once the first question stands. */
export const PAGES = /** @type {const} */ ({
  "own markup, definition in code": IMPORTS + start(DEFINITION) + OWN_MARKUP,
  "own markup, YAML read in the page": IMPORTS + YAML_IMPORTS + start("loadWorkflow(text)") + OWN_MARKUP,
  "elements, definition in code": IMPORTS + start(DEFINITION) + ELEMENTS,
  "elements, YAML read in the page": IMPORTS + YAML_IMPORTS + start("loadWorkflow(text)") + ELEMENTS,
});

/** A page whose executor works in a worker: it loads no engine. */
export const WORKER_PAGE = `
  import { workerExecutor } from "wavepoint/worker";
  window.workerExecutor = workerExecutor;`;

/** A page whose executor is a server's. */
export const REMOTE_PAGE = `
  import { remoteExecutor } from "wavepoint/remote";
  window.remoteExecutor = remoteExecutor;`;

/**
 * Builds a page for production and writes it to `dist` in a folder. Gives what was built.
 * @param {string} folder An empty one.
 * @param {string} code
 * @param {{ readonly fromSource?: boolean, readonly plugins?: import("vite").Plugin[] }} [options] Default: from the built package.
 */
export async function buildPage(folder, code, { fromSource = false, plugins = [] } = {}) {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(ROOT, join(folder, "node_modules/wavepoint"), "dir");
  writeFileSync(join(folder, "workflow.yaml"), YAML);
  writeFileSync(join(folder, "main.js"), code);
  writeFileSync(
    join(folder, "index.html"),
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign up</title><body><script type="module" src="./main.js"></script>',
  );
  const built = await build({
    root: folder,
    base: "./",
    configFile: false,
    logLevel: "error",
    plugins,
    resolve: { conditions: [...(fromSource ? ["wavepoint:source"] : []), ...defaultClientConditions] },
    build: { target: "esnext", outDir: "dist" },
  });
  if (Array.isArray(built) || !("output" in built)) throw new Error("The bundler gave something else than one bundle.");
  return built.output.filter((part) => part.type === "chunk");
}
