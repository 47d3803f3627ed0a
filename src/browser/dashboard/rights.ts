/** What a dashboard may offer: `answer` with retry and resume, `manage` with stop, cancel, fork and delete, `transfer` with export. */
export type DashboardRight = "read" | "answer" | "manage" | "transfer";

export const ALL_RIGHTS: ReadonlySet<DashboardRight> = new Set(["read", "answer", "manage", "transfer"]);
