/** Workflows written or changed in this browser, as texts by their names. Other tabs hear of changes. */
export interface OwnWorkflows {
  readonly sources: ReadonlyMap<string, string>;
  /** Keeps a text in the place of the one before. Gives whether it survives a reload. */
  keep(name: string, source: string): boolean;
  /** A workflow that came with the page is again as it came. */
  remove(name: string): void;
  /** Calls the listener after each change, also one that another tab made. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
}

const KEY = "wavepoint-demo:own-workflows";

export function openOwnWorkflows(): OwnWorkflows {
  const listeners = new Set<() => void>();
  let sources = read();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const change = (next: ReadonlyMap<string, string>): boolean => {
    sources = next;
    const isKept = write(next);
    tell();
    return isKept;
  };
  addEventListener("storage", ({ key }) => {
    if (key !== KEY) return;
    sources = read();
    tell();
  });
  return {
    get sources() {
      return sources;
    },
    keep: (name, source) => change(new Map([...sources, [name, source]])),
    remove(name) {
      change(new Map([...sources].filter(([other]) => other !== name)));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What is no list of texts was not written by this page. */
function read(): ReadonlyMap<string, string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    const isPair = (pair: unknown): pair is [string, string] =>
      Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string");
    return new Map(Array.isArray(kept) ? kept.filter(isPair) : []);
  } catch {
    return new Map();
  }
}

function write(sources: ReadonlyMap<string, string>): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify([...sources]));
    return true;
  } catch {
    // There is no storage, or no room in it: the texts live as long as the page.
    return false;
  }
}
