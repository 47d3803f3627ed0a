export { opfsFiles } from "./files/opfs-files.ts";
export type { OpfsFilesOptions } from "./files/opfs-files.ts";
export { createPauseForm } from "./pause-form.ts";
export type { FieldError, PauseForm, PauseFormState } from "./pause-form.ts";
export { askedOf } from "./elements/asked.ts";
export type { Asked } from "./elements/asked.ts";
