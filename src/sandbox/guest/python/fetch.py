"""`fetch` of a program: `await fetch(url)`, where a host of the network is granted to it."""

import asyncio
import json as json_text

from .streams import NetworkError
from .values import from_json

_MAX_REDIRECTS = 20
_REDIRECTS = (301, 302, 303, 307, 308)
_SECRETS = ("authorization", "cookie", "proxy-authorization")


class Response:
    """All of it is there; `await` before its methods changes nothing."""

    def __init__(self, url, status, reason, headers, data):
        self.url = url
        self.status = self.status_code = status
        self.status_text = self.reason = reason
        self.ok = 200 <= status < 300
        self.headers = headers
        self.content = data

    def bytes(self):
        return self.content

    read = bytes

    def json(self):
        return from_json(self.content)

    def raise_for_status(self):
        if self.status >= 400:
            raise NetworkError(f'"{self.url}" answered {self.status} {self.reason}')

    def __repr__(self):
        return f"<Response {self.status}>"


class _Text(str):
    """`response.text`, and `response.text()` as in JavaScript."""

    def __call__(self):
        return str(self)


Response.text = property(lambda self: _Text(self.content.decode("utf-8", "replace")))


class Headers(dict):
    """By names in small letters, however they are asked for."""

    def __getitem__(self, name):
        return super().__getitem__(name.lower())

    def get(self, name, otherwise=None):
        return super().get(name.lower(), otherwise)

    def __contains__(self, name):
        return super().__contains__(name.lower())


def create_fetch(mend):
    async def fetch(url, init=None, *, method=None, headers=None, body=None, data=None, json=None, params=None, **_):
        init = init or {}
        asked = {
            "method": method or init.get("method") or "GET",
            "headers": dict(headers or init.get("headers") or {}),
            "body": next((one for one in (body, data, init.get("body")) if one is not None), None),
        }
        if json is not None:
            asked["body"] = json_text.dumps(json)
            asked["headers"].setdefault("content-type", "application/json")
        mend()
        work = _with_parameters(str(url), params), asked
        try:
            return await asyncio.get_running_loop().run_in_executor(None, _exchange_all, *work)
        except RuntimeError as error:
            if "start new thread" not in str(error):
                raise
            return _exchange_all(*work)

    return fetch


def create_no_fetch(calls, refuse):
    async def fetch(url, *given, **options):
        await _tell(calls, url)
        raise refuse(str(url))

    return fetch


async def _tell(calls, url):
    try:
        await calls.call_own("refuseFetch", {"url": str(url)[:4096]})
    except Exception:
        # What the host makes of it is its own business.
        pass


def _with_parameters(url, params):
    from urllib.parse import urlencode

    if not params:
        return url
    return f"{url}{'&' if '?' in url else '?'}{urlencode(params, doseq=True)}"


def _exchange_all(url, asked):
    from http.client import HTTPException, IncompleteRead
    from urllib.parse import urljoin, urlsplit

    method, headers, body = asked["method"].upper(), asked["headers"], asked["body"]
    for _ in range(_MAX_REDIRECTS + 1):
        try:
            response = _exchange(url, method, headers, body)
        except OSError as error:
            raise NetworkError(f'Cannot fetch "{url[:200]}": {error}', getattr(error, "code", "unreachable")) from None
        except HTTPException as error:
            why = "the connection was lost before the answer was complete" if isinstance(error, IncompleteRead) else f"the answer can't be read: {error!r:.200}"
            raise NetworkError(f'Cannot fetch "{url[:200]}": {why}') from None
        target = response.headers.get("location")
        if response.status not in _REDIRECTS or target is None:
            return response
        before, url = url, urljoin(url, target)
        if response.status == 303 or (response.status in (301, 302) and method == "POST"):
            method, body = "GET", None
        if urlsplit(before)[:2] != urlsplit(url)[:2]:
            headers = {name: value for name, value in headers.items() if name.lower() not in _SECRETS}
    raise NetworkError(f'Cannot fetch "{url[:200]}": it is redirected too often')


def _exchange(url, method, headers, body):
    import http.client
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NetworkError("only http and https can be fetched", "denied")
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname, parts.port)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        text = body.encode() if isinstance(body, str) else body
        connection.request(method, path, text, {name: str(value) for name, value in headers.items()})
        answer = connection.getresponse()
        shown = Headers({name.lower(): value for name, value in answer.getheaders()})
        return Response(url, answer.status, answer.reason, shown, answer.read())
    finally:
        connection.close()
