import * as engine from "@huggingface/jinja";

/** The part of `@huggingface/jinja` that is used here, written down because the declarations of the package do not resolve under Node's rules. */
export interface Jinja {
  tokenize(source: string): readonly unknown[];
  parse(tokens: readonly unknown[]): JinjaNode;
  readonly Environment: new (parent?: JinjaScope) => JinjaScope;
  readonly Interpreter: new (scope: JinjaScope) => JinjaInterpreter;
}

/** A node of a parsed template; which parts it has depends on its type. */
export interface JinjaNode {
  readonly type: string;
  readonly value?: unknown;
  readonly body?: readonly JinjaNode[];
  /** Of filters and tests. */
  readonly operand?: JinjaNode;
  readonly test?: JinjaNode;
  readonly negate?: boolean;
  /** A name, or a call of a name. */
  readonly filter?: JinjaNode;
  readonly callee?: JinjaNode;
  readonly args?: readonly JinjaNode[];
  /** Of comparisons and calculations. */
  readonly left?: JinjaNode;
  readonly operator?: { readonly value: string };
  /** Of members. */
  readonly object?: JinjaNode;
  readonly property?: JinjaNode;
  readonly computed?: boolean;
  /** Of loops. */
  readonly iterable?: JinjaNode;
  readonly lhs?: JinjaNode;
}

/** A value inside a template: text, number, list, mapping, function, … wrapped with the name of its type. */
export interface JinjaValue {
  readonly type: string;
  readonly value: unknown;
  readonly builtins: ReadonlyMap<string, JinjaValue>;
}

export type JinjaFunction = (args: readonly JinjaValue[], scope: JinjaScope) => JinjaValue;

export interface JinjaScope {
  readonly variables: Map<string, JinjaValue>;
  set(name: string, value: unknown): JinjaValue;
}

export interface JinjaInterpreter {
  run(program: JinjaNode): JinjaValue;
  /** The body of a statement. */
  evaluateBlock(body: readonly JinjaNode[], scope: JinjaScope): JinjaValue;
  /** Every part of a template goes through here, which makes it the place to count. */
  evaluate(node: JinjaNode | undefined, scope: JinjaScope): JinjaValue;
}

/** The template engine. Only a module that is loaded when it is used may import it: most pages never need it. */
export const jinja: Jinja = engine as unknown as Jinja;
