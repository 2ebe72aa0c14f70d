/** Types share parts, so a small schema can be long when printed: what is printed is bounded too. */
export type PrintBudget = {
  /** Steps into a part of a type; false when it is too deep or enough has been printed. */
  enter(): boolean;
  leave(): void;
  isSpent(): boolean;
};

export const MAX_PRINTED = 20_000;
const MAX_DEPTH = 100;

export function createPrintBudget(max = MAX_PRINTED): PrintBudget {
  let printed = 0;
  let depth = 0;
  return {
    enter() {
      printed++;
      depth++;
      const isOpen = printed < max && depth < MAX_DEPTH;
      if (!isOpen) depth--;
      return isOpen;
    },
    leave() {
      depth--;
    },
    isSpent: () => printed >= max,
  };
}
