/** How much is measured. */
export const fullScale = { sizes: [100, 1_000, 10_000, 100_000], samples: 7, stretch: 200 };

/** Enough to see whether a row works and about where it stands, not enough to judge it. */
export const quickScale = { sizes: [100, 1_000, 10_000], samples: 3, stretch: 50 };
