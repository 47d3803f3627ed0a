import type { Run } from "../../core/run/run.ts";
import { adoptStyles } from "../elements/adopt-styles.ts";
import { showBusy } from "../elements/show-busy.ts";
import { WavepointElement } from "../elements/element-base.ts";
import { PART_STYLES } from "./part-styles.ts";
import { createReader, type Reader } from "./reader.ts";

/** A part that stands by itself and shows what the view of a run leaves out. It is read again as the run changes. */
export abstract class ReadingElement<T> extends WavepointElement {
  #reader: Reader<T> | undefined;

  protected abstract read(run: Run): Promise<T>;

  /** Called with each reading. */
  protected wasRead(_value: T): void {
    this.requestDraw();
  }

  /** What was read last of the run. */
  protected get value(): T | undefined {
    return this.#reader?.value;
  }

  /** Reads again unless that was done for this state of the run. */
  protected look(): void {
    if (this.run) this.#reader?.look(this.run.getSnapshot());
  }

  protected override follow(): void {
    this.#reader?.end();
    const { run } = this;
    this.#reader =
      run &&
      createReader({
        read: () => this.read(run),
        onRead: () => this.wasRead(this.#reader!.value!),
        attempt: (act) => void this.attempt(act),
      });
    super.follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reader?.end();
  }

  protected override drawn(): void {
    adoptStyles(this, PART_STYLES);
    this.look();
    showBusy(this, this.value === undefined);
  }
}
