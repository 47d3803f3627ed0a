import { applyPatch, diffViews } from "../../core/model/view-patch.ts";
import type { RunView } from "../../core/model/view.ts";
import { ProxyRun, type RunCalls } from "../../browser/proxy/proxy-run.ts";

/** The runs that a page holds: one object each, as in a local executor. */
export class HeldRuns {
  readonly #calls: RunCalls;
  readonly #references = new Map<string, WeakRef<ProxyRun>>();
  readonly #versions = new WeakMap<ProxyRun, string>();
  readonly #collected = new FinalizationRegistry<string>((id) => {
    if (!this.#references.get(id)?.deref()) this.#references.delete(id);
  });

  constructor(calls: RunCalls) {
    this.#calls = calls;
  }

  /** The run of a view, which shows it unless it has a newer one. */
  hold(view: RunView, version: string): ProxyRun {
    const held = this.#references.get(view.id)?.deref();
    if (held) {
      this.show(held, view, version);
      return held;
    }
    const run = new ProxyRun(this.#calls, freshView(view));
    this.#references.set(run.id, new WeakRef(run));
    this.#collected.register(run, run.id);
    this.#versions.set(run, version);
    return run;
  }

  /** Shows a view, unless the run has a newer one. Parts that did not change stay the same objects. */
  show(run: ProxyRun, view: RunView, version: string): void {
    if (isOlder(version, this.#versions.get(run))) return;
    this.#versions.set(run, version);
    const patch = diffViews(run.getSnapshot(), view);
    if (patch) run.show(applyPatch(run.getSnapshot(), patch) as RunView);
  }
}

/** Returns a copy of a view, frozen like those of an executor. */
function freshView(view: RunView): RunView {
  return applyPatch(undefined, { value: view }) as RunView;
}

/** Whether a version of a view is older than another one of the same process. Of versions of two processes, the one that arrived last counts. */
function isOlder(version: string, known: string | undefined): boolean {
  const [process, number] = version.split(".");
  const [knownProcess, knownNumber] = (known ?? "").split(".");
  return process === knownProcess && Number(number) < Number(knownNumber);
}
