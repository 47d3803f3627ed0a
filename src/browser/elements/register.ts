/** Elements by their names. */
export type Registered = readonly (readonly [name: string, element: CustomElementConstructor])[];

/** Registers elements whose names are free. On a server, which has no elements, it does nothing. */
export function register(elements: Registered): void {
  if (!("customElements" in globalThis)) return;
  for (const [name, element] of elements) if (!customElements.get(name)) customElements.define(name, element);
}
