/** All that a workflow may ask for: no set-uid, set-gid or sticky bit. */
const MAX_PERMISSIONS = 0o777;

/** The permissions a number or a text of octal digits stands for; nothing for what stands for none. */
export function parsePermissions(written: unknown): number | undefined {
  const value =
    typeof written === "string" && /^(?:0o?)?[0-7]{1,3}$/.test(written) ? Number.parseInt(written.replace("o", ""), 8) : written;
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_PERMISSIONS ? (value as number) : undefined;
}
