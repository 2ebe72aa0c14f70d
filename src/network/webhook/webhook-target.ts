import { isIP } from "node:net";

/** An address of the user's own that is told of something, and the secret by which it knows who tells. */
export type WebhookTarget = { readonly url: URL; readonly secret: string };

/** Which of the two is wrong, and in words that follow its name. */
export type WebhookFault = { readonly key: "url" | "secret"; readonly fault: string };

const MIN_SECRET = 16;

export function parseWebhookTarget(address: string, secret: string): WebhookTarget | WebhookFault {
  if (secret.length < MIN_SECRET)
    return { key: "secret", fault: `must have at least ${MIN_SECRET} characters` };
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url === undefined || !isSafe || url.username !== "" || url.password !== "")
    return { key: "url", fault: "must be an https address without a password, or http on this machine" };
  return { url, secret };
}

function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(name) === 4) return name.startsWith("127.");
  return name === "::1" || name === "localhost";
}
