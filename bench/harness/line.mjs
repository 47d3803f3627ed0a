import { STOPPED } from "./interleave.mjs";

/**
 * One line of the table. `ours`, `reference` and `peer` are summaries in `unit`; `bar` says in words what is asked, `met` decides it from
 * the medians. A line with `readme` stands in the README too, under the words
 * given there, or its own where it is true.
 */
export function line({ what, unit, ours, reference, referenceName, peer, peerName = "XState 5", bar, met, note, readme }) {
  const ratio = (of) => (of === undefined || of.stopped ? undefined : ours.median / of.median);
  return {
    what,
    unit,
    ours,
    reference,
    referenceName,
    referenceRatio: ratio(reference),
    peer,
    peerName,
    peerRatio: ratio(peer),
    bar,
    met:
      met === undefined
        ? undefined
        : met({ reference: ratio(reference), peer: peer === STOPPED || peer?.stopped ? 0 : ratio(peer), ours: ours.median }),
    note,
    readme: readme === true ? what : readme || undefined,
  };
}
