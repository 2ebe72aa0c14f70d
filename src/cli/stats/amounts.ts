/** `12,345`. */
export function withCommas(amount: number): string {
  return Math.round(amount).toLocaleString("en-US");
}

const UNITS = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** In five signs at most: `999`, `12.3k`, `4.0M`. */
export function toShortAmount(amount: number): string {
  const rounded = Math.round(amount);
  for (const [size, unit] of UNITS) {
    // 999,950 would be 1000k.
    if (rounded < size - size / 2_000) continue;
    const share = rounded / size;
    return `${share >= 99.95 ? Math.round(share) : share.toFixed(1)}${unit}`;
  }
  return String(rounded);
}

/** `$1,234.50`, `$0.0042`, `-$0.30`: cents where there are dollars, two digits that count below. */
export function toMoney(dollars: number): string {
  const size = Math.abs(dollars);
  const sign = dollars < 0 ? "-" : "";
  if (size === 0) return "$0.00";
  if (size >= 0.1)
    return `${sign}$${size.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  if (size < 0.000_001) return `${sign}$0.000001`;
  return `${sign}$${size.toFixed(Math.min(6, 1 - Math.floor(Math.log10(size))))}`;
}

export function toPercent(part: number, whole: number): string {
  return whole <= 0 ? "0%" : `${Math.round((part / whole) * 1000) / 10}%`;
}
