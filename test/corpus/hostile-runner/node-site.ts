import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { allowHosts } from "wavepoint/network";
import { nodeFiles, nodeShell } from "wavepoint/node";
import type { Prepared, Site } from "./site.ts";
import { readSetup, type SetupStep } from "./read-setup.ts";

/** The name of the file that an attack makes where it comes through. */
const TROPHY = "PWNED";
const MARK = "HOSTILE_SITE";

/** A root in a temporary directory of its own; what else is in that directory must stay as it is. */
export async function openNodeSite(): Promise<Site> {
  const parent = await realpath(await mkdtemp(join(tmpdir(), "wavepoint-site-")));
  const root = join(parent, "app");
  const programs = join(parent, "programs");
  await Promise.all([mkdir(root), mkdir(programs)]);
  // Tells its arguments, so that they can be looked at.
  await writeFile(join(programs, "git"), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
  await chmod(join(programs, "git"), 0o755);
  const mark = randomUUID();
  const shell = nodeShell({ root, env: { PATH: `${programs}:/usr/bin:/bin`, [MARK]: mark } });
  const network = allowHosts([]);
  let before = await snapshot(parent, root);

  return {
    grants: { files: nodeFiles({ root }), shell, network },
    wideGrants: { files: nodeFiles({ root, unsafe: true }), shell, network },
    async prepare(text) {
      const prepared = await prepare(text, { parent, root });
      before = await snapshot(parent, root);
      return prepared;
    },
    list: () => listFiles(root),
    async findDamage() {
      const after = await snapshot(parent, root);
      if (after !== before) return `outside of the root something changed: ${after}`;
      const trophy = (await listFiles(parent)).find((path) => basename(path) === TROPHY);
      if (trophy !== undefined) return `${trophy} was made`;
      const left = await findProcesses(`${MARK}=${mark}`);
      return left.length === 0 ? undefined : `processes ${left.join(", ")} still run`;
    },
    close: () => rm(parent, { recursive: true, force: true }),
  };
}

async function prepare(text: string, { parent, root }: { readonly parent: string; readonly root: string }): Promise<Prepared> {
  let here = text;
  const contents: string[] = [];
  for (const step of readSetup(text)) {
    if (step.kind === "unknown") return { text, contents, missing: `the setup "${step.text}" is not understood` };
    if (step.kind === "root") here = here.replaceAll(`${dirname(step.path)}/`, `${parent}/`);
    else await takeStep(step, { parent, root });
    if (step.kind === "file") contents.push(new TextDecoder().decode(step.bytes));
  }
  return { text: here, contents };
}

async function takeStep(
  step: Exclude<SetupStep, { kind: "unknown" | "root" }>,
  { parent, root }: { readonly parent: string; readonly root: string },
): Promise<void> {
  if (step.kind === "sibling") {
    await mkdir(join(parent, step.name), { recursive: true });
    return writeFile(join(parent, step.name, "key"), "the key of somebody else");
  }
  const path = join(root, step.path);
  await mkdir(dirname(path), { recursive: true });
  if (step.kind === "pipe") execFileSync("mkfifo", [path]);
  else if (step.kind === "link") await symlink(step.target, path);
  else if (step.kind === "folder") await mkdir(path, { recursive: true });
  else await writeFile(path, step.bytes);
}

/** Everything below a folder but for one, with what it holds. */
async function snapshot(folder: string, without: string): Promise<string> {
  const lines: string[] = [];
  for (const name of (await readdir(folder)).toSorted()) {
    const path = join(folder, name);
    if (path === without) continue;
    const { mode, size } = await lstat(path);
    const kind = await lstat(path);
    if (kind.isDirectory()) lines.push(`${path} ${mode}`, await snapshot(path, without));
    else if (kind.isSymbolicLink()) lines.push(`${path} -> ${await readlink(path)}`);
    else lines.push(`${path} ${mode} ${size} ${kind.isFile() ? await digest(path) : ""}`);
  }
  return lines.join("\n");
}

async function digest(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** The processes that have this in their environment; on Linux only. */
async function findProcesses(variable: string): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
      return environment.split("\0").includes(variable) ? [pid] : [];
    }),
  );
  return found.flat();
}
