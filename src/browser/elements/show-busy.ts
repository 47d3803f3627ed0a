/** Says whether what an element shows is still to be read: to screen readers, and to the styles of the page. */
export function showBusy(element: Element, isBusy: boolean): void {
  if (isBusy) element.setAttribute("aria-busy", "true");
  else element.removeAttribute("aria-busy");
}
