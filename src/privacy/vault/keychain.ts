import { spawnWatched } from "../../process/spawn-watched.ts";

/** The system's own place for secrets, by the command for it. */
export type Keychain = {
  /** Nothing where none is kept, or it can't be asked. */
  read(): Promise<string | undefined>;
  /** False where it can't be kept. */
  write(secret: string): Promise<boolean>;
};

export type KeychainOptions = { readonly platform: NodeJS.Platform; readonly env: NodeJS.ProcessEnv };

const SERVICE = "keyhole";
const ACCOUNT = "vault";
/** Somebody may be asked to unlock it. */
const PATIENCE_MS = 20_000;
const MAX_OUTPUT = 4_096;

export function toKeychain({ platform, env }: KeychainOptions): Keychain | undefined {
  if (platform === "darwin") return createMacKeychain(env);
  return platform === "linux" ? createSecretTool(env) : undefined;
}

/** The secret goes by standard input: all can see the arguments of a process. */
function createMacKeychain(env: NodeJS.ProcessEnv): Keychain {
  const place = ["-s", SERVICE, "-a", ACCOUNT];
  return {
    read: () => ask("security", ["find-generic-password", ...place, "-w"], env),
    write: async (secret) =>
      (await ask("security", ["-i"], env, `add-generic-password ${place.join(" ")} -w ${secret}\n`)) !==
      undefined,
  };
}

function createSecretTool(env: NodeJS.ProcessEnv): Keychain {
  const place = ["service", SERVICE, "account", ACCOUNT];
  return {
    read: () => ask("secret-tool", ["lookup", ...place], env),
    write: async (secret) =>
      (await ask("secret-tool", ["store", "--label=Keyhole vault", ...place], env, secret)) !== undefined,
  };
}

/** What it prints; nothing where it fails, is not there or takes too long. */
function ask(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input = "",
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawnWatched(command, args, { env, stderr: "ignore" });
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      if (output.length < MAX_OUTPUT) output += text;
    });
    const end = (result: string | undefined) => {
      clearTimeout(timer);
      resolve(result);
    };
    child.once("error", () => end(undefined));
    child.once("close", (code) => end(code === 0 ? output.trim() : undefined));
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}
