"""`run_command` of a program: bytes go as base64, and come back so where they are asked for."""

import base64

_BYTES = (bytes, bytearray, memoryview)


def create_run_command(calls):
    async def run_command(command, args=None, *, input=None, cwd=None, encoding=None, timeout_ms=None):
        asked = {"command": command, "args": args, "cwd": cwd, "encoding": encoding, "timeoutMs": timeout_ms}
        asked["inputBase64" if isinstance(input, _BYTES) else "input"] = input
        answer = await calls.call_own("runCommand", {key: value for key, value in asked.items() if value is not None})
        encoded = answer.pop("stdoutBase64", None)
        if encoded is not None:
            answer["stdout"] = base64.b64decode(encoded)
        return answer

    return run_command
