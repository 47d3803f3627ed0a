const HEAD = ["what", "unit", "Wavepoint", "reference", "ratio", "peer", "ratio", "bar", "met"];
const README_HEAD = ["what", "Wavepoint", "reference", "ratio", "peer", "ratio"];

/** The lines as a Markdown table. */
export function renderTable(lines) {
  const rows = lines.map((line) => [
    line.note ? `${line.what} (${line.note})` : line.what,
    line.unit,
    summary(line.ours),
    line.reference ? `${line.referenceName}: ${summary(line.reference)}` : "–",
    ratio(line.referenceRatio),
    line.peer ? `${line.peerName}: ${summary(line.peer)}` : "–",
    ratio(line.peerRatio),
    line.bar ?? "–",
    line.met === undefined ? "–" : line.met ? "yes" : "**no**",
  ]);
  return asTable(HEAD, rows);
}

function asTable(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The part of docs/performance.md that is made of the figures: the lines with a name for it. */
export function renderReadme(lines, machine) {
  const figure = (of, unit) => (of.stopped ? "stopped" : `${number(of.median)} ${unit}`);
  const rows = lines
    .filter(({ readme }) => readme !== undefined)
    .map((line) => [
      line.readme,
      figure(line.ours, line.unit),
      line.reference ? `${line.referenceName}: ${figure(line.reference, line.unit)}` : "–",
      ratio(line.referenceRatio),
      line.peer ? `${line.peerName}: ${figure(line.peer, line.unit)}` : "–",
      ratio(line.peerRatio),
    ]);
  return `Made by \`npm run bench\` on ${machine.date}: ${machine.cores} cores, ${machine.cpu}, ${memory(machine)}, ${machine.system}; Node ${machine.node}, ${machine.chromium}. Medians; columns of a line took turns in one run. ${barsMet(lines)} [bench/RESULTS.md](../bench/RESULTS.md) has all lines, [bench/README.md](../bench/README.md) how they are measured and why some bars are not met.

${asTable(README_HEAD, rows)}`;
}

function barsMet(lines) {
  const judged = lines.filter(({ met }) => met !== undefined);
  return `${judged.filter(({ met }) => met).length} of our own ${judged.length} bars are met.`;
}

function memory({ memoryBytes }) {
  return `${(memoryBytes / 2 ** 30).toFixed(0)} GiB`;
}

/** The table with everything needed to judge it. */
export function renderPage(lines, machine) {
  return `# Results

Made by \`npm run bench\` on ${machine.date}; do not edit. Each line was measured in one run, its columns in turns; figures are medians, the
least value in brackets. A ratio is Wavepoint divided by the column before it. "stopped": a single run takes more than 20 s. [README.md](README.md)
says how each line is measured.

${barsMet(lines)}

${renderTable(lines)}

| | |
| --- | --- |
| Wavepoint | ${machine.wavepoint} |
${Object.entries(machine.peers)
  .map(([peer, version]) => `| ${peer} | ${version} |`)
  .join("\n")}
| Node | ${machine.node} |
| Chromium | ${machine.chromium} |
| machine | ${machine.cores} cores, ${machine.cpu}, ${memory(machine)}, ${machine.system} |
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
