import { FinClawError } from '#src/kernel/errors.ts';

const TOO_LARGE = 'MEDIA_TOO_LARGE';

export const tooLarge = (): FinClawError =>
  new FinClawError('it is too large', TOO_LARGE, { statusCode: 413 });

export const isTooLarge = (error: unknown): boolean =>
  error instanceof FinClawError && error.code === TOO_LARGE;

/**
 * Reads a whole stream. It counts the bytes that arrive, because a declared length may be wrong, and rejects with
 * `MEDIA_TOO_LARGE` at the limit.
 */
export const readAtMost = async (
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream ?? []) {
    size += piece.length;
    if (size > maxBytes) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};
