/** A workflow file, as the bundler imports it: read beforehand; its text is loaded when it is wanted. */
declare module "*.yaml?workflow" {
  import type { Workflow } from "wavepoint";

  export const workflow: Workflow;
  export const readSource: () => Promise<string>;
}

/** The address of a file that the bundler puts beside the page. */
declare module "*.json?url" {
  const address: string;
  export default address;
}
