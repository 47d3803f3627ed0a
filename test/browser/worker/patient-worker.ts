import { createExecutor } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { serveExecutor } from "wavepoint/worker";
import { careful, patient, patientBlocks } from "./patient.ts";

const served = serveExecutor(
  createExecutor({
    store: indexedDbStore({ name: self.name }),
    workflows: [patient, careful],
    // That a block began is stored before it does, whenever its worker is killed.
    policy: { durability: "sync" },
    blocks: patientBlocks,
    onEvent: (event) => served.onEvent(event),
  }),
);
