import type { TransferRoom } from "../run/run.ts";
import { exportRun } from "./export-run.ts";
import { importRun } from "./import-run.ts";
import { transferRun } from "./transfer-run.ts";

/** Writing runs to files, reading them from files, and handing them over. */
export const transferRoom: TransferRoom = { exportRun, importRun, transferRun };
