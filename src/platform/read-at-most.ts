import { FinClawError } from '#src/kernel/errors.ts';

const TOO_LARGE = 'MEDIA_TOO_LARGE';

export const tooLarge = (): FinClawError =>
  new FinClawError('it is too large', TOO_LARGE, { statusCode: 413 });

export const isTooLarge = (error: unknown): boolean =>
  error instanceof FinClawError && error.code === TOO_LARGE;

/**
 * All of a stream. Counts what really comes, for a declared length may be wrong, and stops reading beyond the limit:
 * rejects with `MEDIA_TOO_LARGE` then.
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
