/** A client of a database, and what makes it as silent as one in a process that is frozen. */
export interface Freezable<T> {
  readonly client: T;
  /** From now on calls wait. Gives what lets them go on. */
  freeze(): () => void;
}

/** Wraps a client whose methods give promises. */
export function freezable<T extends object>(client: T): Freezable<T> {
  let thawed = Promise.resolve();
  const wrapped = new Proxy(client, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => thawed.then(() => Reflect.apply(member, target, values) as unknown);
    },
  });
  return {
    client: wrapped,
    freeze() {
      let thaw = (): void => {};
      thawed = new Promise((resolve) => (thaw = resolve));
      return thaw;
    },
  };
}
