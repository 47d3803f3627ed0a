import { stringify } from "yaml";
import { WorkflowError } from "../../core/model/errors.ts";
import { isRecord } from "../../core/model/value.ts";
import type { ConversionNote, Draft, Note } from "./draft.ts";
import { isFhirQuestionnaire, readFhirQuestionnaire } from "./fhir.ts";
import type { Foreign } from "./foreign.ts";
import { isGovUkForm, readGovUkForm } from "./govuk.ts";
import { isRjsf, readRjsf } from "./rjsf.ts";
import { isSurveyJs, readSurveyJs } from "./surveyjs.ts";
import { documentOf } from "./write-workflow.ts";

export type { ConversionNote } from "./draft.ts";

/** The forms of other tools that can be read. */
export type FormFormat = "surveyjs" | "fhir" | "govuk" | "rjsf";

/** A workflow that was made of a form. */
export interface ConvertedForm {
  readonly format: FormFormat;
  /** A workflow file: check it with `checkWorkflow`, then load it. */
  readonly yaml: string;
  /** What could not be carried over, where it stands in the form, and what to write for it. Empty where all of it was. */
  readonly notes: readonly ConversionNote[];
}

interface FormReader {
  readonly format: FormFormat;
  readonly knows: (document: Foreign) => boolean;
  readonly read: (document: Foreign, note: Note) => Draft;
}

/** In the order in which they are tried: a form of GOV.UK has pages too, and nearly anything may be a JSON Schema. */
const READERS: readonly FormReader[] = [
  { format: "fhir", knows: isFhirQuestionnaire, read: readFhirQuestionnaire },
  { format: "govuk", knows: isGovUkForm, read: readGovUkForm },
  { format: "surveyjs", knows: isSurveyJs, read: readSurveyJs },
  { format: "rjsf", knows: isRjsf, read: readRjsf },
];

/** Longer forms are no forms that people fill in. In characters. */
const MAX_FORM_LENGTH = 4_194_304;

/**
 * Makes a workflow of a form that was written for another tool: the JSON of a SurveyJS survey, of a GOV.UK form, a FHIR Questionnaire (R4, R5), or a JSON Schema
 * with its `uiSchema` (react-jsonschema-form). Which of them it is shows in the document.
 *
 * Throws `FORM_UNKNOWN` for a text that is none of them, or has more than 4,194,304 characters.
 */
export function convertForm(text: string): ConvertedForm {
  const document = text.length > MAX_FORM_LENGTH ? undefined : parse(text);
  const reader = document && READERS.find(({ knows }) => knows(document));
  if (!document || !reader) {
    throw new WorkflowError(
      "FORM_UNKNOWN",
      "This is no form that can be converted. Give the JSON of a SurveyJS survey, a GOV.UK form, a FHIR Questionnaire, or { schema, uiSchema } of react-jsonschema-form.",
    );
  }
  const notes: ConversionNote[] = [];
  const note: Note = (pointer, message) => {
    if (!notes.some((one) => one.pointer === pointer && one.message === message)) notes.push({ pointer, message });
  };
  const written = documentOf(reader.read(document, note), note);
  if (notes.length === 0 && (written["blocks"] as readonly unknown[]).length === 0)
    note("", "There is nothing in it that people are asked.");
  return { format: reader.format, yaml: stringify(written, { lineWidth: 0, aliasDuplicateObjects: false }), notes };
}

function parse(text: string): Foreign | undefined {
  try {
    // Some editors put a byte order mark before it.
    const document: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(document) ? (document as Foreign) : undefined;
  } catch {
    // Said as a form that is not known, since YAML and HTML come here too.
    return undefined;
  }
}
