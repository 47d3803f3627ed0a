/** Members that the schemas of several blocks have in common: what is said of them stands once. */

export const PATH = { type: "string", minLength: 1, description: "Relative to the root of the host's files." } as const;

export const CREATE_PARENTS = {
  type: "boolean",
  default: true,
  description: "Whether folders on the way that are missing are made.",
} as const;

export const UNSAFE = {
  type: "boolean",
  default: false,
  description: "Allows an absolute path, where the host allows such paths.",
} as const;

/** Of the outputs. */
export const SHOWN_PATH = { type: "string", description: "The path, without parts that mean nothing in it, such as `./`." } as const;
