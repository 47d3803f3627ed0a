/** The part of the Standard Schema interface (version 1) that blocks use, so that zod, valibot, arktype and others all fit. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** What it looks like as JSON Schema (the Standard JSON Schema interface), where the library tells. */
    readonly jsonSchema?: StandardJsonSchema | undefined;
  };
}

/** How a schema tells its JSON Schema: the Standard JSON Schema interface. */
export interface StandardJsonSchema {
  /** The schema of the values it takes. */
  readonly input: (options: { readonly target: "draft-2020-12"; readonly libraryOptions?: { readonly [option: string]: unknown } }) => {
    readonly [keyword: string]: unknown;
  };
}

/** What a schema makes of a value: the value as it takes it, or what is wrong with it. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** What a schema finds wrong, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
