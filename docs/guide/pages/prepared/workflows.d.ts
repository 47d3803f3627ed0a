declare module "*?workflow" {
  const workflow: import("wavepoint").Workflow;
  export default workflow;
}
