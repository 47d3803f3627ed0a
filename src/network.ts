export { allowHosts } from "./network/allow-hosts.ts";
export { signWebhooks, type WebhookSecrets } from "./network/sign-webhooks.ts";
