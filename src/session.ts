/** The user on whose machine this runs: stdio, the CLI, the library, HTTP with the local token. */
export const LOCAL_PRINCIPAL = "local";
