import { parseCheckpointId } from "../../../core/model/ids.ts";
import { WorkflowError } from "../../../index.ts";
import { JSON_OPTION, STORE_OPTIONS, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { fullId } from "../full-id.ts";
import { plainJson } from "../plain-text.ts";
import { note } from "../terminal.ts";
import { withExecutor } from "../workspace.ts";

export const deleteCommand: Command = {
  name: "delete",
  usage: "RUN_OR_CHECKPOINT [OPTIONS]",
  summary: "Delete a run with all that belongs to it, or one checkpoint.",
  about: ["Deleting the checkpoint of an open question gives its run up. A run that executes cannot be deleted; cancel it first."],
  takes: { least: 1, most: 1 },
  options: [...STORE_OPTIONS, JSON_OPTION],
  run(call, terminal) {
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const place = await fullId(executor, call.places[0]!);
      if (!parseCheckpointId(place)) {
        const { id } = await executor.open(place);
        await executor.runs.delete(id);
      } else if (!(await executor.checkpoints.delete(place))) {
        throw new WorkflowError("CHECKPOINT_NOT_FOUND", `Checkpoint ${place} was not found. It may have been deleted before.`);
      }
      if (call.has("json")) terminal.out.write(`${plainJson({ status: "deleted", deleted: place })}\n`);
      else note(terminal, `Deleted ${place}.`);
      return EXIT.completed;
    });
  },
};
