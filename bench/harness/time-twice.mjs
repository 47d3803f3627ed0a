/**
 * Milliseconds that an action takes, or those it gives, after the same once more. The garbage collection before a sample finds nothing of the
 * last one alive, and with its objects the platform throws away the code that was compiled for them; each side has to warm up again.
 */
export async function timeTwice(action) {
  await action();
  const start = performance.now();
  const own = await action();
  return typeof own === "number" ? own : performance.now() - start;
}
