"""Imports that can't work in a sandbox, with what to use instead. The walls around the process do the holding; this is for the words."""

import builtins

_PROCESSES = "programs start no processes; use await run_command(command, args), where commands are allowed"
_NETWORK = "programs have no sockets; call a tool of a server, or use await fetch(url) or urllib.request where network.allow of keyhole.config names the host"
_HTTP = "it is not installed; use await fetch(url) or urllib.request where network.allow of keyhole.config names the host, or call a tool of a server"
_PACKAGES = "programs have the standard library alone; use csv, json, statistics, sqlite3 or collections"

_INSTEAD = {
    **dict.fromkeys(["subprocess", "pty", "pexpect", "sh"], _PROCESSES),
    **dict.fromkeys(["socket", "socketserver", "smtplib", "ftplib", "imaplib", "poplib", "telnetlib", "nntplib", "xmlrpc"], _NETWORK),
    **dict.fromkeys(["requests", "httpx", "aiohttp", "urllib3", "websockets", "websocket"], _HTTP),
    **dict.fromkeys(["multiprocessing"], "programs start no processes; use asyncio.gather or concurrent.futures.ThreadPoolExecutor"),
    **dict.fromkeys(["ctypes", "cffi", "_ctypes"], "programs call no native code"),
    **dict.fromkeys(["tkinter", "turtle", "curses", "readline", "webbrowser"], "there is no screen; print what is to be seen, or emit(…)"),
    **dict.fromkeys(["numpy", "pandas", "scipy", "polars", "matplotlib", "sklearn"], _PACKAGES),
    **dict.fromkeys(["dateutil", "pytz", "arrow", "pendulum"], "it is not installed; use datetime (fromisoformat, strptime) and zoneinfo"),
    **dict.fromkeys(["bs4", "lxml", "html5lib"], "it is not installed; use html.parser or xml.etree.ElementTree"),
    **dict.fromkeys(["yaml", "toml", "ujson", "orjson", "simplejson"], "it is not installed; use json, or tomllib since Python 3.11"),
    **dict.fromkeys(["pydantic", "attr", "attrs"], "it is not installed; use dataclasses"),
    **dict.fromkeys(["dotenv"], "programs have no environment; keys and accounts are the servers' own"),
}


def create_import(mend):
    """`__import__` of a program's own statements; modules of Python import what they need. `mend`: what is done once one is imported."""
    real = builtins.__import__

    def refuse_or_import(name, globals=None, locals=None, fromlist=(), level=0):
        if level == 0:
            instead = _INSTEAD.get(name.split(".")[0])
            if instead is not None:
                raise ImportError(f'Cannot import "{name}": {instead}', name=name)
        try:
            module = real(name, globals, locals, fromlist, level)
            if level == 0 and name.split(".")[0] in mend:
                mend[name.split(".")[0]]()
            return module
        except ModuleNotFoundError as error:
            if level == 0 and error.name == name.split(".")[0] and "keyhole" not in str(error):
                raise ModuleNotFoundError(f'There is no module "{name}": {_PACKAGES}', name=error.name) from None
            raise

    return refuse_or_import


