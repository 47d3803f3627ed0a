/**
 * Definitions: what a workflow says, checked in full, planned into waves and compiled. Everything here is pure and happens before a run begins.
 */
export { hashDefinition } from "./hash-definition.ts";
export { ADVICE } from "./check/advice.ts";
export { assertDefinition, assertSecretPlaces, checkDefinition, checkMeaning } from "./check/check-definition.ts";
export { assertSchedule } from "./check/check-schedule.ts";
export { checkBlockInputs } from "./check/check-block-inputs.ts";
export { missingGrant } from "./check/check-blocks.ts";
export { VALUE_TYPES, WORKFLOW_SCHEMA } from "./check/definition-schema.ts";
export { MAX_PROBLEMS, listProblems, type ProblemList } from "./check/problem-list.ts";
export { checkShape } from "./check/shape.ts";
export { holdsReference, literalOf } from "./check/read-texts.ts";
export { compileValue, memberPath, resolveValue } from "./compile-value.ts";
export { type Channel, readReducers } from "./channels.ts";
export type { AddedBlock } from "./added-blocks.ts";
export { compileWorkflow, extendWorkflow, type CompiledWorkflow } from "./compile.ts";
export { type Defined, defineWorkflow, type KnownTypes, type KnownWorkflows, type Named } from "./define-workflow.ts";
export { checkInput } from "./inputs.ts";
export { describeSchema, lowerSchema } from "../ports/lower-schema.ts";
export { type BlockKind, definePart, type Part } from "./part.ts";
export { listWaves, planWaves, type Plan } from "./plan.ts";
export { AFTER, ALWAYS, chooseWays, failuresOf, IF_FAILED } from "./ways.ts";
export type { CheckedWorkflow } from "./typed/checked-workflow.ts";
export type { InputsOf, StartArguments } from "./typed/input-types.ts";
export type { Mistake } from "./typed/mistake.ts";
export type { OutputsOf, PausesOf } from "./typed/run-types.ts";
export { writeTexts } from "./wanted-text.ts";
