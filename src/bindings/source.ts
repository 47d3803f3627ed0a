/** What components follow: a run is one, too. */
export interface Source<State> {
  /** As it stands: the same object until something changes. */
  getSnapshot(): State;
  /** Calls the listener now and after each change, perhaps more often. Gives the function that ends it. */
  subscribe(listener: () => void): () => void;
}
