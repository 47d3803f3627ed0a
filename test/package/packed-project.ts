import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCopy } from "./built-copy.ts";
import { ROOT } from "./source-files.ts";

interface Manifest {
  readonly dependencies?: { readonly [name: string]: string };
}

/**
 * A project outside of this one that has installed the package as npm packs it, with what that depends on and nothing else. Gives its folder,
 * which the caller removes.
 */
export function installPacked(files: URL): string {
  const copy = buildCopy();
  const folder = mkdtempSync(join(tmpdir(), "wavepoint-packed-"));
  const modules = join(folder, "node_modules");
  try {
    cpSync(files, folder, { recursive: true });
    mkdirSync(join(modules, "wavepoint"), { recursive: true });
    const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
      cwd: copy.folder,
      encoding: "utf8",
      stdio: "pipe",
    });
    execFileSync("tar", ["-xzf", join(folder, packed.trim()), "--strip-components=1", "-C", join(modules, "wavepoint")]);
    const needed = new Set(dependenciesIn(join(modules, "wavepoint")));
    // A set may grow while it is walked: what is added is visited too.
    for (const name of needed) {
      cpSync(`${ROOT}node_modules/${name}`, join(modules, name), { recursive: true });
      for (const further of dependenciesIn(join(modules, name))) needed.add(further);
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    copy.remove();
  }
  return folder;
}

function dependenciesIn(folder: string): readonly string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  return Object.keys(dependencies);
}
