import type { Files } from "./files.ts";
import type { Network } from "./network.ts";
import type { Shell } from "./shell.ts";

/**
 * What a host lets workflows touch, from the options of the executor. Nothing in a workflow extends it, and a called workflow has no more than its caller.
 * Default: nothing.
 */
export interface Grants {
  /** Files below a root: `nodeFiles` of `wavepoint/node`, `opfsFiles` of `wavepoint/browser`. */
  readonly files?: Files;
  /** Commands: `nodeShell` of `wavepoint/node`. */
  readonly shell?: Shell;
  /** Requests to the hosts it names: `allowHosts` of `wavepoint/network`. */
  readonly network?: Network;
  /** Language models, by the names that workflows give them: see `wavepoint/ai`. */
  readonly models?: Models;
}

/** Language models by name: those of the package `ai`, alone or with what they cost. `wavepoint/ai` has their types. */
export interface Models {
  readonly [name: string]: object;
}

/** A name of what a host can grant. */
export type Capability = keyof Grants;

/**
 * Gives the value of a secret by its name; `undefined` where there is none. Called each time a run is read again; the engine keeps values in memory only.
 */
export type SecretsProvider = (name: string) => string | undefined | Promise<string | undefined>;
