/** Rare keywords: what only some schemas have, loaded when one of them is first seen. */
export { checkRare } from "../model/rare-schema.ts";
export { checkConditions, evaluateForm } from "./form-conditions.ts";
