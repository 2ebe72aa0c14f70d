import { BlockList, isIP } from "node:net";

const NOBODYS = new BlockList();
NOBODYS.addSubnet("127.0.0.0", 8, "ipv4");
NOBODYS.addAddress("0.0.0.0", "ipv4");
NOBODYS.addAddress("255.255.255.255", "ipv4");
NOBODYS.addAddress("::1", "ipv6");
NOBODYS.addAddress("::", "ipv6");

/** Every machine has these: itself, any and all. */
export function isNobodysAddress(text: string): boolean {
  const address = text.trim().replace(/^\[|\]$|\/\d{1,3}$/g, "");
  const version = isIP(address);
  return version !== 0 && NOBODYS.check(address, version === 4 ? "ipv4" : "ipv6");
}
