export { fakeHost } from "./fake-host.ts";
export type { FakeHost, FakeHostOptions } from "./fake-host.ts";
export type { ConformanceCase, ConformanceOptions, StorePlace } from "./conformance/case.ts";
export { storeConformance } from "./store-conformance.ts";
