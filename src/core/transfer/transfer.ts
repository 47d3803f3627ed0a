/**
 * Transfer: runs as files. Exports a run with those it called, imports such a file after checking all of it, and hands a run over to another store, where
 * alone it continues. Its door is `transferRoom`.
 */
import type { TransferRoom } from "../run/run.ts";
import { exportRun } from "./export-run.ts";
import { checkImport, importRun } from "./import-run.ts";
import { transferRun } from "./transfer-run.ts";

/** What the room gives to the executor. */
export const transferRoom: TransferRoom = { exportRun, importRun, checkImport, transferRun };
