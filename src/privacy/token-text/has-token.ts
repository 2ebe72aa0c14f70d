const TOKEN = /\[[A-Z_]{2,16}_\d{1,9}\]/;

/** Whether something in it looks as tokens are given. */
export function hasToken(text: string): boolean {
  return TOKEN.test(text);
}
