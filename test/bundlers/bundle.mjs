// Not checked for types: the tools it imports are installed apart, and most checkouts have none of them.
// Bundles the project in the current directory with one tool, set up as its manual begins: `node bundle.mjs TOOL`. A warning is a failure.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

const [tool = ""] = process.argv.slice(2);
const folder = `${process.cwd()}/out/${tool}`;

/** @param {unknown} what */
const refuse = (what) => {
  throw new Error(`${tool} warns: ${JSON.stringify(what)}`);
};

/** @type {{ readonly [tool: string]: () => Promise<unknown> }} */
const TOOLS = {
  async vite() {
    const { build } = await import("vite");
    await build({ configFile: false, logLevel: "error", base: "./", build: { outDir: folder } });
  },
  async webpack() {
    const { default: webpack } = await import("webpack");
    // Its minifier takes most of the time and reads no package: it is for the long tier.
    const optimization = { minimize: process.env.WAVEPOINT_LONG !== undefined };
    const stats = await new Promise((resolve, reject) => {
      webpack(
        { mode: "production", entry: "./page.js", output: { path: folder, filename: "page.js" }, performance: false, optimization },
        (error, done) => (error ? reject(error) : resolve(done)),
      );
    });
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    if (errors.length + warnings.length > 0) refuse([...errors, ...warnings]);
  },
  async rollup() {
    const { rollup } = await import("rollup");
    const { nodeResolve } = await import("@rollup/plugin-node-resolve");
    const bundle = await rollup({ input: "page.js", plugins: [nodeResolve()], onwarn: refuse });
    await bundle.write({ dir: folder, format: "es" });
  },
  async esbuild() {
    const { build } = await import("esbuild");
    const page = { bundle: true, format: /** @type {const} */ ("esm"), splitting: true, outdir: folder };
    const { warnings } = await build({ entryPoints: ["page.js"], ...page });
    if (warnings.length > 0) refuse(warnings);
  },
  async "esbuild-node"() {
    const { build } = await import("esbuild");
    const { warnings } = await build({
      entryPoints: ["service.js"],
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: `${folder}/service.mjs`,
    });
    if (warnings.length > 0) refuse(warnings);
  },
  async parcel() {
    const command = fileURLToPath(new URL("node_modules/parcel/lib/bin.js", import.meta.url));
    const flags = ["--dist-dir", folder, "--public-url", "./", "--no-cache", "--no-autoinstall"];
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, "build", "index.html", ...flags], { encoding: "utf8" });
    if (status !== 0) refuse(`${stdout}${stderr}`);
  },
};

await TOOLS[tool]?.();
