export { cancelTemplate, detailsList, draftNote, questionNotes } from "./question-notes.ts";
export { errorSummary } from "./error-summary.ts";
export { fieldErrorsOf, findLocalErrors, readFiles } from "./read-entry.ts";
export { LATER_STYLES } from "./later-styles.ts";
export { createReview } from "./review.ts";
export { rareField } from "./rare-field.ts";
export { endTemplate, othersTemplate } from "./run-stages.ts";
export { createNotices } from "./notices.ts";
export { wordsOf } from "./wizard-messages.ts";
