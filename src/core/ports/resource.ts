import type { Grants } from "./grants.ts";
import type { Host } from "./host.ts";

/** What the blocks of a type share in a run and what lives outside of it: a browser, a sandbox, a session of a server. Its live form is of one process alone. */
export interface ResourceType<Live = unknown> {
  /** Opens it, where the run has none. What it gives is stored before a block gets the live form. */
  open(context: ResourceContext): OpenedResource<Live> | Promise<OpenedResource<Live>>;
  /**
   * Finds it again by the reference that `open` gave: after a crash, on another machine, or once the run goes on after a rest. Throws where it is gone: then it is opened
   * anew. Default: the live form is kept while the run rests, and another process opens it anew.
   */
  reconnect?(reference: never, context: ResourceContext): Live | Promise<Live>;
  /** Gives up the live form, while the resource stays: the run rests, or its executor is closed. Default: nothing is done. */
  disconnect?(live: Live): void | Promise<void>;
  /**
   * Ends the resource: the run ends, is cancelled or deleted, or it was opened and cannot be used. May be called for one that has ended already, and without a live form by a
   * process that has none. It has ten seconds. Default: nothing is done.
   */
  close?(reference: never, live: Live | undefined): void | Promise<void>;
}

/** What `open` gives. */
export interface OpenedResource<Live> {
  readonly live: Live;
  /** What another process finds it by: plain data, with the limits and rules of outputs. */
  readonly reference: unknown;
}

/** What a resource is opened with. */
export interface ResourceContext {
  readonly run: string;
  /** The same text each time the same opening is tried: give it to services that can tell a repetition. */
  readonly idempotencyKey: string;
  readonly host: Host;
  /** Of what the host granted, what the block type needs. */
  readonly grants: Grants;
}
