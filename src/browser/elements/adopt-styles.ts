import { STYLES } from "./styles.ts";

const sheets = new WeakMap<Document, CSSStyleSheet>();

/** Gives the document or the shadow root of an element the styles, once. No style of the page's policy is needed for it. */
export function adoptStyles(element: Element): void {
  const root = element.getRootNode() as Document | ShadowRoot;
  const { ownerDocument } = element;
  let sheet = sheets.get(ownerDocument);
  if (!sheet) {
    sheet = new (ownerDocument.defaultView as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(STYLES);
    sheets.set(ownerDocument, sheet);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
