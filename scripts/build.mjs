// @ts-check
// Builds what users install: `npm run build` writes it to dist, `node scripts/build.mjs FOLDER` elsewhere. The folder is the package:
// `npm pack ./dist` packs it, `npm publish ./dist` publishes it.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { keepReachable } from "./build/keep-reachable.mjs";
import { BUNDLED, publishedManifest, readManifest, ROOT, sourcesOf } from "./build/manifest.mjs";

const isBundled = (/** @type {string} */ id) => BUNDLED.some((name) => id === name || id.startsWith(`${name}/`));
const isOfPackage = (/** @type {string} */ id) => /^[./\0]/.test(id) || isBundled(id);

/** @typedef {{ getModuleInfo(id: string): { readonly importers: readonly string[] } | null }} Graph */

// What several entries share stands in few files, so that a page asks for few.
// What is loaded when it is used is no part of them: bundlers make a chunk of each such room by themselves.
const SHARED = [
  // What leads to code that is loaded later takes along all that such code needs: a page that loads the model alone has none of it.
  {
    name: "model",
    test: /\/src\/core\/(?:model(?!\/(?:rare-schema|byte-kinds|http-header|number-text|money|typed-number|currencies)\b)|ports|expression(?!\/(?:pattern|read-pattern|ready-schema|rare-keywords|form-conditions)\b)|runner\/waiting)\b/,
  },
  { name: reachedFrom("engine", "src/index.ts"), debugName: "engine", test: /\/src\/core\// },
  { name: reachedFrom("pure-blocks", "src/core/blocks/pure-blocks.ts"), debugName: "pure-blocks", test: /\/src\/core\/blocks\// },
  { name: "blocks", test: /\/src\/core\/blocks\/(?!template\/(?:render|jinja|names|size)|shell\b)/ },
  // Of the library for YAML a page needs what parses. All that writes stands in another file, which has objects that bundlers do not drop.
  { name: "yaml-parser", test: /\/node_modules\/yaml\/.*\/(?:parse|compose\/resolve-(?:flow|block)-scalar)\b/ },
  { name: "yaml-documents", test: /\/node_modules\/yaml\// },
  { name: "yaml", test: /\/src\/yaml\/(?!convert\/)/ },
  { name: "executor", test: /\/src\/(?:create-executor|default-host)\b/, minShareCount: 2 },
  // What a language and a page with its own markup need of the elements, without the library that draws.
  {
    name: "questions",
    test: /\/src\/(?:browser\/(?:[a-z-]+\.ts|elements\/(?:read-question|field-kind|value-text))|core\/model\/(?:money|measure-text))\b/,
    minShareCount: 2,
  },
  // What all languages need to speak of fields.
  { name: "sentences", test: /\/src\/browser\/elements\/(?:field-error-texts|numbers-in)\b/, minShareCount: 2 },
  // Of what draws, all that its later parts need too: one file, beside the library that draws.
  { name: "drawing", test: /\/src\/browser\/elements\/(?!index|rare\/|graph\/)/, minShareCount: 2 },
  // Node runs commands, and a page reads them: what both need is no part of Node.
  { name: "shell", test: /\/src\/core\/blocks\/shell\b/, minShareCount: 2 },
  // What tells of a workflow is in the tools of a page, which read no YAML; the registry does.
  { name: "workflow-info", test: /\/src\/registry\/(?:workflow-info|registered)\b/ },
  // A group takes along what it imports and no group before it has: Node's stands last.
  ...["bindings", "browser", "encryption", "graph", "network", "registry", "store", "node"].map((part) => ({
    name: part,
    // What picks a store leads to all of them, what names a process is Node's, and pages speak to no database: the store for Postgres and the workers of
    // a cluster share a file of their own. What draws makes a global of lit's. The command line knows the entry, which would come to know it in turn.
    test: new RegExp(`/src/${part}/(?!open|process-name|sql/|postgres[./]|elements/|dashboard/|cli/)`),
    minShareCount: 2,
  })),
  // Pages load the tools only where the browser takes them, and never what reads YAML.
  { name: "tool-host", test: /\/src\/mcp\/tools\/(?:access|fit-plain|host)\b/ },
  { name: "tools", test: /\/src\/mcp\/(?:tools\/(?!text-tools\b)|page\/page-tools\b)/ },
];

/**
 * Names a shared file for what static imports lead to from a module.
 * @param {string} name
 * @param {string} root Of what any page that makes an executor loads, this is the entry.
 * @returns {(id: string, context: Graph) => string | null}
 */
function reachedFrom(name, root) {
  /** @type {Map<string, boolean>} */
  const known = new Map([[join(ROOT, root), true]]);
  /** @type {(id: string, context: Graph) => boolean} */
  const isReached = (id, context) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    // Looked up again on the way round a cycle.
    known.set(id, false);
    const is = (context.getModuleInfo(id)?.importers ?? []).some((importer) => isReached(importer, context));
    known.set(id, is);
    return is;
  };
  return (id, context) => (isReached(id, context) ? name : null);
}

/** @param {string} folder */
async function buildModules(folder) {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    resolve: { conditions: ["browser", "import", "default"] },
    // Parcel looks for modules where it sees the bare names of globals of Node.
    define: { "process.env.NODE_ENV": '"production"', process: "globalThis.process", Buffer: "globalThis.Buffer" },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: "es2023",
      minify: false,
      sourcemap: true,
      lib: { entry: sourcesOf(readManifest()), formats: ["es"] },
      rolldownOptions: {
        external: (id) => !isOfPackage(id),
        treeshake: { moduleSideEffects: false },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "shared/[name].js",
          // The sources, comments included, stand in the source maps.
          // As if the sources stood in the package.
          sourcemapPathTransform: (source, map) => relative(dirname(map), join(folder, relative(ROOT, resolve(dirname(map), source)))),
          comments: { jsdoc: false, annotation: true, legal: true },
          codeSplitting: { groups: SHARED },
        },
      },
    },
  });
}

/**
 * A page that a command serves, with all that it needs in one file.
 * @param {string} source
 * @param {string} folder
 * @param {readonly string[]} files Those that stand beside it as they are.
 */
async function buildServedPage(source, folder, files) {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    mode: "production",
    resolve: { conditions: ["browser", "import", "default"] },
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: "es2023",
      lib: { entry: join(ROOT, source, "page.ts"), formats: ["es"], fileName: () => "page.js" },
      rolldownOptions: { output: { codeSplitting: false, minify: true, comments: { jsdoc: false, annotation: false, legal: true } } },
    },
  });
  for (const name of files) copyFileSync(join(ROOT, source, name), join(folder, name));
}

/** @param {string} folder */
function buildTypes(folder) {
  const types = join(folder, "types");
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", join(ROOT, "tsconfig.build.json"), "--outDir", types], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The types could not be built:\n${stdout}`);
  const entries = Object.values(readManifest().exports).flatMap((target) => (typeof target === "string" ? [] : [target.types]));
  keepReachable(
    types,
    entries.map((path) => path.replace("./dist/types/", "")),
  );
}

/** @param {string} folder */
function writeTexts(folder) {
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(publishedManifest(readManifest()), null, 2)}\n`);
  for (const name of ["README.md", "CHANGELOG.md", "LICENSE"]) copyFileSync(join(ROOT, name), join(folder, name));
  const licenses = BUNDLED.map((name) => {
    const read = (/** @type {string} */ file) => readFileSync(join(ROOT, "node_modules", name, file), "utf8");
    return `${name} ${JSON.parse(read("package.json")).version}\n\n${read("LICENSE")}`;
  });
  writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), licenses.join("\n\n"));
}

/** @param {string} folder */
async function writeSchema(folder) {
  /** @param {string} name */
  const load = (name) => import(pathToFileURL(join(folder, name)).href);
  const [{ workflowSchema }, { builtinBlocks }] = await Promise.all([load("yaml.js"), load("blocks.js")]);
  writeFileSync(join(folder, "schema.json"), `${JSON.stringify(workflowSchema(builtinBlocks), null, 2)}\n`);
}

const folder = resolve(process.argv[2] ?? join(ROOT, "dist"));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
buildTypes(folder);
await buildModules(folder);
await buildServedPage("src/browser/dev", join(folder, "dev"), ["index.html", "page.css"]);
await buildServedPage("src/server/dashboard", join(folder, "dashboard"), ["index.html"]);
cpSync(join(ROOT, "templates"), join(folder, "templates"), { recursive: true });
chmodSync(join(folder, "cli.js"), 0o755);
writeTexts(folder);
await writeSchema(folder);
