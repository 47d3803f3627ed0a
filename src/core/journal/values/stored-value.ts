/** Stands, in a value that is being encoded or decoded, for bytes that are kept as a blob. */
export class StoredBytes {
  /** The class of the bytes; one of {@link BYTE_KINDS}. */
  readonly kind: string;
  /** Which of the value's blobs. */
  readonly blob: number;

  constructor(kind: string, blob: number) {
    this.kind = kind;
    this.blob = blob;
  }
}

/** Stands, in a value that is being encoded or decoded, for what a serializer keeps. */
export class SerializedObject {
  readonly serializer: string;
  data: unknown;

  constructor(serializer: string, data: unknown) {
    this.serializer = serializer;
    this.data = data;
  }
}

/** How the two are tagged in the text. Never changed: stored runs hold them. */
export const BYTES_TAG = "StoredBytes";
export const OBJECT_TAG = "SerializedObject";

/** Classes of bytes that every platform has, by name. */
export const BYTE_KINDS: ReadonlyMap<string, new (buffer: ArrayBuffer) => ArrayBufferView<ArrayBuffer> | ArrayBuffer> = new Map<
  string,
  new (buffer: ArrayBuffer) => ArrayBufferView<ArrayBuffer> | ArrayBuffer
>([
  ["Int8Array", Int8Array],
  ["Uint8Array", Uint8Array],
  ["Uint8ClampedArray", Uint8ClampedArray],
  ["Int16Array", Int16Array],
  ["Uint16Array", Uint16Array],
  ["Int32Array", Int32Array],
  ["Uint32Array", Uint32Array],
  ["Float32Array", Float32Array],
  ["Float64Array", Float64Array],
  ["BigInt64Array", BigInt64Array],
  ["BigUint64Array", BigUint64Array],
  ["DataView", DataView],
]);
