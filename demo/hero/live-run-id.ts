/** The run at the top of the first page: one in a browser, however often the page is opened. */
export const LIVE_RUN = "run_first-box";
/** Its workflow. */
export const LIVE_WORKFLOW = "first-box";
