/** What happens so long after a click or a key is no longer taken for its doing, in milliseconds. */
const AT_ONCE_MS = 400;

/**
 * Gives a function for an element that is to become smaller only with what the person does in it, never by itself: what stands below it does not move
 * up while someone looks at it. The height to keep is in `--held`, for the style of the element.
 */
export function holdHeight(): (element: Element | undefined) => void {
  let end = (): void => {};

  return (element) => {
    end();
    if (!(element instanceof HTMLElement)) return;
    let isFree = false;
    let timer: ReturnType<typeof setTimeout>;
    const hold = (): void => {
      if (!isFree) element.style.setProperty("--held", `${element.getBoundingClientRect().height}px`);
    };
    const free = (): void => {
      isFree = true;
      element.style.removeProperty("--held");
      clearTimeout(timer);
      timer = setTimeout(() => {
        isFree = false;
        hold();
      }, AT_ONCE_MS);
    };
    // Until the next question has come, what stands there is smaller for a moment: all below would jump up and down again.
    const keep = (): void => {
      isFree = false;
      hold();
      clearTimeout(timer);
      timer = setTimeout(free, AT_ONCE_MS);
    };
    free();
    const sizes = new ResizeObserver(hold);
    sizes.observe(element);
    for (const type of ["pointerdown", "keydown"]) element.addEventListener(type, free);
    element.addEventListener("submit", keep);
    globalThis.addEventListener("resize", free);
    end = () => {
      clearTimeout(timer);
      sizes.disconnect();
      for (const type of ["pointerdown", "keydown"]) element.removeEventListener(type, free);
      element.removeEventListener("submit", keep);
      globalThis.removeEventListener("resize", free);
      element.style.removeProperty("--held");
    };
  };
}
