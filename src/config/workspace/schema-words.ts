/** A folder is named by it, in every tier and on every file system: small letters alone, and nothing that leads anywhere. */
export const SHARED_NAME = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/;
export const NAME_EXPECTED =
  "must have a name of at most 64 small letters, digits, - and _, such as team-notes";
