import { html, nothing, type TemplateResult } from "lit-html";
import type { CheckpointInfo, RunView, Values } from "wavepoint";
import { valuesList } from "wavepoint/dashboard";
import { titleOf } from "../wording.ts";

interface DataProps {
  readonly view: Pick<RunView, "inputs" | "channels" | "outputs" | "waves">;
  /** What finished blocks gave, by block id. */
  readonly outputs: ReadonlyMap<string, Values>;
  /** The moment that is shown in place of now. */
  readonly shown: CheckpointInfo | undefined;
}

/** What a run knows: its inputs, its channels, and what each block gave. */
export function dataList({ view, outputs, shown }: DataProps): TemplateResult {
  const inputs = shown?.inputs ?? view.inputs;
  const channels = shown ? shown.context.channels : view.channels;
  const blocks = view.waves
    .flatMap((wave) => wave.blocks)
    .flatMap(({ id }) => {
      const values = shown ? shown.context.blocks[id]?.outputs : outputs.get(id);
      return values && Object.keys(values).length > 0 ? [[id, values] as const] : [];
    });
  const parts: readonly (readonly [title: string, values: Values | undefined, id: string])[] = [
    ["Inputs", inputs, "inputs"],
    ["Channels", channels, "channels"],
    ...blocks.map(([id, values]) => [titleOf(id), values, id] as const),
    ["Outputs of the run", shown ? undefined : view.outputs, "outputs"],
  ];
  const filled = parts.filter(([, values]) => values && Object.keys(values).length > 0);
  if (filled.length === 0) return html`<p class="quiet">Nothing yet: the first block that is done gives the first values.</p>`;
  return html`${shown ? html`<p class="quiet">As it stood there.</p>` : nothing}
    <div class="data">
      ${filled.map(
        ([title, values, id]) =>
          html`<section data-values=${id}>
            <h3>${title}</h3>
            ${valuesList(values!, titleOf)}
          </section>`,
      )}
    </div>`;
}
