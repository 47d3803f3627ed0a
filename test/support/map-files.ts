import { WorkflowError, type Files } from "wavepoint";

export interface MapFiles extends Files {
  readonly texts: Map<string, string>;
  /** Paths in the order they were written. */
  readonly written: string[];
}

/** Files in a map, each operation a few turns of the loop long, so that work which must not overlap can be seen to. */
export function mapFiles(texts: { readonly [path: string]: string } = {}): MapFiles {
  const bytes = new Map<string, Uint8Array>(Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]));
  const written: string[] = [];
  const aWhile = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return {
    get texts() {
      return new Map([...bytes].map(([path, content]) => [path, new TextDecoder().decode(content)]));
    },
    written,
    async read(path) {
      await aWhile();
      const content = bytes.get(path);
      if (content === undefined) throw new WorkflowError("FILE_MISSING", `There is no ${path}.`);
      return { path, bytes: content };
    },
    async write(path, content, { overwrite = false } = {}) {
      await aWhile();
      const created = !bytes.has(path);
      if (!created && !overwrite) throw new WorkflowError("FILE_EXISTS", `${path} is there.`);
      bytes.set(path, content);
      written.push(path);
      return { path, sizeBytes: content.length, created };
    },
  };
}
