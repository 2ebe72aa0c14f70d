export type LineReader = {
  push(chunk: Buffer): void;
};

export type LineReaderOptions = {
  maxLineBytes: number;
  onLine(line: Buffer): void;
  /** The line under way grew over the limit; nothing is read after this. */
  onTooLong(): void;
};

const NEWLINE = 0x0a;

/**
 * Cuts a byte stream into lines. The pieces of a long line are joined once, at its end: joining at each chunk would make
 * a 50 MB message cost gigabytes of copying.
 */
export function createLineReader({ maxLineBytes, onLine, onTooLong }: LineReaderOptions): LineReader {
  let pieces: Buffer[] = [];
  let pendingBytes = 0;
  let stopped = false;

  function hold(piece: Buffer): void {
    pieces.push(piece);
    pendingBytes += piece.length;
    if (pendingBytes <= maxLineBytes) return;
    stopped = true;
    pieces = [];
    onTooLong();
  }

  return {
    push(chunk) {
      let start = 0;
      while (!stopped) {
        const end = chunk.indexOf(NEWLINE, start);
        hold(chunk.subarray(start, end === -1 ? chunk.length : end));
        if (stopped || end === -1) return;
        const line = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, pendingBytes);
        pieces = [];
        pendingBytes = 0;
        start = end + 1;
        onLine(line);
      }
    },
  };
}
