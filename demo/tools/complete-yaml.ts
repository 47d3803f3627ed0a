/** What may be written at a place of a text. */
export interface Completions {
  /** Where the word begins that they take the place of. */
  readonly from: number;
  readonly options: readonly { readonly label: string; readonly apply: string; readonly info?: string }[];
}

/** What is read of the schema of workflow files. */
export interface EditorSchema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: unknown;
  readonly properties?: { readonly [name: string]: EditorSchema };
  readonly additionalProperties?: boolean | EditorSchema;
  readonly items?: EditorSchema;
  readonly anyOf?: readonly EditorSchema[];
  readonly allOf?: readonly { readonly if: EditorSchema; readonly then: EditorSchema }[];
}

/** The lines around a place, and where it is among them. */
interface Place {
  readonly lines: readonly string[];
  readonly number: number;
}

/** A step down: the name of a member, or nothing for an item of a list. */
type Path = readonly (string | undefined)[];

const KEY = /^(\s*(?:- +)*)([\w-]*)$/;
const VALUE = /^(\s*(?:- +)*)([\w-]+): +([\w-]*)$/;
const NAMES = /^\s*(?:- +)*(?:depends_on|next): *\[(?:[^\]]*[\s,])?([\w-]*)$/;

/** Gives the keys, values and block ids that fit at a place in the YAML of a workflow, by the schema of workflow files. */
export function completionsAt(text: string, at: number, schema: EditorSchema): Completions | undefined {
  const lines = text.slice(0, at).split("\n");
  const before = lines.at(-1)!;
  const place: Place = { lines: text.split("\n"), number: lines.length - 1 };
  const names = NAMES.exec(before);
  if (names) return completions(at, names[1]!, blockIds(place.lines));
  const value = VALUE.exec(before);
  if (value) {
    const found = schemaAt(schema, [...pathTo(place, value[1]!.length), value[2]!], place);
    return completions(at, value[3]!, valuesOf(found));
  }
  const key = KEY.exec(before);
  if (!key) return undefined;
  const column = key[1]!.length;
  const { properties = {} } = schemaAt(schema, pathTo(place, column), place) ?? {};
  const used = new Set(siblings(place, column).map((line) => keyOf(line)));
  return completions(
    at,
    key[2]!,
    Object.entries(properties).flatMap(([name, { description }]) =>
      used.has(name) ? [] : [{ label: name, apply: `${name}: `, info: typeof description === "string" ? description : undefined }],
    ),
  );
}

function completions(
  at: number,
  word: string,
  options: readonly { readonly label: string; readonly apply: string; readonly info?: string | undefined }[],
): Completions | undefined {
  if (options.length === 0) return undefined;
  return { from: at - word.length, options: options.map(({ info, ...rest }) => (info === undefined ? rest : { ...rest, info })) };
}

function valuesOf(schema: EditorSchema | undefined): readonly { readonly label: string; readonly apply: string }[] {
  const { enum: choices, type } = schema ?? {};
  const values = choices ?? (type === "boolean" ? [true, false] : []);
  return values.flatMap((value) =>
    typeof value !== "string" && typeof value !== "boolean" && typeof value !== "number"
      ? []
      : [{ label: String(value), apply: String(value) }],
  );
}

function blockIds(lines: readonly string[]): readonly { readonly label: string; readonly apply: string }[] {
  return lines.flatMap((line) => {
    const id = /^\s*- +id: *([\w-]+)/.exec(line)?.[1];
    return id === undefined ? [] : [{ label: id, apply: id }];
  });
}

function schemaAt(root: EditorSchema, path: Path, place: Place): EditorSchema | undefined {
  let found: EditorSchema | undefined = root;
  for (const step of path) {
    if (!found) return undefined;
    if (step === undefined) found = plain(found.items);
    else if (step === "inputs" && found.allOf) found = inputsOf(found, blockTypeAt(place));
    else {
      const { properties = {}, additionalProperties: rest } = found;
      found = plain(Object.hasOwn(properties, step) ? properties[step] : typeof rest === "object" ? rest : undefined);
    }
  }
  return found;
}

/** Without the reference that may stand in the place of any value. */
function plain(schema: EditorSchema | undefined): EditorSchema | undefined {
  return schema?.anyOf ? schema.anyOf[0] : schema;
}

function inputsOf({ allOf = [], properties = {} }: EditorSchema, type: string | undefined): EditorSchema | undefined {
  const known = allOf.find(({ if: condition }) => condition.properties?.["type"]?.const === type);
  return known?.then.properties?.["inputs"] ?? properties["inputs"];
}

/** The type of the block in whose lines the place is. */
function blockTypeAt({ lines, number }: Place): string | undefined {
  const start = lines.slice(0, number + 1).findLastIndex((line) => /^\s*- +(?:id|type):/.test(line));
  const column = columnOf(lines[start] ?? "");
  return siblings({ lines, number: start }, column).flatMap((line) => /^\s*(?:- +)?type: *([\w-]+)/.exec(line)?.[1] ?? [])[0];
}

/** The lines of the same mapping, those of its members' members left out. */
function siblings({ lines, number }: Place, column: number): readonly string[] {
  const around = (step: 1 | -1): readonly string[] => {
    const found: string[] = [];
    for (let i = number; i >= 0 && i < lines.length; i += step) {
      const line = lines[i]!;
      const isHere = i === number;
      if (line.trim() === "") continue;
      if (!isHere && (columnOf(line) < column || (step === 1 && dashOf(line) !== undefined && columnOf(line) === column))) break;
      if (!isHere && columnOf(line) === column) found.push(line);
      // Its item begins here.
      if (step === -1 && columnOf(line) === column && dashOf(line) !== undefined) break;
    }
    return found;
  };
  return [...(number < 0 ? [] : [lines[number]!]), ...around(-1), ...around(1)];
}

/** From the whole text down to the mapping in which a key at this column stands. */
function pathTo({ lines, number }: Place, column: number): Path {
  const path: (string | undefined)[] = [];
  let limit = column;
  let isInList = false;
  for (let i = number; i >= 0; i -= 1) {
    const line = lines[i]!;
    if (line.trim() === "" || line.trim().startsWith("#")) continue;
    const own = i === number ? column : columnOf(line);
    const dash = dashOf(line);
    const opens = i !== number && /^\s*(?:- +)*[\w-]+: *$/.test(line);
    if (opens && (isInList ? own <= limit && dash !== own : own < limit)) {
      path.unshift(keyOf(line));
      [limit, isInList] = [own, false];
    }
    if (dash !== undefined && own === limit && !isInList) {
      path.unshift(undefined);
      [limit, isInList] = [dash, true];
    }
  }
  return path;
}

function keyOf(line: string): string {
  return /^\s*(?:- +)*([\w-]*)/.exec(line)![1]!;
}

/** Where the first key of a line stands. */
function columnOf(line: string): number {
  return /^\s*(?:- +)*/.exec(line)![0].length;
}

/** Where the item begins that a line begins. */
function dashOf(line: string): number | undefined {
  const dash = /^(\s*)- /.exec(line);
  return dash ? dash[1]!.length : undefined;
}
