import type { Entry } from "../model/journal.ts";
import type { Host } from "../ports/host.ts";
import type { RunEvent } from "../ports/observer.ts";
import type { ValueRules } from "../ports/serializer.ts";
import type { Block } from "../model/workflow.ts";
import type { Store } from "../ports/store.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import type { Policy } from "./policy.ts";
import type { KeptSecrets } from "./kept-secrets.ts";
import type { FoldedRun } from "../machine/machine.ts";

/** What reading and writing journals takes of an executor. */
export interface JournalParts {
  readonly store: Store;
  readonly host: Host;
  readonly policy: Policy;
  /** What becomes of values that are more than data. */
  readonly values: ValueRules;
  /** What masks secrets before they are encoded; there is none before a workflow may hold some. */
  readonly guard: EntryGuard | undefined;
  /** The same, made if there is none yet. */
  loadGuard(): Promise<EntryGuard>;
  /** Gives events to those who listen, where there are any. */
  readonly onEvent: ((event: RunEvent) => void) | undefined;
  /** Removes what the policy lets go from a store that is full. */
  makeRoom(): Promise<void>;
  /** The definition with this hash, loaded or stored, ready to run. */
  definition(hash: string): Promise<CompiledWorkflow>;
  /** Loads the code of the types of blocks that were added to a run. */
  loadBlocks(blocks: readonly Block[]): Promise<void>;
  /** Whether a workflow of this name is loaded, with another definition than the one with this hash. Known once that was asked for. */
  isOutdated(workflow: string, definition: string): boolean;
}

/** A value with markers. It is held by an object because a promise looks into what it is given, which may be anything. */
export interface Hidden<T> {
  readonly value: T;
}

/** How markers are put into a value. */
export interface HideOptions {
  /** Whether the value was made from what the run holds: markers in it are the run's own then. */
  readonly isOwn?: boolean;
}

/** The hook at which secrets are masked: before a value is encoded, and before an entry is recorded. */
export interface EntryGuard {
  /** Lets the session mask what is secret in its entries. */
  attach(session: Maskable): void;
  /** A value with markers for what stands under secret keys; from now on the run keeps that. */
  hideKeys<T>(session: Maskable, value: T, options?: HideOptions): Promise<Hidden<T>>;
  /** A value of the run with its secrets masked. */
  mask<T>(run: string, value: T): T;
}

/** A run whose entries can be masked. */
export interface Maskable {
  readonly folded: FoldedRun;
  /** What stands for the markers in the values of the run; nothing as long as there can be none. */
  kept: KeptSecrets | undefined;
  /** Masks what is secret in an entry and in its decoded form, where the run has secrets; nothing where none is in them. */
  mask: ((entry: Entry, decoded: Entry) => MaskedEntry | undefined) | undefined;
  /** Masks what is secret in what a block threw, where the run has secrets. */
  maskCause: ((thrown: unknown) => unknown) | undefined;
}

/** An entry as it goes into the journal, and as the run keeps it. */
export interface MaskedEntry {
  readonly entry: Entry;
  readonly decoded: Entry;
  /** The entry as JSON. */
  readonly text: string;
}
