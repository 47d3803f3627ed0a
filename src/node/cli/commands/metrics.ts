import type { StoreMetrics } from "../../../index.ts";
import { JSON_OPTION, STORE_OPTIONS, type Command } from "../command.ts";
import { durationText } from "../duration.ts";
import { EXIT } from "../exit-code.ts";
import { plainJson, plainLine, tableLines } from "../plain-text.ts";
import { plural } from "../validation-report.ts";
import { withExecutor } from "../workspace.ts";

export const metricsCommand: Command = {
  name: "metrics",
  usage: "[OPTIONS]",
  summary: "Tell what the store holds: runs and checkpoints by status, workflow and age.",
  about: ["No journal is read, so a store with many runs answers as well."],
  takes: { least: 0, most: 0 },
  options: [...STORE_OPTIONS, JSON_OPTION],
  run(call, terminal) {
    const { out } = terminal;
    return withExecutor({ call, terminal }, {}, async (executor) => {
      const metrics = await executor.metrics();
      if (call.has("json")) out.write(`${plainJson(metrics)}\n`);
      else for (const line of tableLines(rowsOf(metrics))) out.write(`${line}\n`);
      return EXIT.completed;
    });
  },
};

function rowsOf(metrics: StoreMetrics): readonly (readonly string[])[] {
  const { runs, runsByStatus, damagedRuns, checkpoints, pausedCheckpoints, automaticCheckpoints, requestedCheckpoints, byWorkflow, ages } =
    metrics;
  const { newestAgeMs, oldestAgeMs, bytes } = metrics;
  const statuses = Object.entries(runsByStatus).filter(([, count]) => count > 0);
  return [
    ["Runs", String(runs), statuses.map(([status, count]) => `${count} ${status}`).join(", ")],
    ...(damagedRuns > 0 ? [["Damaged runs", String(damagedRuns), ""]] : []),
    [
      "Checkpoints",
      String(checkpoints),
      `${pausedCheckpoints} of questions, ${automaticCheckpoints} automatic, ${requestedCheckpoints} asked for`,
    ],
    ["  by age", "", `${ages.underHour} under an hour, ${ages.underDay} under a day, ${ages.underWeek} under a week, ${ages.older} older`],
    ...(newestAgeMs === undefined ? [] : [["  newest", "", `${durationText(newestAgeMs)} old`]]),
    ...(oldestAgeMs === undefined ? [] : [["  oldest", "", `${durationText(oldestAgeMs)} old`]]),
    ...(bytes === undefined ? [] : [["Bytes", String(bytes), ""]]),
    ...Object.entries(byWorkflow).map(([workflow, one]) => [
      `Workflow ${plainLine(workflow)}`,
      "",
      `${plural(one.runs, "run")}, ${plural(one.checkpoints, "checkpoint")}`,
    ]),
  ];
}
