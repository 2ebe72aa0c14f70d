const at = (digits: string, index: number) => digits.charCodeAt(index) - 48;

export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = at(digits, digits.length - 1 - index);
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The digits by their weights, added up. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * at(digits, index), 0);
}

export function isOneDigitRepeated(digits: string): boolean {
  for (let index = 1; index < digits.length; index++)
    if (digits.charCodeAt(index) !== digits.charCodeAt(0)) return false;
  return true;
}

/** The remainder of a long number; letters count from 10, as in IBANs. */
export function remainderOf(characters: string, modulus: number): number {
  let remainder = 0;
  for (let index = 0; index < characters.length; index++) {
    const code = characters.charCodeAt(index);
    remainder = code <= 57 ? remainder * 10 + code - 48 : remainder * 100 + (code | 32) - 87;
    remainder %= modulus;
  }
  return remainder;
}

/** ISO 7064 MOD 11,10. */
export function passesMod11And10(digits: string): boolean {
  let product = 10;
  for (let index = 0; index < digits.length - 1; index++) {
    const sum = (at(digits, index) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === at(digits, digits.length - 1);
}

const TURNED = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/** Verhoeff's check: the group of a pentagon's turns, and a permutation for each place. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let place = 0; place < digits.length; place++) {
    let digit = at(digits, digits.length - 1 - place);
    for (let turn = 0; turn < place % 8; turn++) digit = TURNED[digit] ?? 0;
    check = composed(check, digit);
  }
  return check === 0;
}

function composed(first: number, second: number): number {
  if (first < 5) return second < 5 ? (first + second) % 5 : 5 + ((first + second - 5) % 5);
  return second < 5 ? 5 + ((first - 5 - second + 5) % 5) : (first - second + 5) % 5;
}

/** Whether the numbers are a day that was. */
export function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1 || year < 1_000 || year > 9_999) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
