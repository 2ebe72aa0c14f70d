"""
A program that must do the same each time: its clock, its random numbers, and the order in which things happen to it are the host's.
Things happen one at a time, and the next one only when nothing follows any more from the one before: an answer comes (`r1`, by the
call's number), a timer fires (`t1`).
"""

import time

from .steady_clock import install_clock
from .steady_random import install_random
from .values import to_json

# So many turns of a loop that never rests (`await asyncio.sleep(0)`), and what waits is let in.
_RESTLESS_TURNS = 1000


def install_steady(steady, loop, calls, hub):
    order = Order(steady, loop, calls, hub)
    install_clock(order.clock)
    install_random(bytes.fromhex(steady["seed"]))
    return order


class Clock:
    """Goes on only when something happens to the program; a loop that waits for it comes to an end all the same."""

    _LOOKS_A_MS = 1000

    def __init__(self, start):
        self.start = start
        self._time = start
        self._looks = 0
        self.real_ms = lambda _time=time.time: _time() * 1000
        self.real_sleep = time.sleep

    def now(self):
        self._looks += 1
        if self._looks % self._LOOKS_A_MS == 0:
            self._time += 1
        return self._time

    def peek(self):
        return self._time

    def advance(self, to):
        self._time = max(self._time, to)


class Order:
    def __init__(self, steady, loop, calls, hub):
        self._past = steady["past"]
        self._at = 0
        self.clock = Clock(steady["time"])
        self._loop = loop
        self._calls = calls
        self._hub = hub
        self._news = []
        self._early = {}
        self._timers = {}
        self._last_timer = 0
        self._turns = 0
        calls.before_call = self._tell
        calls.on_answer = self._keep
        calls.block = self._block
        loop.pick = self._pick
        loop.time = lambda: self.clock.peek() / 1000
        self._call_at = loop.call_at
        loop.call_at = self._add_timer
        loop.call_later = lambda delay, callback, *given, context=None: self._add_timer(
            loop.time() + max(0, delay), callback, *given, context=context
        )
        self.clock.sleep = self._sleep

    @property
    def is_replaying(self):
        return self._at < len(self._past)

    def _tell(self):
        if self._news:
            self._hub.send("happened", 0, to_json(self._news, ""))
            self._news = []

    def _keep(self, id, act):
        """An answer is here; it counts when its turn has come."""
        self._early[f"r{id}"] = act

    def _add_timer(self, when, callback, *given, context=None):
        self._last_timer += 1
        name = f"t{self._last_timer}"

        def fire():
            self._timers.pop(name, None)
            callback(*given)

        # Never due by asyncio's own heap: it fires when its turn has come.
        handle = self._call_at(float("inf"), fire, context=context)
        self._timers[name] = (when * 1000, handle)
        return handle

    def _pick(self, timeout):
        """In place of the selector: at most one thing happens."""
        if self._loop._ready:
            self._turns += 1
            if self._turns % _RESTLESS_TURNS or not self._can_happen():
                return
        self._turns = 0
        self._drop_cancelled()
        self._happen(may_fire=True)

    def _can_happen(self):
        self._drop_cancelled()
        return bool(self._early or self._timers or self._calls.open_count)

    def _drop_cancelled(self):
        for name in [name for name, (_, handle) in self._timers.items() if handle.cancelled()]:
            del self._timers[name]

    def _happen(self, may_fire):
        if self.is_replaying:
            return self._replay(may_fire)
        due = self._next_timer() if may_fire else None
        self._hub.poll()
        if not self._early:
            if due is None:
                if not self._loop._has_work():
                    return self._loop._on_idle()
                self._hub.wait(lambda: bool(self._early))
            else:
                left = self._timers[due][0] - max(self.clock.real_ms(), self.clock.peek())
                if left > 0 and not self._hub.wait(lambda: bool(self._early), left / 1000):
                    return
        name = next(iter(self._early), due)
        now = max(self.clock.real_ms(), self.clock.peek())
        self._news.append([name, now])
        self._do(name, now)

    def _next_timer(self):
        return min(self._timers, key=lambda name: self._timers[name][0], default=None)

    def _replay(self, may_fire):
        name, now = self._past[self._at]
        name = name.lstrip("+")
        if name in self._timers and may_fire:
            pass
        elif name not in self._early:
            if not self._calls.is_open(name[1:]) or name[0] != "r":
                return self._loop._on_idle()
            self._hub.wait(lambda: name in self._early)
        self._at += 1
        self._do(name, now)

    def _do(self, name, now):
        self.clock.advance(now)
        act = self._early.pop(name, None)
        if act is not None:
            act()
            return
        _, handle = self._timers.pop(name)
        handle._scheduled = False
        self._loop._ready.append(handle)
        self._loop._scheduled.remove(handle)

    def _block(self, is_there):
        """A call that blocks: other answers come meanwhile, timers do not fire."""
        while not is_there():
            self._happen(may_fire=False)

    def _sleep(self, seconds):
        self._hub.flush()
        if not self.is_replaying:
            self.clock.real_sleep(seconds)
        self.clock.advance(self.clock.peek() + seconds * 1000)
