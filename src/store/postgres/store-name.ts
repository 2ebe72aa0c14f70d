/** What of an address can be shown: no password, no options. */
export function toStoreName(store: string): string {
  if (!URL.canParse(store)) return store;
  const { host, pathname } = new URL(store);
  return `postgres://${host}${pathname}`;
}
