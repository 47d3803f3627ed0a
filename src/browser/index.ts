export { opfsFiles, type OpfsFilesOptions } from "./files/opfs-files.ts";
export { keepStorage, type KeepStorageOptions } from "./keep-storage.ts";
export { questionHistory, type QuestionHistory, type QuestionHistoryOptions } from "./question-history.ts";
export { storageState, type StorageState, type StorageWatch } from "./storage-state.ts";
export { offerPauses } from "./web-mcp.ts";
export { createPauseForm, type FieldError, type PauseForm, type PauseFormState } from "./pause-form.ts";
export { choicesOf } from "../core/model/json-schema.ts";
export { askedOf, type Asked } from "./elements/read-question.ts";
