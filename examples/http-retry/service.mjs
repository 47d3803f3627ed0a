// A service that is busy twice and wants a token. Usage: node service.mjs PORT
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const tides = readFileSync(new URL("tides.json", import.meta.url));
let busy = 2;

const server = createServer((request, response) => {
  if (request.headers.authorization === undefined) response.writeHead(401).end();
  else if (busy-- > 0) response.writeHead(503).end();
  else response.writeHead(200, { "content-type": "application/json" }).end(tides);
});
server.listen(Number(process.argv[2]), "localhost", () => process.stdout.write("listening\n"));
