import type { Block, Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { MistakesIn, WrongInputs, WrongValue } from "./checked-inputs.ts";
import type { Indexes, Mistake, Suggest, UnknownName, Wrong } from "./mistake.ts";
import type { Scope, ScopeOf } from "./references.ts";

/**
 * What a workflow has to be, as far as the compiler can tell: `unknown` where it is right, else an object with a {@link Mistake} at the place of each
 * thing that is wrong. Of a workflow whose ids it does not know it says nothing. All blocks share one scope, so that each is looked at once.
 */
export type CheckedWorkflow<W extends Workflow, Own extends readonly BlockType[]> = string extends W["blocks"][number]["id"]
  ? unknown
  : [WrongKey<keyof W, W, ScopeOf<W, Own>>] extends [never]
    ? unknown
    : Wrong<{ readonly [K in keyof W]: WrongKey<K, W, ScopeOf<W, Own>> }>;

type WrongKey<K extends keyof W, W extends Workflow, S extends Scope> = K extends "blocks"
  ? WrongBlocks<W["blocks"], S>
  : K extends "outputs" | "search"
    ? WrongValue<W[K], S>
    : K extends "label"
      ? MistakesIn<W[K], S>
      : K extends keyof Workflow | "~blocks"
        ? never
        : Mistake<`A workflow has no key "${K & string}".${Suggest<K & string, keyof Workflow>}`>;

type WrongBlocks<Blocks extends readonly Block[], S extends Scope> = [WrongBlock<Blocks[number], S>] extends [never]
  ? never
  : Wrong<{ readonly [I in Indexes<Blocks>]: WrongBlock<Blocks[I], S> }>;

type WrongBlock<B, S extends Scope> = B extends Block
  ? [WrongPart<keyof B, B, S>] extends [never]
    ? never
    : Wrong<{ readonly [K in keyof B]: WrongPart<K, B, S> }>
  : never;

type WrongPart<K extends keyof B, B extends Block, S extends Scope> = K extends "inputs"
  ? WrongInputs<B["inputs"], B["type"], S>
  : K extends "id"
    ? WrongOwnId<B, S>
    : K extends "type"
      ? WrongType<B, S>
      : K extends "dependsOn"
        ? WrongDependencies<B["dependsOn"], B["id"], S>
        : K extends "condition" | "repeatWhile"
          ? MistakesIn<B[K], S>
          : K extends "next"
            ? WrongWays<B["next"], S>
            : K extends "onFailure" | "compensate"
              ? WrongId<B[K], S>
              : K extends "forEach"
                ? WrongValue<B["forEach"], S>
                : K extends "writes"
                  ? WrongWrites<B["writes"], S>
                  : K extends keyof Block
                    ? never
                    : Mistake<`A block has no key "${K & string}".${Suggest<K & string, keyof Block>}`>;

/** Two blocks of one id are a union under it. */
type WrongOwnId<B extends Block, S extends Scope> = B["id"] extends keyof S["blocks"]
  ? S["blocks"][B["id"]] extends B
    ? never
    : Mistake<`Another block is called "${B["id"]}" too.`>
  : never;

/** Where a block has no inputs at all, the error about missing ones stands at its type. */
type WrongType<B extends Block, S extends Scope> = B["type"] extends S["types"]
  ? "inputs" extends keyof B
    ? never
    : ValuesOf<WrongInputs<Record<never, never>, B["type"], S>>
  : Mistake<`There is no block type "${B["type"]}".${OrYourOwn<Suggest<B["type"], S["types"]>>}`>;

type OrYourOwn<Suggestion extends string> = Suggestion extends ""
  ? " If it is your own, pass { blocks: […] } after the definition."
  : Suggestion;

type ValuesOf<T> = T extends { readonly [name: string]: infer V } ? V : never;

type WrongId<Id, S extends Scope> = Id extends keyof S["blocks"]
  ? never
  : Id extends string
    ? UnknownName<`No block is called "${Id}".`, Id, keyof S["blocks"]>
    : never;

type WrongDependencies<List, Self, S extends Scope> = List extends readonly (keyof S["blocks"])[]
  ? Self extends List[number]
    ? Wrong<{ readonly [I in Indexes<List>]: WrongDependency<List[I], Self, S> }>
    : never
  : Wrong<{ readonly [I in Indexes<List>]: WrongDependency<List[I], Self, S> }>;

type WrongDependency<D, Self, S extends Scope> = D extends { readonly block: infer Id }
  ? Wrong<{ readonly block: WrongDependency<Id, Self, S> }>
  : D extends Self
    ? Mistake<`The block "${Self & string}" cannot depend on itself.`>
    : WrongId<D, S>;

type WrongWays<List, S extends Scope> = Wrong<{ readonly [I in Indexes<List>]: WrongWay<List[I], S> }>;

type WrongWay<N, S extends Scope> = N extends { readonly to: infer Id; readonly when?: infer When }
  ? Wrong<{ readonly to: WrongId<Id, S>; readonly when: MistakesIn<When, S> }>
  : WrongId<N, S>;

type WrongWrites<Writes, S extends Scope> = Wrong<{
  readonly [Name in keyof Writes]: Name extends keyof S["channels"]
    ? WrongValue<Writes[Name], S>
    : Mistake<`There is no channel "${Name & string}".${Suggest<Name & string, keyof S["channels"]>}`>;
}>;
