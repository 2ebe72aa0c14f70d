"""`http.client`, and with it `urllib.request`, over the host's streams: the host is a proxy, and each stream carries one request."""

import http.client
import io
import ssl
import sys

from .streams import NetworkError, NotedSocket, TlsStream

_MAX_HEAD = 64 * 1024
_NO_TLS = (
    "Python runs as Pyodide here, which has no TLS, so https can't be fetched. Install bubblewrap and Python 3 on this machine "
    "(or use the docker or vm tier), fetch it in TypeScript, or call a tool of a server"
)
# In an answer of the proxy's own, and in no server's.
_OWN_HEADER = "keyhole-egress"


def mend_http(open_stream, authorities, taking, note=None):
    connection, secure = http.client.HTTPConnection, http.client.HTTPSConnection
    put_request, put_header, get_response = connection.putrequest, connection.putheader, connection.getresponse

    def watched(self, socket):
        return socket if note is None else NotedSocket(socket, lambda headers, body: note(self._keyhole_url, headers, body))

    def connect(self):
        self.sock = watched(self, open_stream(f"http://{_place(self)}"))

    def connect_securely(self):
        if sys.platform == "emscripten":
            raise NetworkError(_NO_TLS)
        place = _place(self)
        stream = open_stream(f"https://{place}")
        stream.sendall(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n\r\n".encode("latin-1"))
        _read_head(stream)
        self.sock = watched(self, TlsStream(stream, self._context, self.host))

    def request_by_proxy(self, method, url, skip_host=False, skip_accept_encoding=False):
        is_plain = not isinstance(self, secure) and url.startswith("/")
        target = f"http://{_place(self)}{url}" if is_plain else url
        self._keyhole_url = f"https://{_place(self)}{url}" if url.startswith("/") and not is_plain else target
        # Of a whole address it would take the port for a part of the name.
        put_request(self, method, target, is_plain or skip_host, skip_accept_encoding)
        if is_plain and not skip_host:
            put_header(self, "Host", _place(self).removesuffix(":80"))
        put_header(self, "Connection", "close")

    def put_other_header(self, name, *values):
        if str(name).lower() not in ("connection", "proxy-connection", "proxy-authorization"):
            put_header(self, name, *values)

    def response_taken(self):
        response = get_response(self)
        if not isinstance(self, secure) and response.headers.get(_OWN_HEADER) is not None:
            raise NetworkError(response.read().decode("utf-8", "replace").strip(), response.headers[_OWN_HEADER])
        if taking is not None:
            take, take_head = taking
            response.reason, headers = take_head(response.reason, response.getheaders())
            for name in list(response.headers):
                del response.headers[name]
            for name, value in headers:
                response.headers[name] = value
            data = take(response.read())
            response.fp, response.length, response.chunked = io.BytesIO(data), len(data), False
        return response

    connection.connect, secure.connect = connect, connect_securely
    connection.putrequest, connection.putheader = request_by_proxy, put_other_header
    connection.getresponse = response_taken
    _trust(authorities)


def _place(connection):
    host = f"[{connection.host}]" if ":" in connection.host else connection.host
    return f"{host}:{connection.port}"


def _read_head(stream):
    """The proxy's answer to CONNECT."""
    head = b""
    while b"\r\n\r\n" not in head:
        data = stream.recv(1)
        if not data or len(head) > _MAX_HEAD:
            raise NetworkError("the connection was lost")
        head += data
    first, *lines = head.decode("latin-1").split("\r\n")
    if first.split(" ")[1:2] == ["200"]:
        return
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    words = b""
    while data := stream.recv(_MAX_HEAD):
        words += data
    raise NetworkError(words.decode("utf-8", "replace").strip() or first, headers.get(_OWN_HEADER, "unreachable"))


def _trust(authorities):
    """Those that the host names, in place of the machine's."""
    if not authorities:
        return
    create = ssl.create_default_context

    def create_context(purpose=ssl.Purpose.SERVER_AUTH, *, cafile=None, capath=None, cadata=None):
        return create(purpose, cafile=cafile, capath=capath, cadata=cadata or "\n".join(authorities))

    ssl.create_default_context = create_context
    ssl._create_default_https_context = create_context
