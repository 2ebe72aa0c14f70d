/** What may be told of a personal value in place of the value itself. */
export type PiiFacts = {
  readonly domain?: string;
  readonly last4?: string;
  /** ISO 3166, two letters. */
  readonly country?: string;
  readonly mask?: string;
  readonly year?: number;
};

/** Of a text that a program holds, a value or its token. `sameAs` is equal for two texts that mean the same value, and says nothing else. */
export type PiiFact = readonly [text: string, sameAs: string, facts: PiiFacts];

/** What a call returned, with what the program may know of the personal values in it. Its own type, so that nobody takes it for the value. */
export class WithFacts {
  readonly value: unknown;
  readonly facts: readonly PiiFact[];

  constructor(value: unknown, facts: readonly PiiFact[]) {
    this.value = value;
    this.facts = facts;
  }
}
