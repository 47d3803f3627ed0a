const NAME_LINE = /^(?:\{\s*)?["']?name["']?\s*:\s*["']?([A-Za-z0-9_-]+)/m;

/** The name that a text gives its workflow, as far as that can be told of a text that may be no workflow at all. */
export function nameInText(text: string): string | undefined {
  return NAME_LINE.exec(text)?.[1];
}
