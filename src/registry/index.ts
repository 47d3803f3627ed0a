export { createRegistry } from "./registry.ts";
export { loadManifest } from "./load-manifest.ts";

export type { AddOptions, DuplicateOptions, OnDuplicate, Registry, RegistryOptions } from "./registry.ts";
export type { DuplicateWorkflow, FailedWorkflow, LoadedWorkflow, LoadReport } from "./load-report.ts";
export type { ManifestOptions } from "./load-manifest.ts";
export type { Registered } from "./registered.ts";
export { describeWorkflow } from "./workflow-info.ts";
export type { BlockInfo, InputInfo, OutputInfo, WorkflowInfo, WorkflowSummary } from "./workflow-info.ts";
