/**
 * Definitions: what a workflow says, checked in full, planned into waves and compiled. Everything here is pure and happens before a run begins.
 */
export { hashDefinition } from "./hash-definition.ts";
export { ADVICE } from "./check/advice.ts";
export { assertDefinition, assertSecretPlaces, checkDefinition, checkMeaning } from "./check/check-definition.ts";
export { checkBlockInputs } from "./check/check-block-inputs.ts";
export { missingGrant } from "./check/check-blocks.ts";
export { VALUE_TYPES, WORKFLOW_SCHEMA } from "./check/definition-schema.ts";
export { MAX_PROBLEMS, listProblems, type ProblemList } from "./check/problem-list.ts";
export { checkShape } from "./check/shape.ts";
export { compileValue, memberPath, resolveValue } from "./compile-value.ts";
export { type Channel, readReducers } from "./channels.ts";
export type { AddedBlock } from "./added-blocks.ts";
export { compileWorkflow, extendWorkflow, type CompiledWorkflow } from "./compile.ts";
export { defineWorkflow, type InputsOf, type OutputsOf, type StartArguments } from "./define-workflow.ts";
export { checkInput } from "./inputs.ts";
export { describeSchema, lowerSchema } from "./lower-schema.ts";
export { definePart, type Part } from "./part.ts";
export { listWaves, planWaves, type Plan } from "./plan.ts";
export { AFTER, ALWAYS, chooseWays, failuresOf, IF_FAILED } from "./ways.ts";
export { writeTexts } from "./wanted-text.ts";
