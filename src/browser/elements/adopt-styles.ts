const sheets = new WeakMap<Document, { [styles: string]: CSSStyleSheet }>();

/** Gives the document or the shadow root of an element some styles, once. No style of the page's policy is needed for it. */
export function adoptStyles(element: Element, styles: string): void {
  const root = element.getRootNode() as Document | ShadowRoot;
  const { ownerDocument } = element;
  const known = sheets.get(ownerDocument) ?? {};
  sheets.set(ownerDocument, known);
  let sheet = known[styles];
  if (!sheet) {
    // A sheet belongs to the document whose window made it.
    sheet = known[styles] = new (ownerDocument.defaultView as Window & typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(styles);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
