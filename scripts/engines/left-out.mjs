// @ts-check
/**
 * Tests that an engine cannot pass, and why.
 * @type {Readonly<Record<"firefox" | "webkit", readonly { readonly files: string, readonly reason: string }[]>>}
 */
export const LEFT_OUT = {
  firefox: [],
  webkit: [{ files: "test/browser/files/**", reason: "WebKitGTK has no file system of the origin (no navigator.storage)" }],
};
