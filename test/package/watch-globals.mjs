// @ts-check
// Runs in Node and in a worker of a browser: imports one module and tells which globals that reads and which it makes.
const WATCHED = [
  "BroadcastChannel",
  "caches",
  "crypto",
  "document",
  "fetch",
  "indexedDB",
  "localStorage",
  "location",
  "navigator",
  "self",
  "sessionStorage",
  "WebSocket",
  "window",
];

/** @param {string} name */
function findValue(name) {
  for (let holder = globalThis; holder !== null; holder = Object.getPrototypeOf(holder)) {
    const found = Reflect.getOwnPropertyDescriptor(holder, name);
    if (found !== undefined) return found.get ? undefined : found.value;
  }
  return undefined;
}

/**
 * @param {string} module Address of the module.
 * @returns {Promise<{ readonly names: readonly string[], readonly made: readonly string[], readonly read: readonly string[] }>}
 */
export async function importWatched(module) {
  const before = new Set(Object.getOwnPropertyNames(globalThis));
  const read = new Set();
  for (const name of WATCHED) {
    const value = findValue(name);
    before.add(name);
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        read.add(name);
        return value;
      },
    });
  }
  const names = Object.keys(await import(module));
  const made = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name));
  return { names, made, read: [...read] };
}
