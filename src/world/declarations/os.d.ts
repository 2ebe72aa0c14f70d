declare module "os" {
  /** Neutral values: nothing here is a fact of the machine. */
  namespace os {
    const EOL: string;
    const devNull: string;
    const constants: any;
    function arch(): string;
    function availableParallelism(): number;
    function cpus(): { model: string; speed: number; times: any }[];
    function endianness(): "LE" | "BE";
    function freemem(): number;
    function homedir(): string;
    function hostname(): string;
    function loadavg(): number[];
    function machine(): string;
    function networkInterfaces(): { [name: string]: any[] };
    function platform(): string;
    function release(): string;
    function tmpdir(): string;
    function totalmem(): number;
    function type(): string;
    function uptime(): number;
    function userInfo(options?: any): {
      username: string;
      uid: number;
      gid: number;
      homedir: string;
      shell: string | null;
    };
    function version(): string;
  }
  export = os;
}
