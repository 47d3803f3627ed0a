import { FoldedRun } from "../../src/core/machine/folded-run.ts";
import { readOnly } from "./read-only.ts";

// In tests the state of a run is read-only outside the machine: what else writes to it fails where it does.
const { get } = Object.getOwnPropertyDescriptor(FoldedRun.prototype, "state") as { get(this: object): object };
Object.defineProperty(FoldedRun.prototype, "state", {
  get(this: object) {
    return readOnly(get.call(this));
  },
});
