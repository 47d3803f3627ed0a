/** Which page the address names. */
export type Route = { readonly page: "home" } | { readonly page: "run"; readonly run: string };

const RUN = "#/run/";

/** Reads the part of an address from `#` on; what names nothing known is the home page. */
export function parseRoute(hash: string): Route {
  if (!hash.startsWith(RUN)) return { page: "home" };
  try {
    return { page: "run", run: decodeURIComponent(hash.slice(RUN.length)) };
  } catch {
    return { page: "home" };
  }
}

/** The address of a run's page, from `#` on. */
export function runAddress(run: string): string {
  return RUN + encodeURIComponent(run);
}
