/**
 * The tests `x.test.ts` that `npm test` runs in Chromium as well as in Node: those of what leans on the platform, such as storage, files, encryption,
 * compression, network, clones, text encodings and documents. All others are about what the language itself does, and Node runs the same engine for it
 * as Chromium. The long tier runs all of them in both.
 */
export const BROWSERS_MAY_DIFFER: readonly string[] = [
  "test/*.test.ts",
  "test/{bindings,browser,crash-points,encryption,golden,network,registry,store}/**/*.test.ts",
  // Promises on the browser's own database; others have a store in memory, which is the same in a page.
  "test/promises/{back-from-two-tabs,forks,listed-checkpoints,races,readers,refusals,unsure-answers}.test.ts",
  // What a journal says of channels, replayed on plain objects.
  "test/properties/channels.test.ts",
  "test/core/model/**/*.test.ts",
  "test/core/**/values/**/*.test.ts",
  "test/core/**/{moving,sealed-files,file-outputs,following,hostile-values,http-call,large-bytes,reading-while-written,subscribers}.test.ts",
];
