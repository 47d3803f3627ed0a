import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Where files build the package or the demo, start browsers and processes: each takes as long as dozens of others. */
const LONG =
  /\/test\/(?:(?:demo|package|examples|node\/cli|docs|simulator|mcp)\/|store\/(?:filesystem\/crash-states|postgres|redis|full-disks|processes)).*(?<!browser)\.test\.ts$/;

/** Begins with the files that take long, also where no run before has told how long: else one of them runs alone at the end. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- that of sequencers, which changes nothing
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
