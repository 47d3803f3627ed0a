import { WorkflowError } from "../../core/model/errors.ts";
import type { SignedFetch, SignedRequest } from "./bucket.ts";

/** What is used of the package `aws4fetch`. */
interface Package {
  readonly AwsClient: new (options: {
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken?: string | undefined;
    region: string;
    service: "s3";
    retries: 0;
  }) => { fetch(url: string, init: SignedRequest): Promise<Response> };
}

/** The variables for the service and the credentials that all tools of AWS read. */
type Environment = { readonly [name: string]: string | undefined };

/** Returns the bucket of an address and a client that signs requests. Throws `STORE_UNAVAILABLE` without the package or the credentials. */
export async function openClient(address: URL, env: Environment): Promise<{ readonly bucket: string; readonly fetch: SignedFetch }> {
  // Bundlers do not look for a package that most programs do without.
  const name: string = "aws4fetch";
  const loaded = await import(/* @vite-ignore */ name).catch((cause: unknown) => {
    throw new WorkflowError(
      "STORE_UNAVAILABLE",
      'Requests to S3 are signed by the package "aws4fetch". Install it: npm install aws4fetch',
      { cause },
    );
  });
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = env;
  if (!accessKeyId || !secretAccessKey) {
    throw new WorkflowError("STORE_UNAVAILABLE", "S3 wants to know who asks: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
  }
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? "us-east-1";
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`;
  const { AwsClient } = loaded as Package;
  const client = new AwsClient({ accessKeyId, secretAccessKey, sessionToken, region, service: "s3", retries: 0 });
  return {
    bucket: `${endpoint.replace(/\/$/, "")}/${address.hostname}/`,
    fetch: (url, init) => client.fetch(url, init),
  };
}
