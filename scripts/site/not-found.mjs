// @ts-check
// What static hosts show for an address that leads nowhere.

/**
 * The page stands in for addresses of any depth, so its links begin at the root of the host, and it refers to no other file.
 * @param {string} base The path below which the site is served, such as `/wavepoint/`. At the root of a host: `/`.
 */
export function makeNotFound(base) {
  if (!/^\/(?:[\w.~-]+\/)*$/.test(base))
    throw new Error(`SITE_BASE is "${base}". Give a path such as /wavepoint/, with a slash at both ends.`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found · Wavepoint</title>
<style>body { max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem; font: 1.0625rem/1.6 system-ui, sans-serif }</style>
<main>
<h1>There is no page at this address</h1>
<p>It may have moved. The <a href="${base}docs/">documentation</a> has a search; runs that you began are in the <a href="${base}">demo</a>.</p>
</main>
</html>
`;
}
