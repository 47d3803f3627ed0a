/** What blocks, people and entries gave stands in a state as it came: it is nothing that the machine counts in. */
const GIVEN: ReadonlySet<PropertyKey> = new Set([
  "started",
  "finished",
  "revises",
  "entry",
  "outputs",
  "metadata",
  "answer",
  "carried",
  "held",
  "writes",
  "error",
  "refusal",
  "skipped",
]);
const WRITING: ReadonlySet<PropertyKey> = new Set(["set", "add", "delete", "clear", "fill", "sort", "reverse", "copyWithin"]);

const guards = new WeakMap<object, object>();

/** The same data, whose objects, lists, tables and bytes throw where something would change them. */
export function readOnly<T extends object>(target: T): T {
  let guard = guards.get(target);
  if (guard === undefined)
    guards.set(target, (guard = new Proxy(target, { get: read, set: refuse, deleteProperty: refuse, defineProperty: refuse })));
  return guard as T;
}

function refuse(_: object, member: PropertyKey): never {
  throw new Error(`The state of a run is changed outside the machine: ${String(member)}.`);
}

function guarded(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Object.isFrozen(value) ? readOnly(value) : value;
}

function read(target: object, member: PropertyKey): unknown {
  // Getters of tables and bytes work on the real object only.
  const value: unknown = Reflect.get(target, member, target);
  if (typeof value === "function") return method(target, member, value as Method);
  return GIVEN.has(member) ? value : guarded(value);
}

type Method = (this: object, ...given: unknown[]) => unknown;

function method(target: object, member: PropertyKey, call: Method): Method {
  // The methods of lists work on the guard, and meet it with what they write.
  if (Array.isArray(target) || Object.getPrototypeOf(target) === Object.prototype) return call;
  if (WRITING.has(member)) return () => refuse(target, member);
  if (target instanceof Map) return readTable(target, member, call);
  return (...given) => guarded(call.apply(target, given));
}

function readTable(target: Map<unknown, unknown>, member: PropertyKey, call: Method): Method {
  switch (member) {
    case "get":
      return (key) => guarded(target.get(key));
    case "values":
      return () => [...target.values()].map(guarded).values();
    case "entries":
    case Symbol.iterator:
      return () => [...target].map(([key, value]) => [key, guarded(value)]).values();
    case "forEach":
      return (each) => target.forEach((value, key) => (each as Method).call(target, guarded(value), key, target));
    default:
      return call.bind(target);
  }
}
