import type { Run, Value } from "wavepoint";

/** Answers what a run asks, one question after another, until it ends; gives the paths of the questions in the order they were answered. */
export async function fillIn(run: Run, answers: { readonly [path: string]: unknown }, { until = "" } = {}): Promise<string[]> {
  const asked: string[] = [];
  for (let result = await run.settled(); result.status === "paused";) {
    const pause = result.pauses[0]!;
    const path = pause.path.join("/");
    if (path === until) break;
    asked.push(path);
    const answer = answers[path] ?? answers[pause.path.at(-1)!];
    if (answer === undefined) throw new Error(`There is no answer for ${path}.`);
    result = await run.answer(pause.id, answer as Value);
    if (result.status === "failure") throw new Error(`${path}: ${result.error.message}`);
  }
  return asked;
}
