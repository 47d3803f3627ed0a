/** A class of bytes. */
export type ByteKind = new (buffer: ArrayBuffer) => ArrayBufferView<ArrayBuffer>;

/** The classes of bytes that every platform has beside `ArrayBuffer`, by name. */
export const BYTE_KINDS: ReadonlyMap<string, ByteKind> = new Map<string, ByteKind>([
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
