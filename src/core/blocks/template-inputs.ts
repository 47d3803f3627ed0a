/** What a block that renders a template takes. */
export const TEMPLATE_INPUTS = {
  template: {
    type: "string",
    description: "The template. References (`${…}`) in it are put in place first: take values from `variables` instead.",
  },
  variables: { type: "object", default: {}, description: "What the template sees, by name." },
  strict: {
    type: "boolean",
    default: false,
    description: "Whether a name that is not defined fails the block. Otherwise it prints nothing.",
  },
} as const;
