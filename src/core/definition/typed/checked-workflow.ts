import type { Block, Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { CheckedInputs, CheckedText, CheckedValue } from "./checked-inputs.ts";
import type { Indexes, Mistake, Suggest, Wrong } from "./mistake.ts";
import type { Scope, ScopeOf } from "./references.ts";

/**
 * What a workflow has to be, as far as the compiler can tell: `unknown` where it is right, else an object with a {@link Mistake} at the place of each
 * thing that is wrong. Of a workflow whose ids it does not know it says nothing. Each block is looked at once, with the same scope.
 */
export type CheckedWorkflow<W extends Workflow, Own extends readonly BlockType[]> = string extends W["blocks"][number]["id"]
  ? unknown
  : Wrong<KeysOfWorkflow<W, ScopeOf<W, Own>>>;

type KeysOfWorkflow<W extends Workflow, S extends Scope> = {
  readonly [K in keyof W]: K extends "blocks"
    ? CheckedBlocks<W["blocks"], S>
    : K extends "outputs"
      ? CheckedOutputs<W[K], S>
      : K extends "search"
        ? CheckedSearch<W[K], S>
        : K extends "label"
          ? CheckedText<W[K], S>
          : K extends keyof Workflow | "~blocks"
            ? unknown
            : Mistake<`A workflow has no key "${K & string}".${Suggest<K & string, keyof Workflow>}`>;
};

type CheckedBlocks<Blocks extends readonly Block[], S extends Scope> = Wrong<{
  readonly [I in Indexes<Blocks>]: CheckedBlock<Blocks[I], S>;
}>;

type CheckedBlock<B, S extends Scope> = B extends Block ? Wrong<KeysOfBlock<B, S>> : unknown;

type KeysOfBlock<B extends Block, S extends Scope> = {
  readonly [K in keyof B]: K extends keyof Checks<B, S>
    ? Checks<B, S>[K]
    : K extends keyof Block
      ? unknown
      : Mistake<`A block has no key "${K & string}".${Suggest<K & string, keyof Block>}`>;
};

/** What is checked of a block, by its keys. Those that it does not have are not looked at. */
interface Checks<B extends Block, S extends Scope> {
  readonly id: CheckedOwnId<B, S>;
  readonly type: CheckedType<B, S>;
  readonly inputs: CheckedInputs<B["inputs"], B["type"], S>;
  readonly dependsOn: CheckedDependencies<B["dependsOn"], B["id"], S>;
  readonly next: CheckedWays<B["next"], S>;
  readonly onFailure: CheckedId<B["onFailure"], S>;
  readonly compensate: CheckedId<B["compensate"], S>;
  readonly condition: CheckedText<B["condition"], S>;
  readonly repeatWhile: CheckedText<B["repeatWhile"], S>;
  readonly forEach: CheckedValue<B["forEach"], S>;
  readonly writes: CheckedWrites<B["writes"], S>;
}

/** Two blocks of one id are a union under it. */
type CheckedOwnId<B extends Block, S extends Scope> = B["id"] extends keyof S["blocks"]
  ? S["blocks"][B["id"]] extends B
    ? unknown
    : Mistake<`Another block is called "${B["id"]}" too.`>
  : unknown;

/** Where a block has no inputs at all, the error about missing ones stands at its type. */
type CheckedType<B extends Block, S extends Scope> = B["type"] extends S["types"]
  ? B extends { readonly inputs: unknown }
    ? unknown
    : CheckedInputs<Record<never, never>, B["type"], S> extends { readonly [name: string]: infer Missing }
      ? Missing
      : unknown
  : Mistake<`There is no block type "${B["type"]}".${Suggest<B["type"], S["types"]>}`>;

type CheckedId<Id, S extends Scope> = Id extends keyof S["blocks"]
  ? unknown
  : Id extends string
    ? Mistake<`No block is called "${Id}".${Suggest<Id, keyof S["blocks"]>}`>
    : unknown;

type CheckedDependencies<List, Self, S extends Scope> = List extends readonly (keyof S["blocks"])[]
  ? Self extends List[number]
    ? Wrong<{ readonly [I in Indexes<List>]: CheckedDependency<List[I], Self, S> }>
    : unknown
  : Wrong<{ readonly [I in Indexes<List>]: CheckedDependency<List[I], Self, S> }>;

type CheckedDependency<D, Self, S extends Scope> = D extends { readonly block: infer Id }
  ? Wrong<{ readonly block: CheckedDependency<Id, Self, S> }>
  : D extends Self
    ? Mistake<`The block "${Self & string}" cannot depend on itself.`>
    : CheckedId<D, S>;

type CheckedWays<List, S extends Scope> = List extends readonly (keyof S["blocks"])[]
  ? unknown
  : Wrong<{ readonly [I in Indexes<List>]: CheckedWay<List[I], S> }>;

type CheckedWay<N, S extends Scope> = N extends { readonly to: infer Id; readonly when?: infer When }
  ? Wrong<{ readonly to: CheckedId<Id, S>; readonly when: CheckedText<When, S> }>
  : CheckedId<N, S>;

type CheckedWrites<Writes, S extends Scope> = Wrong<{
  readonly [Name in keyof Writes]: Name extends keyof S["channels"]
    ? CheckedValue<Writes[Name], S>
    : Mistake<`There is no channel "${Name & string}".${Suggest<Name & string, keyof S["channels"]>}`>;
}>;

type CheckedSearch<Search, S extends Scope> = Wrong<{ readonly [Name in keyof Search]: CheckedText<Search[Name], S> }>;

type CheckedOutputs<Outputs, S extends Scope> = Wrong<{ readonly [Name in keyof Outputs]: CheckedValue<Outputs[Name], S> }>;
