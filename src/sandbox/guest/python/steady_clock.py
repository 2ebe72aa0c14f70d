"""Everything that tells the time tells it by one clock, in milliseconds."""

import datetime
import time


def install_clock(clock):
    _mend_time(clock)
    _mend_datetime(clock)


def _mend_time(clock):
    def seconds():
        return clock.now() / 1000

    def since_start():
        return (clock.now() - clock.start) / 1000

    def nanoseconds():
        return int(clock.now() * 1_000_000)

    def nanoseconds_since_start():
        return int((clock.now() - clock.start) * 1_000_000)

    def now_by_default(function):
        return lambda given=None: function(seconds() if given is None else given)

    format_time, localtime = time.strftime, time.localtime
    as_text = time.asctime
    time.localtime = now_by_default(localtime)
    time.gmtime = now_by_default(time.gmtime)
    time.ctime = now_by_default(time.ctime)
    time.asctime = lambda given=None: as_text(time.localtime() if given is None else given)
    time.strftime = lambda form, given=None: format_time(form, time.localtime() if given is None else given)
    time.time, time.time_ns = seconds, nanoseconds
    time.sleep = clock.sleep
    since_when = {getattr(time, name) for name in ("CLOCK_REALTIME", "CLOCK_REALTIME_COARSE", "CLOCK_TAI") if hasattr(time, name)}
    time.clock_gettime = lambda kind: seconds() if kind in since_when else since_start()
    time.clock_gettime_ns = lambda kind: nanoseconds() if kind in since_when else nanoseconds_since_start()
    for name in ("monotonic", "perf_counter", "process_time", "thread_time"):
        setattr(time, name, since_start)
        setattr(time, f"{name}_ns", nanoseconds_since_start)


def _mend_datetime(clock):
    """Subclasses that stand for the classes: what was made by either is of both."""
    real_date, real_datetime = datetime.date, datetime.datetime

    class DateKind(type):
        def __instancecheck__(cls, value):
            return isinstance(value, real_date if cls is date else real_datetime)

        def __subclasscheck__(cls, other):
            return issubclass(other, real_date if cls is date else real_datetime)

    class date(real_date, metaclass=DateKind):
        @classmethod
        def today(cls):
            return cls.fromtimestamp(clock.now() / 1000)

    class mended(real_datetime, metaclass=DateKind):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(clock.now() / 1000, tz)

        @classmethod
        def utcnow(cls):
            return cls.fromtimestamp(clock.now() / 1000, datetime.timezone.utc).replace(tzinfo=None)

        @classmethod
        def today(cls):
            return cls.now()

        def __reduce_ex__(self, protocol):
            return real_datetime.__reduce_ex__(self, protocol)

    for kind, real in ((date, real_date), (mended, real_datetime)):
        kind.__name__ = kind.__qualname__ = real.__name__
        kind.__module__ = "datetime"
    datetime.date, datetime.datetime = date, mended
