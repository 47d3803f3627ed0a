import { copyStore, type Store } from "../../../index.ts";
import { JSON_OPTION, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { openKeyedStore } from "../keyed-store.ts";
import { plainJson } from "../plain-text.ts";
import { noteFailedRuns } from "../problem-lines.ts";
import { note } from "../terminal.ts";
import { plural } from "../validation-report.ts";

/** Runs after which progress is noted. */
const NOTED = 1_000;

export const copyCommand: Command = {
  name: "copy",
  usage: "FROM TO [OPTIONS]",
  summary: "Copy all runs of a store into another one: to move, or to keep a second copy.",
  about: [
    "FROM and TO are directories or addresses of other stores. Nothing is removed from either. Interrupted, or called again later, it copies what is missing. Start no run in TO before all is there.",
    "An encrypted store is copied as it is opened, and sealed anew in TO. The passphrase or key of the environment opens both.",
  ],
  takes: { least: 2, most: 2 },
  options: [{ name: "encrypted", about: "Encrypt TO, if it is empty." }, JSON_OPTION],
  async run(call, terminal) {
    const [source, target] = call.places as readonly [string, string];
    const open = (address: string, isEncrypted: boolean): Promise<Store> =>
      openKeyedStore(address, { terminal, asksNobody: call.has("json"), isEncrypted });
    const from = await open(source, false);
    try {
      const to = await open(target, call.has("encrypted"));
      try {
        const report = await copyStore(from, to, {
          signal: terminal.signal,
          onProgress: ({ total, copied, unchanged, failed }) => {
            const done = copied + unchanged + failed;
            if (done % NOTED === 0) note(terminal, `${done} of ${total}`);
          },
        });
        if (call.has("json")) terminal.out.write(`${plainJson(report)}\n`);
        else {
          noteFailedRuns(report.failed, terminal);
          const { copied, unchanged, failed } = report;
          const isEmpty = copied + unchanged + failed.length === 0;
          note(
            terminal,
            isEmpty ? `${source} holds no runs.` : `${plural(copied, "run")} copied, ${unchanged} were there, ${failed.length} failed.`,
          );
        }
        return report.failed.length > 0 ? EXIT.failed : EXIT.completed;
      } finally {
        await to.close();
      }
    } finally {
      await from.close();
    }
  },
};
