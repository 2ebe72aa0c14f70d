/** How a token may go on after its class. More digits, or more tildes, no token has. */
const REST = "_~{0,1000}\\d{1,18}\\]";

/**
 * In a world of tokens they are opaque: `r.email.toLowerCase()` is the same token as `r.email`. They have no small letters, so that
 * only what makes letters small has to know them.
 * @param {readonly string[]} classes
 */
export function keepTokens(classes) {
  const { apply } = Reflect;
  const { toLowerCase, toLocaleLowerCase, indexOf, slice } = String.prototype;
  const { exec } = RegExp.prototype;
  const token = new RegExp(`\\[(?:${classes.join("|")})${REST}`, "g");

  /**
   * @param {unknown} value
   * @param {(this: string, ...options: any[]) => string} toSmall
   * @param {readonly unknown[]} options
   */
  function change(value, toSmall, options) {
    if (value === undefined || value === null) return apply(toSmall, value, options);
    const text = `${value}`;
    if (apply(indexOf, text, ["["]) < 0) return apply(toSmall, text, options);
    let changed = "";
    let after = 0;
    token.lastIndex = 0;
    for (let found = apply(exec, token, [text]); found !== null; found = apply(exec, token, [text])) {
      const between = apply(slice, text, [after, found.index]);
      changed += apply(toSmall, between, options) + found[0];
      after = token.lastIndex;
    }
    return changed + apply(toSmall, apply(slice, text, [after]), options);
  }

  const own = {
    toLowerCase() {
      return change(this, toLowerCase, []);
    },
    /** @param {unknown[]} options */
    toLocaleLowerCase(...options) {
      return change(this, toLocaleLowerCase, options);
    },
  };
  for (const [name, value] of Object.entries(own))
    Object.defineProperty(String.prototype, name, { value, writable: true, configurable: true });
}
