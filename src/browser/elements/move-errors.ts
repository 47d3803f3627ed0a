import type { FieldError } from "../pause-form.ts";
import { pointerOf, type FieldPath } from "./form-context.ts";

/** Items of a list that stand in another order: where each stood before. */
export interface Move {
  readonly path: FieldPath;
  readonly order: readonly number[];
}

/** The errors where their items stand now; those of items that were taken out are gone. */
export function moveErrors(errors: readonly FieldError[], moves: readonly Move[]): readonly FieldError[] {
  return errors.flatMap((error) => {
    let place: string | undefined = error.instancePath;
    for (const move of moves) place &&= movePlace(place, move);
    return place === undefined ? [] : [{ ...error, instancePath: place }];
  });
}

function movePlace(place: string, { path, order }: Move): string | undefined {
  const before = `${pointerOf(path)}/`;
  if (!place.startsWith(before)) return place;
  const [index, ...rest] = place.slice(before.length).split("/");
  const now = order.indexOf(Number(index));
  return now < 0 ? undefined : `${before}${[now, ...rest].join("/")}`;
}
