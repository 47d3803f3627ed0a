import { execFile, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveFolder } from "../../../scripts/serve-folder.mjs";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import type { PersonAnswer } from "../../../src/node/cli/terminal.ts";
import { buildCopy } from "../../package/built-copy.ts";
import { ROOT } from "../../package/source-files.ts";
import type { Built } from "../../support/build-once.ts";
import { createProfile, startChrome } from "../../support/chrome.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

const execute = promisify(execFile);

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "wavepoint-init-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { readonly version: string };

async function init(args: readonly string[], answers?: readonly PersonAnswer[]) {
  const terminal = recordedTerminal(answers);
  return { code: await runCommandLine(["init", ...args], terminal), ...terminal };
}

async function make(kind: string): Promise<string> {
  const folder = mkdtempSync(join(home, `${kind}-`));
  await init([folder, "--kind", kind]);
  return folder;
}

describe("a new project", () => {
  test("is written with the version of the package and its own name, and says how to go on", async () => {
    const folder = join(home, "My Wizard!");
    const { code, written } = await init([folder, "--kind", "page"]);
    expect(code).toBe(0);
    expect(written.out).toMatch(/^cd .*My Wizard!\n\w+ install\n\w+ run dev\n$/);
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
    expect(manifest).toMatchObject({ name: "my-wizard", dependencies: { wavepoint: `^${version}` } });
    expect(readFileSync(join(folder, ".gitignore"), "utf8")).toContain("node_modules");
  });

  test("is of the kind that a person picks", async () => {
    const folder = join(home, "asked");
    const { code, asked } = await init([folder], [2]);
    expect(code).toBe(0);
    expect(asked[0]).toMatchObject({ kind: "choice" });
    expect(existsSync(join(folder, "main.js"))).toBe(true);
    expect((await init([join(home, "left")], [])).code).toBe(130);
    expect(existsSync(join(home, "left"))).toBe(false);
  });

  test("is not written where it is not known what, or over files", async () => {
    expect((await init([join(home, "none")])).written.err).toContain("Use --kind with one of page, react, node.");
    expect((await init([join(home, "none"), "--kind", "vue"])).written.err).toContain('"vue" is no kind of project.');
    const full = join(home, "full");
    mkdirSync(full);
    writeFileSync(join(full, "notes.txt"), "mine");
    const refused = await init([full, "--kind", "node"]);
    expect(refused.code).toBe(2);
    expect(refused.written.err).toContain("holds notes.txt already");
    expect(existsSync(join(full, "package.json"))).toBe(false);
    expect((await init([join(full, "notes.txt"), "--kind", "node"])).code).toBe(2);
  });
});

describe("with the packages of this project", () => {
  let copy: Built;
  beforeAll(() => {
    copy = buildCopy();
    mkdirSync(`${copy.folder}node_modules`);
    for (const name of ["@types", "@huggingface", "@noble", "idb", "lit-html", "re2js", "react", "react-dom", "scheduler", "vite"])
      symlinkSync(`${ROOT}node_modules/${name}`, `${copy.folder}node_modules/${name}`);
    symlinkSync(copy.folder, `${copy.folder}node_modules/wavepoint`);
  }, 60_000);
  afterAll(() => copy.remove());

  async function makeInstalled(kind: string): Promise<string> {
    const folder = await make(kind);
    symlinkSync(`${copy.folder}node_modules`, join(folder, "node_modules"));
    return folder;
  }

  test.each(["page", "react"])("a %s is without mistakes, and is built", async (kind) => {
    const folder = await makeInstalled(kind);
    passCases(copy, folder);
    // Side by side, and the page not minified: that is the bundler's work, not the project's.
    await Promise.all([
      execute(process.execPath, [`${ROOT}node_modules/typescript/bin/tsc`], { cwd: folder }),
      execute(process.execPath, [`${ROOT}node_modules/vite/bin/vite.js`, "build", "--logLevel", "warn", "--minify", "false"], {
        cwd: folder,
      }),
    ]);
    expect(existsSync(join(folder, "dist/index.html"))).toBe(true);
  });

  test("a program in Node goes on where it was stopped, and its block is one of the command line", async () => {
    const folder = await makeInstalled("node");
    expect(await talk(folder, [["Who is coming?", "Ada"], ["What will you eat, Ada? (Fish, Vegetables, Nothing)"]])).toBe("");
    expect(await talk(folder, [["What will you eat, Ada?", "Fish"]])).toContain("Ada · fish\n");
    passCases(copy, folder);
    const checked = execFileSync(process.execPath, [`${copy.folder}cli.js`, "validate", "visit.yaml", "--blocks", "blocks.js"], {
      cwd: folder,
    });
    expect(String(checked)).toBe("visit.yaml: no problems\n");
  });
});

/** Does what `npm test` does in a project. */
function passCases(copy: Built, folder: string): void {
  const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly scripts: { readonly test: string } };
  const [command, ...args] = scripts.test.split(" ");
  expect(command).toBe("wavepoint");
  const told = execFileSync(process.execPath, [`${copy.folder}cli.js`, ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" });
  expect(told.match(/^passed /gm)).toHaveLength(2);
}

/** Starts the program, says each answer after its question, and gives what it printed last; after a question without an answer it is killed. */
async function talk(folder: string, lines: readonly (readonly [question: string, answer?: string])[]): Promise<string> {
  const child = spawn(process.execPath, ["main.js"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  const closed = new Promise((resolve) => child.once("close", resolve));
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  for (const [question, answer] of lines) {
    await expect.poll(() => printed, { timeout: 30_000 }).toContain(question);
    printed = "";
    if (answer === undefined) child.kill("SIGKILL");
    else child.stdin.write(`${answer}\n`);
  }
  await closed;
  return printed;
}

describe.runIf(process.env["WAVEPOINT_LONG"])("from the registry and the packed package", () => {
  let packed: string;
  beforeAll(() => {
    const copy = buildCopy();
    packed = join(home, "wavepoint.tgz");
    const name = execFileSync("npm", ["pack", "--silent", "--pack-destination", home], {
      cwd: copy.folder,
      encoding: "utf8",
      stdio: "pipe",
    });
    cpSync(join(home, name.trim()), packed);
    copy.remove();
  }, 120_000);

  function install(folder: string): void {
    execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", packed], { cwd: folder, stdio: "pipe" });
  }

  test.each(["page", "react"])("a %s installs, and its wizard goes on after a reload", { timeout: 300_000 }, async (kind) => {
    const folder = await make(kind);
    install(folder);
    for (const script of ["check", "build", "test"]) execFileSync("npm", ["run", "--silent", script], { cwd: folder, stdio: "pipe" });
    const server = await serveFolder(join(folder, "dist"), "/");
    const profile = createProfile();
    const chrome = await startChrome(profile);
    try {
      const page = await chrome.context.newPage();
      await page.goto(server.origin);
      await page.getByLabel("Your name").fill("Ada");
      await page.getByLabel("How many guests").fill("2");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "What will you eat, Ada?" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "What will you eat, Ada?" }).waitFor();
    } finally {
      await chrome.close();
      profile.remove();
      await server.stop();
    }
  });

  test("a program in Node installs, and asks", { timeout: 300_000 }, async () => {
    const folder = await make("node");
    install(folder);
    expect(
      await talk(folder, [
        ["Who is coming?", "Ada"],
        ["What will you eat, Ada?", "Fish"],
      ]),
    ).toContain("Ada · fish\n");
  });
});
