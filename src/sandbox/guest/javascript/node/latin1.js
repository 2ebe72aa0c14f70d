/**
 * Text whose letters are bytes. One that no byte can be is a question mark.
 * @param {string} text
 */
export function toLatin1(text) {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    bytes[at] = unit < 0x100 ? unit : 0x3f;
  }
  return bytes;
}

/** @param {Uint8Array} bytes */
export function fromLatin1(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x2000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return text;
}
