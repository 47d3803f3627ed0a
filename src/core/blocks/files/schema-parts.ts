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

/** All that a workflow may ask for: no set-uid, set-gid or sticky bit. */
const MAX_PERMISSIONS = 0o777;

/** The permissions a number or a text of octal digits stands for; nothing for what stands for none. */
export function parsePermissions(written: unknown): number | undefined {
  const value =
    typeof written === "string" && /^(?:0o?)?[0-7]{1,3}$/.test(written) ? Number.parseInt(written.replace("o", ""), 8) : written;
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_PERMISSIONS ? (value as number) : undefined;
}
