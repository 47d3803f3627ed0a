const HEAD = ["what", "unit", "Wavepoint", "reference", "ratio", "XState 5", "ratio", "bar", "met"];

/** The lines as a Markdown table. */
export function renderTable(lines) {
  const rows = lines.map((line) => [
    line.note ? `${line.what} (${line.note})` : line.what,
    line.unit,
    summary(line.ours),
    line.reference ? `${line.referenceName}: ${summary(line.reference)}` : "–",
    ratio(line.referenceRatio),
    line.peer ? summary(line.peer) : "–",
    ratio(line.peerRatio),
    line.bar ?? "–",
    line.met === undefined ? "–" : line.met ? "yes" : "**no**",
  ]);
  return [HEAD, HEAD.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The table with everything needed to judge it. */
export function renderPage(lines, machine) {
  const judged = lines.filter(({ met }) => met !== undefined);
  return `# Results

Made by \`npm run bench\` on ${machine.date}; do not edit. Each line was measured in one run, its columns in turns; figures are medians, the
least value in brackets. A ratio is Wavepoint divided by the column before it. "stopped": a single run takes more than 20 s. How each
line is measured is told in [README.md](README.md).

${judged.filter(({ met }) => met).length} of ${judged.length} bars are met.

${renderTable(lines)}

| | |
| --- | --- |
| Wavepoint | ${machine.wavepoint} |
| XState | ${machine.xstate} |
| Node | ${machine.node} |
| Chromium | ${machine.chromium} |
| machine | ${machine.cores} cores, ${machine.cpu}, ${(machine.memoryBytes / 2 ** 30).toFixed(0)} GiB, ${machine.system} |
| load average | ${machine.loadAtStart.toFixed(2)} at the start, ${machine.loadAtEnd.toFixed(2)} at the end |
| took | ${(machine.tookMs / 60_000).toFixed(1)} min |
`;
}

function summary(of) {
  if (of === undefined || of.stopped) return "stopped";
  return of.median === of.min ? number(of.median) : `${number(of.median)} (${number(of.min)})`;
}

function ratio(value) {
  return value === undefined ? "–" : `${number(value)} ×`;
}

/** Three digits that count. */
function number(value) {
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 6 });
}
