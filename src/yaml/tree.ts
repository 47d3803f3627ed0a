/** A YAML text as data with positions: offsets count from 0. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

export interface YamlMap {
  readonly kind: "map";
  readonly start: number;
  readonly entries: readonly YamlEntry[];
}

export interface YamlEntry {
  readonly key: string;
  readonly keyStart: number;
  /** Missing where there is not even the place of one, as in `{key}`. */
  readonly value: YamlNode | undefined;
}

export interface YamlList {
  readonly kind: "list";
  readonly start: number;
  readonly items: readonly YamlNode[];
}

export interface YamlScalar {
  readonly kind: "scalar";
  readonly start: number;
  /** Where the characters of the value begin, if they stand in the text one by one as they are; else -1. */
  readonly inner: number;
  readonly value: string | number | boolean | null;
  /** What was written, without quotation marks. */
  readonly source: string;
}
