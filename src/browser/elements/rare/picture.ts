import { html, nothing, type TemplateResult } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { isFileValue, type FileValue } from "../../../core/model/file-value.ts";

/** The longest side of a picture, in points of its canvas: sharp where it is shown, and on paper. */
const MAX_POINTS = 1_000;

/** One after another: a photograph takes many megabytes while it is decoded. */
let decoded: Promise<void> = Promise.resolve();

/**
 * The picture in a file, small; nothing where the file holds none. It is drawn, not loaded from an address: a strict content security policy allows
 * that, and nothing is left to give back. It is hidden until it is drawn; a picture of a kind that the browser does not know stays so.
 */
export function pictureTemplate(file: unknown, name: string): TemplateResult | typeof nothing {
  if (!(file instanceof File || isFileValue(file)) || !file.type.startsWith("image/")) return nothing;
  return html`${guard([file, name], () => {
    const canvas = Object.assign(document.createElement("canvas"), { hidden: true, role: "img", ariaLabel: name });
    canvas.setAttribute("part", "picture");
    decoded = decoded.then(() => draw(canvas, file)).catch(() => {});
    return canvas;
  })}`;
}

async function draw(canvas: HTMLCanvasElement, file: File | FileValue): Promise<void> {
  const picture = await createImageBitmap(file instanceof File ? file : new Blob([new Uint8Array(file.bytes)], { type: file.type }));
  const scale = Math.min(1, MAX_POINTS / Math.max(picture.width, picture.height));
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  canvas.hidden = false;
}
