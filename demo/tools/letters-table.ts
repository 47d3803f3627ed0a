import { html, nothing, type TemplateResult } from "lit-html";
import type { ItemView } from "wavepoint";
import type { Effect } from "../engine/effects.ts";

/** What became of each letter: how often its block began, whether it was stamped, and what the journal has of it. */
export function lettersTable(tries: readonly Effect[], items: readonly ItemView[]): TemplateResult | typeof nothing {
  if (tries.length === 0) return nothing;
  const letters = new Map<string, Effect[]>();
  for (const one of tries) letters.set(one.block, [...(letters.get(one.block) ?? []), one]);
  return html`<div class="tool-table" tabindex="0" role="region" aria-label="The letters">
    <table class="letters">
      <thead>
        <tr>
          <th scope="col">Letter to</th>
          <th scope="col">Begun</th>
          <th scope="col">Stamped</th>
          <th scope="col">Kept</th>
        </tr>
      </thead>
      <tbody>
        ${[...letters].map(([block, of]) => {
          const stamped = of.filter(({ happened }) => happened).length;
          const isKept = items[numberOf(block)]?.status === "completed";
          return html`<tr data-letter=${block} data-kept=${isKept}>
            <th scope="row">${of[0]?.to}</th>
            <td>${times(of.length)}</td>
            <td>${times(stamped)}</td>
            <td>${isKept ? "for good" : "not yet"}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

/** The item of a name like `stamp[2]`. */
function numberOf(block: string): number {
  return Number(/\d+(?=]$)/.exec(block)?.[0]);
}

function times(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;
}
