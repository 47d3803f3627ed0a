import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AwsClient } from "aws4fetch";
import type { SignedFetch } from "wavepoint/store/s3";

/** What a request is answered with instead: a status, or a connection that is cut before or after the work was done. */
export type Fault = 409 | 503 | "cut" | "cut-after";

/** A service on this machine only that answers as S3 does, in memory. */
export interface S3Stub {
  /** The address of its one bucket. */
  readonly bucket: string;
  readonly endpoint: string;
  /** Its objects, by key. */
  readonly objects: Map<string, StubObject>;
  /** The requests it got, as `PUT key`. */
  readonly requests: string[];
  /** Asked before each request. */
  fault: (method: string, key: string) => Fault | undefined;
  /** Replaces objects despite `If-None-Match`, as some services do. */
  isCareless: boolean;
  stop(): Promise<void>;
}

interface StubObject {
  readonly body: Buffer;
  readonly type: string;
  readonly modifiedAt: Date;
}

const BUCKET = "runs";

/** Who asks, for processes that open a store by its address. */
export const AWS_KEYS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

const aws = new AwsClient({ accessKeyId: "id", secretAccessKey: "secret", service: "s3", region: "us-east-1", retries: 0 });

/** Signs requests as the package that users take does. */
export const signedFetch: SignedFetch = (url, init) => aws.fetch(url, init);

/** Starts one. */
export async function startS3Stub(): Promise<S3Stub> {
  const objects = new SortedObjects();
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, endpoint);
    const [, bucket, ...rest] = url.pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    stub.requests.push(`${request.method} ${key || `?${url.searchParams.get("prefix")}`}`);
    const fault = stub.fault(request.method!, key);
    if (fault === "cut") return void request.socket.destroy();
    if (fault === 409) return fail(response, 409, "ConditionalRequestConflict");
    if (fault === 503) return fail(response, 503, "SlowDown");
    if (fault === "cut-after") response.end = () => request.socket.destroy() as never;
    if (!request.headers.authorization?.startsWith("AWS4-HMAC-SHA256")) return fail(response, 403, "AccessDenied");
    if (bucket !== BUCKET) return fail(response, 404, "NoSuchBucket");
    if (request.method === "GET") return key === "" ? list(url.searchParams, response) : get(key, response);
    if (request.method === "DELETE") {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (request.headers["if-none-match"] === "*" && objects.has(key) && !stub.isCareless) return fail(response, 412, "PreconditionFailed");
    objects.set(key, { body: Buffer.concat(chunks), type: request.headers["content-type"] ?? "", modifiedAt: new Date() });
    response.writeHead(200, { etag: '"0"' }).end();
  }

  function get(key: string, response: ServerResponse): void {
    const object = objects.get(key);
    if (!object) return fail(response, 404, "NoSuchKey");
    response.writeHead(200, { "content-type": object.type, "last-modified": object.modifiedAt.toUTCString() }).end(object.body);
  }

  function list(asked: URLSearchParams, response: ServerResponse): void {
    const [prefix, after, most] = [asked.get("prefix") ?? "", asked.get("start-after") ?? "", Number(asked.get("max-keys") ?? 1000)];
    const keys = objects.keysFrom(prefix, after, most + 1);
    const contents = keys.slice(0, most).map((key) => {
      // To the second, as S3 has it.
      const modified = objects.get(key)!.modifiedAt.toISOString().replace(/\.\d+/, ".000");
      return `<Contents><Key>${key}</Key><LastModified>${modified}</LastModified></Contents>`;
    });
    const xml = `<ListBucketResult><IsTruncated>${keys.length > most}</IsTruncated>${contents.join("")}</ListBucketResult>`;
    response.writeHead(200, { "content-type": "application/xml" }).end(xml);
  }

  const stub: S3Stub = {
    bucket: `${endpoint}/${BUCKET}`,
    endpoint,
    objects,
    requests: [],
    fault: () => undefined,
    isCareless: false,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return stub;
}

/** Objects whose keys are in the order of lists, so that a page of many is found by halves. */
class SortedObjects extends Map<string, StubObject> {
  readonly #keys: string[] = [];

  override set(key: string, object: StubObject): this {
    if (!this.has(key)) this.#keys.splice(this.#placeOf(key), 0, key);
    return super.set(key, object);
  }

  override delete(key: string): boolean {
    if (this.has(key)) this.#keys.splice(this.#placeOf(key), 1);
    return super.delete(key);
  }

  /** At most so many keys that begin with a prefix and stand behind a key. */
  keysFrom(prefix: string, after: string, most: number): readonly string[] {
    const from = after < prefix ? this.#placeOf(prefix) : this.#placeOf(`${after}\0`);
    const keys = this.#keys.slice(from, from + most);
    return keys.filter((key) => key.startsWith(prefix));
  }

  #placeOf(key: string): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code><Message>No.</Message></Error>`);
}
