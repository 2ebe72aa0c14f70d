/** Node's `os` without a fact of the machine: what a program can rely on anywhere. */
export function create() {
  const os = {
    EOL: "\n",
    devNull: "/dev/null",
    constants: Object.freeze({
      signals: Object.freeze({}),
      errno: Object.freeze({}),
      priority: Object.freeze({}),
    }),
    arch: () => "x64",
    availableParallelism: () => 1,
    cpus: () => [{ model: "cpu", speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }],
    endianness: () => "LE",
    freemem: () => 0,
    homedir: () => "/workspace",
    hostname: () => "keyhole",
    loadavg: () => [0, 0, 0],
    machine: () => "x86_64",
    networkInterfaces: () => ({}),
    platform: () => "linux",
    release: () => "",
    // The one folder that can be written.
    tmpdir: () => "/workspace",
    totalmem: () => 0,
    type: () => "Linux",
    uptime: () => performance.now() / 1000,
    userInfo: () => ({ username: "program", uid: 0, gid: 0, homedir: "/workspace", shell: null }),
    version: () => "",
  };
  return { os };
}
