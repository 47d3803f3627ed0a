import { CLUSTER_OPTION, EXECUTION_OPTIONS, type Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { prepareExecution } from "../grants.ts";
import { keepGoing, noteEvent, noteWorkflows } from "../keep-going.ts";
import { readDirectories } from "../read-directories.ts";
import { withExecutor } from "../workspace.ts";

/** A worker asks no questions, and takes its workflows from directories. */
const NOT_HERE = new Set(["answers", "json", "workflows"]);

export const workerCommand: Command = {
  name: "worker",
  usage: "[DIR...] [OPTIONS]",
  summary: "Go on with runs that a dead process left, and start runs at the times of their schedules.",
  about: [
    "Executes the workflows of directories and of the folders in them, without DIR those of the working directory, until Ctrl-C. Questions stay open; answer them with wavepoint resume or in a page.",
    "Any number of workers may share a store. Of two that see the same run, one executes it.",
  ],
  takes: { least: 0, most: Infinity },
  options: [CLUSTER_OPTION, ...EXECUTION_OPTIONS.filter(({ name }) => !NOT_HERE.has(name))],
  async run(call, terminal) {
    const { setup } = await prepareExecution(call, terminal);
    const workflows = await readDirectories(call, terminal, setup.blocks);
    const onEvent: typeof setup.onEvent = (event) => noteEvent(event, terminal);
    await withExecutor({ call, terminal }, { ...setup, workflows, onEvent }, async (executor) => {
      noteWorkflows(workflows, terminal);
      await keepGoing(executor, workflows, terminal.signal);
    });
    return EXIT.completed;
  },
};
