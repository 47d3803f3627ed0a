/** A workflow file, as the bundler imports it: read beforehand, and its text. */
declare module "*.yaml?workflow" {
  import type { Workflow } from "wavepoint";

  export const workflow: Workflow;
  export const source: string;
}

/** The address of a file that the bundler puts beside the page. */
declare module "*.json?url" {
  const address: string;
  export default address;
}
