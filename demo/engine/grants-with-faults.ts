import { WorkflowError, type Grants } from "wavepoint";
import type { Faults } from "./faults.ts";

/** Grants whose network is gone as long as the page pretends to be offline. */
export function grantsWithFaults(grants: Grants, faults: () => Faults): Grants {
  const { network } = grants;
  if (!network) return grants;
  return {
    ...grants,
    network: {
      async request(request) {
        if (faults().offline) throw new WorkflowError("HTTP_FAILED", "There is no network (the fault panel pretends so).");
        return network.request(request);
      },
    },
  };
}
