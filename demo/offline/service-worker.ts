/** The files of this version of the page, and a name that changes with any of them. The build writes it in front of this text. */
declare const BUILT: { readonly version: string; readonly files: readonly string[] };

/** What this text uses of its own global; the library that declares it does not go together with the one of the page. */
interface WorkerEvent extends Event {
  readonly request: Request;
  readonly data: unknown;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

interface WorkerGlobal {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate" | "fetch" | "message", listener: (event: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
}

const worker = globalThis as unknown as WorkerGlobal;
const { scope } = worker.registration;
/** Other pages of the same origin have caches of their own. */
const FAMILY = `wavepoint-demo:${scope}:`;
const CACHE = FAMILY + BUILT.version;
/** Names of these files change with what is in them. */
const HASHED = new URL("assets/", scope).href;
/** The documents stand beside the page, and are many: those that were read can be read again without a network. */
const DOCUMENTS = new URL("docs/", scope).href;
const READ_DOCUMENTS = `wavepoint-docs:${scope}`;
/**
 * Servers say that their answers vary by who asks: that of `npm start` by `Origin`, which the browser sends for some parts of the page and not
 * for others. What is kept here is the same for all of them.
 */
const ANY_ASKER = { ignoreVary: true } as const;
/** A network that has not answered by then counts as absent. */
const PATIENCE_MS = 3_000;

worker.addEventListener("install", (event) => event.waitUntil(fill()));
worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));
worker.addEventListener("message", (event) => {
  if (event.data === "take-over") event.waitUntil(worker.skipWaiting());
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope)) return;
  if (request.url.startsWith(DOCUMENTS)) return event.respondWith(readDocument(request));
  if (request.mode === "navigate") event.respondWith(newestPage(request));
  // What a workflow asks the network for is between the two of them.
  else if (request.destination !== "") event.respondWith(kept(request));
});

/** All or nothing: a version that cannot be fetched as a whole is not installed. */
async function fill(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    BUILT.files.map(async (file) => {
      const address = new URL(file, scope).href;
      const isHashed = address.startsWith(HASHED);
      const before = isHashed ? await caches.match(address, ANY_ASKER) : undefined;
      if (before) await cache.put(address, before);
      else await cache.add(new Request(address, isHashed ? {} : { cache: "no-cache" }));
    }),
  );
}

/** Tabs that were not loaded anew may still need parts of the version before this one. */
async function takeOver(): Promise<void> {
  const versions = (await caches.keys()).filter((name) => name.startsWith(FAMILY) && name !== CACHE);
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function newestPage(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (thrown) {
    const page = await caches.match(scope, { cacheName: CACHE, ...ANY_ASKER });
    if (page) return page;
    throw thrown;
  }
}

async function kept(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName: CACHE, ...ANY_ASKER })) ?? (await caches.match(request, ANY_ASKER)) ?? fetch(request);
}

async function readDocument(request: Request): Promise<Response> {
  const cache = await caches.open(READ_DOCUMENTS);
  try {
    const newest = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (newest.ok) await cache.put(request, newest.clone());
    return newest;
  } catch (thrown) {
    const read = await cache.match(request, ANY_ASKER);
    if (read) return read;
    throw thrown;
  }
}
