export const fault = {
  promise: "S10",
  what: "the code of an error is recorded as it is, even if it holds a secret",
  module: "src/core/secrets/mask-value.ts",
  changes: [
    { from: "maskErrorData({ message, ...rest }", to: "maskErrorData({ code, message, ...rest }" },
    {
      from: 'return { ...(maskValue(rest, masker) as Omit<ErrorData, "message">),',
      to: "return { code, ...(maskValue(rest, masker) as object),",
    },
  ],
  foundBy: [{ file: "test/core/secrets/error-members.test.ts", test: "code, thrown" }],
};
