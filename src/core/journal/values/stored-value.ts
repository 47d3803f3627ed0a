/** Stands, in a value that is being encoded or decoded, for bytes that are kept as a blob. */
export class StoredBytes {
  /** The class of the bytes; one of `BYTE_KINDS`, or `ArrayBuffer`. */
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
