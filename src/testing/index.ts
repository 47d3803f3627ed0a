export { fakeHost } from "./fake-host.ts";
export type { FakeHost, FakeHostOptions } from "./fake-host.ts";
export type { ConformanceCase, ConformanceOptions, StorePlace } from "./conformance/case.ts";
export { storeConformance } from "./store-conformance.ts";
export { runWriter } from "./conformance/writer.ts";
export type { Writer, WriterOptions } from "./conformance/writer.ts";
export { failAt, faultyStore } from "./faulty-store.ts";
export type { FaultOptions, FaultPlan, FaultyStore } from "./faulty-store.ts";
