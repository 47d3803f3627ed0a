// @ts-check
// The order in which the reference lists block types, and the guide that tells more of each.

/**
 * @typedef {object} BlockGroup
 * @property {string} title
 * @property {readonly string[]} types
 * @property {{ readonly title: string; readonly place: string }} guide Its place is seen from `docs/`.
 */

/** @type {readonly BlockGroup[]} */
export const BLOCK_GROUPS = [
  {
    title: "Asking people",
    types: ["ConfirmOperation", "AskChoice", "GetInput", "Form", "Review", "Prompt"],
    guide: { title: "Blocks that ask", place: "blocks.md#blocks-that-ask" },
  },
  {
    title: "Values, time and other workflows",
    types: ["EchoBlock", "PopulateTemplate", "Compute", "Wait", "ExecuteWorkflow"],
    guide: { title: "Which block for what", place: "blocks.md#which-block-for-what" },
  },
  {
    title: "Files and state",
    types: ["CreateFile", "ReadFile", "EditFile", "RenderTemplate", "SetState", "ReadState", "MergeState"],
    guide: { title: "Files", place: "files.md" },
  },
  {
    title: "Services",
    types: ["HttpCall"],
    guide: { title: "Asking services by HTTP", place: "http.md" },
  },
  {
    title: "Commands",
    types: ["Shell", "CreateWorktree"],
    guide: { title: "Commands", place: "shell.md" },
  },
];
