export { fakeHost } from "./fake-host.ts";
export type { FakeHost, FakeHostOptions } from "./fake-host.ts";
