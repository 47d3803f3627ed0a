export { encryptedStore } from "./encrypted-store.ts";
export { rotateKey } from "./rotate-key.ts";
export type { RotateKeyOptions, RotationReport } from "./rotate-key.ts";
export type { StoreSecret } from "./store-secret.ts";
