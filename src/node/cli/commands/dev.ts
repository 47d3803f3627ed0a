import { once } from "node:events";
import { watch, type FSWatcher } from "node:fs";
import { dirname } from "node:path";
import { EXECUTION_OPTIONS, INPUT_OPTIONS, type Call, type Command } from "../command.ts";
import { devSession, type DevSession } from "../dev/dev-session.ts";
import { serveSession } from "../dev/dev-server.ts";
import { EXIT } from "../exit-code.ts";
import { readPort } from "../http-place.ts";
import { openKeyedStore } from "../keyed-store.ts";
import { plainLine, plainText } from "../plain-text.ts";
import { note, type Terminal } from "../terminal.ts";
import { storeAddress } from "../workspace.ts";

/** Milliseconds of quiet after which a file that was written is read: editors write in several steps. */
const QUIET_MS = 100;

export const devCommand: Command = {
  name: "dev",
  usage: "FILE [OPTIONS]",
  summary: "Serve a page that shows a workflow as you write it: its questions, its graph and its runs.",
  about: [
    "When you save FILE, a module of --blocks or another workflow beside them, the page shows it again, and its run continues where it was if it can. The page shows what is wrong with the file, with line and column.",
    "The page is served to this machine alone. Blocks are executed here, with what --allow-… allows, and runs are kept where those of wavepoint run are. Ctrl-C ends it.",
  ],
  takes: { least: 1, most: 1 },
  options: [
    { name: "port", value: "PORT", about: "The port of the page. Default: one that is free." },
    ...INPUT_OPTIONS,
    ...EXECUTION_OPTIONS.filter(({ name }) => name !== "answers" && name !== "json"),
  ],
  async run(call, terminal) {
    const port = readPort(call, "port") ?? 0;
    const store = await openKeyedStore(storeAddress(call), { terminal, asksNobody: false, isEncrypted: call.has("encrypted") });
    const session = devSession(store, call, terminal);
    try {
      await session.read();
      tellProblems(session, terminal);
      const server = await serveSession(session, port);
      let last: Promise<void> = Promise.resolve();
      const readAgain = async (before: Promise<void>): Promise<void> => {
        await before;
        await session.read();
        tellProblems(session, terminal);
        server.tellChanged();
      };
      const watchers = watchFolders(call, () => (last = readAgain(last)));
      try {
        note(terminal, `${plainText(call.places[0]!)} is shown at ${server.address}`);
        if (!terminal.signal.aborted) await once(terminal.signal, "abort");
      } finally {
        for (const watcher of watchers) watcher.close();
        await last;
        await server.close();
      }
      return EXIT.completed;
    } finally {
      await session.close();
      await store.close();
    }
  },
};

/** Watches whole folders, since editors replace the file that they write. */
function watchFolders(call: Call, changed: () => unknown): readonly FSWatcher[] {
  const folders = new Set([...call.places, ...call.values("blocks")].map((path) => dirname(path)));
  let timer: ReturnType<typeof setTimeout> | undefined;
  return [...folders].map((folder) =>
    watch(folder, (_, name) => {
      if (name !== null && !/\.(?:ya?ml|[cm]?[jt]s|json)$/.test(name)) return;
      clearTimeout(timer);
      timer = setTimeout(changed, QUIET_MS);
    }),
  );
}

function tellProblems(session: DevSession, terminal: Terminal): void {
  for (const { place, kind, message } of session.shown().problems) note(terminal, `${plainLine(place)} ${kind} ${plainLine(message)}`);
}
