import { html, nothing, type TemplateResult } from "lit-html";
import type { CheckpointInfo } from "../../core/model/checkpoint.ts";
import type { JsonSchema } from "../../core/model/json-schema.ts";
import { pickText } from "../../core/model/localized-text.ts";
import type { RunFile } from "../../core/model/run-file.ts";
import type { Values } from "../../core/model/value.ts";
import type { Run, RunValues } from "../../core/run/run.ts";
import { ReadingElement } from "./reading-element.ts";
import { saveFile } from "./save-file.ts";
import { valuesList } from "./values-list.ts";

/** Blocks whose outputs are listed at first, and that each "Show more" adds. */
const BLOCKS = 60;

/** `<wavepoint-data>`: what a run was given, what its channels hold, what its blocks and the run gave, and its files. */
export class WavepointData extends ReadingElement<RunValues> {
  #checkpoint: CheckpointInfo | undefined;
  #nameOf = (name: string): string => name;
  #shown = BLOCKS;

  /** A checkpoint of the run, to show what was known there. Default: what is known now. */
  get checkpoint(): CheckpointInfo | undefined {
    return this.#checkpoint;
  }

  set checkpoint(checkpoint: CheckpointInfo | undefined) {
    if (checkpoint === this.#checkpoint) return;
    this.#checkpoint = checkpoint;
    this.requestDraw();
  }

  /** What a block or a value is called. Default: by its own name. */
  get nameOf(): (name: string) => string {
    return this.#nameOf;
  }

  set nameOf(nameOf: (name: string) => string) {
    if (nameOf === this.#nameOf) return;
    this.#nameOf = nameOf;
    this.requestDraw();
  }

  protected override read(run: Run): Promise<RunValues> {
    return run.state();
  }

  protected override follow(): void {
    this.#shown = BLOCKS;
    super.follow();
  }

  /** Outputs are drawn when they were read, which is seldom while many blocks finish. */
  protected override runChanged(): void {
    this.look();
  }

  protected override template(): TemplateResult | typeof nothing {
    if (!this.run) return nothing;
    const { inputs, channels, outputs, outputSchema, files, waves } = this.run.getSnapshot();
    const past = this.#checkpoint;
    const values = this.value;
    if (!past && !values) return html`<p part="hint">Reading the outputs…</p>`;
    const ofBlocks = waves
      .flatMap(({ blocks }) => blocks)
      .flatMap(({ id }) => {
        const given = past ? past.context.blocks[id]?.outputs : values!.values[id];
        return isFilled(given) ? [[id, given] as const] : [];
      });
    const before = { inputs: past ? past.inputs : inputs, channels: past ? past.context.channels : channels };
    const isEmpty = ofBlocks.length === 0 && ![before.inputs, before.channels].some(isFilled);
    return html`${past ? html`<p part="hint">As it stood there.</p>` : nothing}
      ${isEmpty ? html`<p part="hint">Nothing yet: the first block that is done gives the first values.</p>` : nothing}
      <div part="data">
        ${this.#section("Inputs", before.inputs, "inputs")} ${this.#section("Channels", before.channels, "channels")}
        ${ofBlocks.slice(0, this.#shown).map(([id, given]) => this.#section(this.#nameOf(id), given, id))}
        ${past ? nothing : this.#section("Outputs of the run", outputs, "outputs", outputSchema)}
        ${past || !files ? nothing : this.#files(files)}
      </div>
      ${this.#moreButton(ofBlocks.length - this.#shown)}`;
  }

  #section(title: string, values: Values | undefined, id: string, { properties = {} }: JsonSchema = {}): TemplateResult | typeof nothing {
    if (!isFilled(values)) return nothing;
    const titleOf = (name: string): string => pickText(properties[name]?.title ?? "") || this.#nameOf(name);
    return html`<section data-values=${id}>
      <h2 part="label">${title}</h2>
      ${valuesList(values, titleOf)}
    </section>`;
  }

  #files(files: readonly RunFile[]): TemplateResult {
    const save = (name: string): void =>
      void this.attempt(async () => saveFile(name, new Uint8Array((await this.run!.readFile(name)).bytes)));
    return html`<section>
      <h2 part="label">Files</h2>
      <ul part="files">
        ${files.map(
          ({ name, size, block }) =>
            html`<li>
              <button type="button" part="button" @click=${() => save(name)}>Save ${name}</button>
              <span part="hint">${size.toLocaleString("en")} bytes, written by ${this.#nameOf(block)}</span>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  #moreButton(rest: number): TemplateResult | typeof nothing {
    if (rest <= 0) return nothing;
    const more = (): void => {
      this.#shown += BLOCKS;
      this.requestDraw();
    };
    return html`<button type="button" part="button" @click=${more}>Show ${Math.min(rest, BLOCKS)} of ${rest} more blocks</button>`;
  }
}

function isFilled(values: Values | null | undefined): values is Values {
  return values !== null && values !== undefined && Object.keys(values).length > 0;
}
