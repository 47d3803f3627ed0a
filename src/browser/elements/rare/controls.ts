import type { TemplateResult } from "lit-html";
import { adoptStyles } from "../adopt-styles.ts";
import type { RareKind } from "../field-kind.ts";
import type { DrawField, FormContext } from "../form-context.ts";
import type { ControlProps } from "../text-control.ts";
import { comboboxTemplate } from "./combobox.ts";
import { countedTemplate } from "./counted.ts";
import { fileField } from "./file.ts";
import { filesTemplate } from "./files.ts";
import { listTemplate } from "./list.ts";
import { otherTemplate } from "./other.ts";
import { rankingTemplate } from "./ranking.ts";
import { matrixTemplate, ratingTemplate } from "./scales.ts";
import { signatureTemplate } from "./signature.ts";
import { RARE_STYLES } from "./styles.ts";

export { answerTemplate } from "./answer.ts";
export { fileKinds } from "./file-kinds.ts";

/** The control of a rare kind. */
export function rareTemplate(kind: RareKind, context: FormContext, control: ControlProps, drawField: DrawField): TemplateResult {
  switch (kind) {
    case "list":
      return listTemplate(context, control.field, drawField);
    case "file":
      return fileField(context, control);
    case "files":
      return filesTemplate(context, control.field);
    case "matrix":
      return matrixTemplate(context, control.field);
    case "other":
      return otherTemplate(context, control);
    case "ranking":
      return rankingTemplate(context, control.field);
    case "rating":
      return ratingTemplate(context, control);
    case "multiline":
      return countedTemplate(context, control);
    case "search":
      return comboboxTemplate(context, control);
    case "signature":
      return signatureTemplate(context, control);
  }
}

/** Gives an element the looks of these controls. */
export function adoptRareStyles(element: Element): void {
  adoptStyles(element, RARE_STYLES);
}
