/** For one command, where no config says otherwise. */
export const DEFAULT_COMMAND_MS = 30_000;
