/**
 * Secrets: values that never reach a store, a log or an event in the clear. Gets them before a run executes, puts markers in their place, seals them where
 * there is a key, and asks for them again where there is none. Its door is `secretsRoom`.
 */
import type { SecretsRoom } from "../run/run.ts";
import { SecretGuard } from "./secret-guard.ts";

/** What the room gives to the executor. */
export const secretsRoom: SecretsRoom = { keepSecrets: (services, provider) => new SecretGuard(services, provider) };
