import * as z from "zod/mini";
import { type OperationName, RIGHTS } from "../protocol/operations.ts";
import { CHECKPOINT_OPERATIONS } from "./checkpoint-operations.ts";
import { type Definition, givesValue } from "./definition.ts";
import { EXECUTOR_OPERATIONS } from "./executor-operations.ts";
import { openApiDocument } from "./openapi.ts";
import { given, RUN_OPERATIONS } from "./run-operations.ts";

/** What each operation of the table takes, gives and does. */
export const DEFINITIONS: { readonly [name in OperationName]: Definition } = {
  ...EXECUTOR_OPERATIONS,
  ...CHECKPOINT_OPERATIONS,
  ...RUN_OPERATIONS,
  "server.link": givesValue(z.string(), {
    summary: "The token of a link to one question, which answers it once, or to a whole run. Clients give it as their Bearer token.",
    input: z.strictObject({ pause: z.optional(z.string()), run: z.optional(z.string()), expiresInMs: z.optional(z.number()) }),
    needs: () => [{ right: "read" }],
    handle: ({ link }, options) => link(given(options)),
  }),
  "server.rights": givesValue(z.array(z.enum(RIGHTS as readonly ["read"])), {
    summary: "What the request may do, with a run where it names one: so a page offers nothing that would be refused.",
    input: z.strictObject({ run: z.optional(z.string()) }),
    async handle({ may }, { run }) {
      const allowed = await Promise.all(RIGHTS.map((right) => may(right, run)));
      return RIGHTS.filter((_, i) => allowed[i]);
    },
  }),
  "server.openapi": givesValue(z.looseObject({ openapi: z.string() }), {
    summary: "This document.",
    input: z.strictObject({}),
    handle: async () => openApiDocument(DEFINITIONS),
  }),
};
