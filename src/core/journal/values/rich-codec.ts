import { decodeRich } from "./decode-rich.ts";
import { encodeRich } from "./encode-rich.ts";

/** Values that JSON cannot hold: dates, maps, sets, bytes, large numbers, and objects that serializers keep. */
export interface RichCodec {
  readonly encodeRich: typeof encodeRich;
  readonly decodeRich: typeof decodeRich;
}

export const richCodec: RichCodec = { encodeRich, decodeRich };
