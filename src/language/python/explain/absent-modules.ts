/**
 * What can't be imported, with what to use instead. The guest says the same of what only shows when it runs (`guest/python/blocked.py`); a
 * test holds the two together.
 */
const GROUPS: readonly (readonly [modules: string, instead: string])[] = [
  [
    "subprocess pty pexpect sh",
    "programs start no processes; use await run_command(command, args), where commands are allowed",
  ],
  [
    "socket socketserver smtplib ftplib imaplib poplib telnetlib nntplib xmlrpc",
    "programs have no sockets; call a tool of a server, or use await fetch(url) or urllib.request where network.allow of keyhole.config names the host",
  ],
  [
    "requests httpx aiohttp urllib3 websockets websocket",
    "it is not installed; use await fetch(url) or urllib.request where network.allow of keyhole.config names the host, or call a tool of a server",
  ],
  [
    "multiprocessing",
    "programs start no processes; use asyncio.gather or concurrent.futures.ThreadPoolExecutor",
  ],
  ["ctypes cffi _ctypes", "programs call no native code"],
  ["tkinter turtle curses readline webbrowser", "there is no screen; print what is to be seen, or emit(…)"],
  [
    "numpy pandas scipy polars matplotlib sklearn",
    "programs have the standard library alone; use csv, json, statistics, sqlite3 or collections",
  ],
  [
    "dateutil pytz arrow pendulum",
    "it is not installed; use datetime (fromisoformat, strptime) and zoneinfo",
  ],
  ["bs4 lxml html5lib", "it is not installed; use html.parser or xml.etree.ElementTree"],
  ["yaml toml ujson orjson simplejson", "it is not installed; use json, or tomllib since Python 3.11"],
  ["pydantic attr attrs", "it is not installed; use dataclasses"],
  ["dotenv", "programs have no environment; keys and accounts are the servers' own"],
];

export const MISSING_MODULES: ReadonlyMap<string, string> = new Map(
  GROUPS.flatMap(([modules, instead]) => modules.split(" ").map((name) => [name, instead] as const)),
);

export const ANY_PACKAGE =
  "programs have the standard library alone; use csv, json, statistics, sqlite3 or collections";
