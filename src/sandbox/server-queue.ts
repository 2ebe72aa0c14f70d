/** The calls of one server, of all programs together. Who waits keeps its own calls; here only its turn is kept. */
export type ServerQueue = {
  /** @param onRoom told when a call can be started that could not be before */
  join(onRoom: () => void): QueuePlace;
};

/** One program's place in a server's queue. */
export type QueuePlace = {
  /** Takes room for one call. If there is none, the place waits for its turn. */
  enter(): boolean;
  /** Gives back the room of one call: it has ended, or was not made after all. */
  leave(): void;
  /** Waits no more. Calls under way leave when they end. */
  close(): void;
};

type Member = { readonly onRoom: () => void; hasRoom: boolean };

/** Lets so many calls run at once. Those who wait get room in turns, for one call each: a program with a thousand calls is no wall. */
export function createServerQueue(maxCalls: number): ServerQueue {
  let taken = 0;
  const waiting = new Set<Member>();

  /** Whoever comes later does not get in between. */
  function handOn(): void {
    const [next] = waiting;
    if (next === undefined) {
      taken--;
      return;
    }
    waiting.delete(next);
    next.hasRoom = true;
    next.onRoom();
  }

  return {
    join(onRoom) {
      const member: Member = { onRoom, hasRoom: false };
      return {
        enter() {
          if (member.hasRoom) {
            member.hasRoom = false;
            return true;
          }
          if (taken < maxCalls) {
            taken++;
            return true;
          }
          waiting.add(member);
          return false;
        },
        leave: handOn,
        close() {
          waiting.delete(member);
          if (!member.hasRoom) return;
          member.hasRoom = false;
          handOn();
        },
      };
    },
  };
}
