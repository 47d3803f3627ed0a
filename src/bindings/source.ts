/** What components follow: a run is one, too. */
export interface Source<State> {
  /** As it stands: the same object until something changes. */
  getSnapshot(): State;
  /** Calls the listener after each change, and may call it at once. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
}
