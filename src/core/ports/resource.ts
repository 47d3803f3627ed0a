import type { Grants } from "./grants.ts";
import type { Host } from "./host.ts";

/** Something outside of the run that blocks of a type share: a browser, a sandbox, a session of a server. Its live form belongs to one process. */
export interface ResourceType<Live = unknown> {
  /** Opens it, where the run has none. The reference is stored before a block gets the live form. */
  open(context: ResourceContext): OpenedResource<Live> | Promise<OpenedResource<Live>>;
  /**
   * Reconnects by the reference that `open` gave: after a crash, on another machine, or when the run continues after a rest. Throws where the resource is
   * gone; then it is opened again. Default: the live form is kept while the run rests, and another process opens the resource again.
   */
  reconnect?(reference: never, context: ResourceContext): Live | Promise<Live>;
  /** Gives up the live form and keeps the resource: the run rests, or its executor is closed. Default: does nothing. */
  disconnect?(live: Live): void | Promise<void>;
  /**
   * Ends the resource: the run ends, is cancelled or deleted, or the resource was opened and cannot be used. May be called for a resource that has ended
   * already, and without a live form in a process that has none. It has ten seconds. Default: does nothing.
   */
  close?(reference: never, live: Live | undefined): void | Promise<void>;
}

/** What `open` gives. */
export interface OpenedResource<Live> {
  readonly live: Live;
  /** What another process reconnects by: plain data, under the rules and limits of outputs. */
  readonly reference: unknown;
}

/** What a resource is opened with. */
export interface ResourceContext {
  readonly run: string;
  /** The same text each time the same opening is tried. Pass it to services, so that they can recognise a repeated request. */
  readonly idempotencyKey: string;
  readonly host: Host;
  /** What the host granted, as far as the block type needs it. */
  readonly grants: Grants;
}
