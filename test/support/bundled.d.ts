declare module "*?bundled" {
  /** Of a script with all that the module loads. */
  export const address: string;
}
