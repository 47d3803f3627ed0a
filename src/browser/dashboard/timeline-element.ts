import { nothing, type TemplateResult } from "lit-html";
import type { Step } from "../../core/model/run.ts";
import type { RunView } from "../../core/model/view.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { Run } from "../../core/run/run.ts";
import { ReadingElement } from "./reading-element.ts";
import { MANY, ROWS, timelineTemplate } from "./timeline-template.ts";

/** How often the bars of what executes grow, in milliseconds. */
const TICK_MS = 200;
/** The same where there are many rows: drawing them takes most of a frame. */
const MANY_TICK_MS = 1_000;
const FIRST_ROWS = { before: 0, after: 0 };

/** `<wavepoint-timeline>`: how each block of a run stands, when it worked, and where the time went. */
export class WavepointTimeline extends ReadingElement<readonly Step[]> {
  #more = FIRST_ROWS;
  #tick: ReturnType<typeof setTimeout> | undefined;
  #workflow: Workflow | undefined;
  #attempts: ReadonlyMap<string, number> | undefined;
  #nameOf = (name: string): string => name;
  #addressOf: ((run: string) => string) | undefined;

  /** The definition of the run, which says how many attempts its blocks have. Default: only those that were made are counted. */
  get workflow(): Workflow | undefined {
    return this.#workflow;
  }

  set workflow(workflow: Workflow | undefined) {
    if (workflow === this.#workflow) return;
    this.#workflow = workflow;
    this.#attempts = workflow && new Map(workflow.blocks.flatMap(({ id, retry }) => (retry ? [[id, retry.maxAttempts] as const] : [])));
    this.requestDraw();
  }

  /** What a block is called, or a member of an object that a block goes through. Default: by its own name. */
  get nameOf(): (name: string) => string {
    return this.#nameOf;
  }

  set nameOf(nameOf: (name: string) => string) {
    if (nameOf === this.#nameOf) return;
    this.#nameOf = nameOf;
    this.requestDraw();
  }

  /** Where the page of a run is, for links to the runs that blocks called. Default: there are no links. */
  get addressOf(): ((run: string) => string) | undefined {
    return this.#addressOf;
  }

  set addressOf(addressOf: ((run: string) => string) | undefined) {
    if (addressOf === this.#addressOf) return;
    this.#addressOf = addressOf;
    this.requestDraw();
  }

  protected override read(run: Run): Promise<readonly Step[]> {
    return run.steps();
  }

  protected override follow(): void {
    this.#more = FIRST_ROWS;
    super.follow();
  }

  /** While blocks execute it is drawn often enough as it is: a thousand of them finish faster than anyone reads rows. */
  protected override runChanged(): void {
    if (this.#tick === undefined || !isMoving(this.run!.getSnapshot())) super.runChanged();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#endTick();
  }

  #endTick(): void {
    clearTimeout(this.#tick);
    this.#tick = undefined;
  }

  protected override drawn(): void {
    super.drawn();
    this.#endTick();
    if (!this.run) return;
    const view = this.run.getSnapshot();
    const isMany = view.waves.reduce((sum, { blocks }) => sum + blocks.length, 0) > MANY;
    if (isMoving(view)) this.#tick = setTimeout(() => this.requestDraw(), isMany ? MANY_TICK_MS : TICK_MS);
  }

  protected override template(): TemplateResult | typeof nothing {
    if (!this.run) return nothing;
    return timelineTemplate({
      view: this.run.getSnapshot(),
      steps: this.value ?? [],
      now: Date.now(),
      attempts: this.#attempts,
      more: this.#more,
      nameOf: this.#nameOf,
      addressOf: this.#addressOf,
      showMore: (side) => {
        this.#more = { ...this.#more, [side]: this.#more[side] + ROWS };
        this.requestDraw();
      },
    });
  }
}

function isMoving({ waves, compensations = [], status }: RunView): boolean {
  return status === "running" && [...waves.flatMap(({ blocks }) => blocks), ...compensations].some((block) => block.status === "running");
}
