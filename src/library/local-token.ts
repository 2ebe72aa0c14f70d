import { readLocalToken } from "../config/local-token.ts";
import { toPlaces } from "../config/places.ts";

/** The bearer token of the gateways that this user serves over HTTP; undefined until `keyhole serve --http` has made it. */
export function localToken(): Promise<string | undefined> {
  return readLocalToken(toPlaces({ projectDir: "." }));
}
