export { allowHosts } from "./network/allow-hosts.ts";
