export { serve, type Served, type ServeOptions } from "./serve.ts";
export type { LinkOptions } from "./links.ts";
export type { AccessOptions, Asked } from "./access.ts";
export type { OperationName, Right } from "./protocol/operations.ts";
