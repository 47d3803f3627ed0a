import type { Grants } from "wavepoint";

/** A place where hostile inputs may touch files and start commands; made anew for each try. */
export interface Site {
  readonly grants: Grants;
  /**
   * Grants with which blocks that say `unsafe: true` may name absolute paths: then it is not the path alone that is refused. Absent where there
   * are no such paths.
   */
  readonly wideGrants?: Grants;
  /** Does what the comments of a workflow ask for. */
  prepare(text: string): Promise<Prepared>;
  /** The files below the root, by their paths. */
  list(): Promise<readonly string[]>;
  /** What happened that must not: outside of the root, by a command that was no command, or by what still runs. */
  findDamage(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** A workflow whose surroundings are as it wants them. */
export interface Prepared {
  /** The text with the paths of this place. */
  readonly text: string;
  /** What the files hold that were made for it. */
  readonly contents: readonly string[];
  /** Why this place cannot be made as the workflow wants it. */
  readonly missing?: string;
}
