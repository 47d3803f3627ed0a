import type { RunView } from "../core/model/view.ts";

/** Numbers the views that this process gives away, so that clients can tell which of two is the newer one. */
export class ViewVersions {
  readonly process: string = crypto.randomUUID().slice(0, 8);
  readonly #numbers = new WeakMap<RunView, number>();
  #last = 0;

  /** Called with the newest view of its run only. */
  of(view: RunView): string {
    let number = this.#numbers.get(view);
    if (number === undefined) this.#numbers.set(view, (number = ++this.#last));
    return `${this.process}.${number}`;
  }
}
