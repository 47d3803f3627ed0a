declare module "*?workflow" {
  import type { Workflow } from "wavepoint";

  const workflow: Workflow;
  export default workflow;
}
