import { html, type TemplateResult } from "lit-html";
import type { FormContext } from "../form-context.ts";
import type { ControlProps } from "../text-control.ts";
import { fileField } from "./file.ts";
import { wordsOf } from "../wizard-messages.ts";
import { fieldWordsOf } from "./words.ts";

/** Points of a canvas, as wide as a signature is drawn large. */
const WIDTH = 600;
const HEIGHT = 200;
const PEN_WIDTH = 3;

/** Begins the names of the files that are made here. */
const NAME = "signature";

/** A signature: drawn, or typed as a name. Either is a file. */
export function signatureTemplate(context: FormContext, control: ControlProps): TemplateResult {
  const { id, field, described, invalid, set } = control;
  const words = fieldWordsOf(context.messages);
  // One of an earlier answer is shown as the file that it is.
  if (field.entry !== undefined && !(field.entry instanceof File)) return fileField(context, control);
  const isTyped = field.entry instanceof File && field.entry.type === "text/plain";

  const draw = (event: PointerEvent): void => {
    const canvas = event.currentTarget as HTMLCanvasElement;
    const pen = canvas.getContext("2d");
    if (!pen || !event.isPrimary) return;
    if (event.type === "pointerdown") {
      canvas.setPointerCapture(event.pointerId);
      if (isTyped) pen.clearRect(0, 0, WIDTH, HEIGHT);
      pen.lineWidth = PEN_WIDTH;
      pen.lineCap = "round";
      // Dark on white in every theme: it is kept as a picture.
      pen.strokeStyle = "#10292f";
      pen.beginPath();
      pen.moveTo(...placeIn(canvas, event));
    } else if (canvas.hasPointerCapture(event.pointerId)) {
      pen.lineTo(...placeIn(canvas, event));
      pen.stroke();
      if (event.type === "pointerup") canvas.toBlob((blob) => blob && set(new File([blob], `${NAME}.png`, { type: "image/png" })));
    }
  };
  const type = ({ target }: Event): void => {
    const { value } = target as HTMLInputElement;
    clearCanvas(target as Element);
    set(value.trim() === "" ? undefined : new File([value], `${NAME}.txt`, { type: "text/plain" }));
  };
  const clear = ({ target }: Event): void => {
    clearCanvas(target as Element);
    ((target as Element).closest("[part~=signature]")!.querySelector("input") as HTMLInputElement).value = "";
    set(undefined, id);
  };

  return html`<div part="signature">
    <p part="hint">${words.signHere}</p>
    <canvas
      part="canvas"
      width=${WIDTH}
      height=${HEIGHT}
      aria-hidden="true"
      @pointerdown=${draw}
      @pointermove=${draw}
      @pointerup=${draw}
    ></canvas>
    <label part="hint" for=${id}>${words.typeName}</label>
    <input
      part="control"
      type="text"
      id=${id}
      autocomplete="name"
      aria-describedby=${described}
      aria-invalid=${invalid}
      aria-required=${field.isRequired}
      @input=${type}
    />
    <p part="hint" role="status">${field.entry ? words.signed : ""}</p>
    <button type="button" part="button" aria-disabled=${!field.entry} @click=${clear}>${wordsOf(context.messages).clear}</button>
  </div>`;
}

/** Where a pointer is, in points of the canvas. */
function placeIn(canvas: HTMLCanvasElement, { clientX, clientY }: PointerEvent): [x: number, y: number] {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return [((clientX - left) / width) * WIDTH, ((clientY - top) / height) * HEIGHT];
}

function clearCanvas(near: Element): void {
  const canvas = near.closest("[part~=signature]")!.querySelector("canvas")!;
  canvas.getContext("2d")?.clearRect(0, 0, WIDTH, HEIGHT);
}
