"""What a program has of the network: `fetch`, and Python's own HTTP where it is granted; else words that say why there is none."""

import json
import re

from .fetch import create_fetch, create_no_fetch
from .streams import NetworkError, Streams
from .values import to_utf8

_MAX_NOTED = 64 * 1024
_MAX_ASKED_BYTES = 15 * 1024 * 1024
_CONTROLS = bytes({*range(0x20)} - {*range(0x09, 0x0E), 0x1B})


def install_network(start, hub, calls):
    """`fetch`, and what mends `http` and `urllib` when a program imports them."""
    network = start.get("network")
    classes = start.get("tokenClasses")
    is_mended = False

    def mend(open_stream):
        nonlocal is_mended
        if is_mended:
            return
        is_mended = True
        from .http_mended import mend_http

        taking = _create_taking(classes, calls) if classes and network is not None else None
        is_noted = network is not None and network.get("isNoted")
        mend_http(open_stream, (network or {}).get("ca"), taking, _create_noting(calls) if is_noted else None)

    if network is None:

        def refuse_stream(url):
            calls.call_own("refuseFetch", {"url": url[:4096]})
            raise _refusal(url)

        return create_no_fetch(calls, _refusal), lambda: mend(refuse_stream)
    streams = Streams(hub)

    def mend_granted():
        mend(lambda url: streams.open())

    return create_fetch(mend_granted), mend_granted


def _refusal(url):
    return NetworkError(
        f'Cannot fetch "{url[:200]}": programs have no network, since network.allow of keyhole.config names no host; '
        "call a tool of a server instead",
        "denied",
    )


def _create_noting(calls):
    """TLS ends in here, so what is sent is looked at for personal values by our own word."""

    def note(url, headers, body):
        told = {"url": url[:_MAX_NOTED], "headers": headers, "body": body}
        calls.call_own("noteFetch", {key: value for key, value in told.items() if value is not None}).result()

    return note


def _create_taking(classes, calls):
    """In a world of tokens, what comes from the network is the host's before it is the program's."""
    lookalike = re.compile(rf"((?:{'|'.join(map(re.escape, classes))})_)(?=~*\d)".encode(), re.I)

    def ask(asked):
        if len(json.dumps(asked)) > _MAX_ASKED_BYTES:
            raise NetworkError("it is longer than what can be looked at for personal values: ask for less at once", "limit")
        return calls.call_own("takeText", asked).result()

    def take_text(text):
        try:
            # Written anew: of two members with one name, the text has both and the value that was looked at has one.
            return json.dumps(ask({"json": json.loads(text)}), ensure_ascii=False)
        except NetworkError:
            raise
        except Exception:
            return str(ask({"text": text}))

    def take_head(reason, headers):
        """What stands before a body is from the network, too."""
        taken = ask({"json": {"statusText": reason, "headers": [{name: value} for name, value in headers]}})
        return str(taken["statusText"]), [(name, str(value)) for header in taken["headers"] for name, value in header.items()]

    def take(data):
        if not data:
            return data
        try:
            return to_utf8(take_text(data.decode()))
        except UnicodeDecodeError:
            if any(byte in _CONTROLS for byte in data):
                return lookalike.sub(rb"\1~", data)
            return take_text(data.decode("latin-1")).encode("latin-1", "replace")

    return take, take_head
