import { html, nothing, type TemplateResult } from "lit-html";
import type { Problem } from "wavepoint";

interface ProblemsPartProps {
  readonly problems: readonly Problem[];
  goTo(problem: Problem): void;
  /** Writes what was likely meant. */
  mend(problem: Problem): void;
}

/** What is wrong with the text, each line with a way to its place, and with what was likely meant. */
export function problemsPart({ problems, goTo, mend }: ProblemsPartProps): TemplateResult {
  return html`<div class="problems">
    <p class="problems-count" role="status" data-wrong=${problems.some(({ severity }) => severity === "error")}>${countText(problems)}</p>
    ${
      problems.length === 0
        ? nothing
        : html`<ul>
            ${problems.map((problem) => {
              const place = `Line ${problem.line ?? 1}, column ${problem.column ?? 1}`;
              // What is wrong with the YAML itself says its place in the message, too.
              const message = problem.message.replace(`${place}: `, "");
              return html`<li data-severity=${problem.severity}>
                <button class="link" type="button" @click=${() => goTo(problem)}>${place}</button>
                <span>${problem.severity === "warning" ? "Warning: " : ""}${message}</span>
                ${
                  problem.suggestion === undefined
                    ? nothing
                    : html`<button class="button small" type="button" @click=${() => mend(problem)}>Write ${problem.suggestion}</button>`
                }
              </li>`;
            })}
          </ul>`
    }
  </div>`;
}

function countText(problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const parts = [counted(errors, "error"), counted(warnings, "warning")].filter((part) => part !== "");
  return parts.length === 0 ? "Nothing is wrong with it." : `${parts.join(" and ")}.`;
}

function counted(count: number, word: string): string {
  if (count === 0) return "";
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
