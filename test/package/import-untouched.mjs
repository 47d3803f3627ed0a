// @ts-check
// Run as a process of its own: imports one module and prints, as JSON, which globals that read and which it made.
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

const before = new Set(Object.getOwnPropertyNames(globalThis));
const read = new Set();
for (const name of WATCHED) {
  const value = Reflect.getOwnPropertyDescriptor(globalThis, name)?.value;
  before.add(name);
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get() {
      read.add(name);
      return value;
    },
  });
}

const [module = ""] = process.argv.slice(2);
const names = Object.keys(await import(module));
const made = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name));
process.stdout.write(JSON.stringify({ names, made, read: [...read] }));
