import { JSON_OPTION, STORE_OPTIONS, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { fullId } from "../full-id.ts";
import { plainJson } from "../plain-text.ts";
import { runDocument } from "../run-report.ts";
import { note } from "../terminal.ts";
import { withExecutor } from "../workspace.ts";

export const cancelCommand: Command = {
  name: "cancel",
  usage: "RUN [OPTIONS]",
  summary: "Give a run up. What it has done stays readable; it cannot go on.",
  about: ["A run that has ended already stays as it is."],
  takes: { least: 1, most: 1 },
  options: [{ name: "reason", value: "TEXT", about: "Kept with the run." }, ...STORE_OPTIONS, JSON_OPTION],
  run(call, terminal) {
    const reason = call.value("reason");
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const run = await executor.open(await fullId(executor, call.places[0]!));
      await run.cancel(reason === undefined ? {} : { reason });
      const view = run.getSnapshot();
      if (call.has("json")) terminal.out.write(`${plainJson(runDocument(view))}\n`);
      else note(terminal, `Run ${run.id} ${view.status === "cancelled" ? "is cancelled" : `had already ${view.status}`}.`);
      return EXIT.completed;
    });
  },
};
