export { opfsFiles, type OpfsFilesOptions } from "./files/opfs-files.ts";
export { keepStorage, type KeepStorageOptions } from "./keep-storage.ts";
export { questionHistory, type QuestionHistory, type QuestionHistoryOptions } from "./question-history.ts";
export { storageState, type StorageState, type StorageWatch } from "./storage-state.ts";
export { createPauseForm, type FieldError, type FormConditionState, type PauseForm, type PauseFormState } from "./pause-form.ts";
export { choicesOf, otherOf } from "../core/model/choices.ts";
export { askedOf, type Asked } from "./elements/read-question.ts";
