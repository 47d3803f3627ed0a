/** Work that is done once for all who ask for it at the same time. */
export class SharedWork<Key> {
  readonly #underWay = new Map<Key, Promise<void>>();

  do(key: Key, work: () => Promise<void>): Promise<void> {
    let shared = this.#underWay.get(key);
    if (!shared) {
      shared = work().finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, shared);
    }
    return shared;
  }
}
