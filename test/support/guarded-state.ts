import { FoldedRun } from "../../src/core/machine/folded-run.ts";
import { readOnly } from "./read-only.ts";

let isGuarded = false;

/** Whether the state of a run is read-only from now on, outside the machine: what else writes to it fails where it does. */
export function guardStates(are: boolean): void {
  isGuarded = are;
}

const { get } = Object.getOwnPropertyDescriptor(FoldedRun.prototype, "state") as { get(this: object): object };
Object.defineProperty(FoldedRun.prototype, "state", {
  get(this: object) {
    const state = get.call(this);
    return isGuarded ? readOnly(state) : state;
  },
});
