import { WorkflowError } from "../core/model/errors.ts";

/** The platform's cryptography. Throws `STORE_UNAVAILABLE` where it is missing. */
export function webCrypto(): Crypto {
  const crypto = globalThis.crypto as Crypto | undefined;
  // Pages that are not secure have `crypto` without `subtle`.
  if (crypto?.subtle as SubtleCrypto | undefined) return crypto!;
  throw new WorkflowError(
    "STORE_UNAVAILABLE",
    "There is no WebCrypto here, so nothing can be sealed or read: serve the page over https or from localhost.",
  );
}
