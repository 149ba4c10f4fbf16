import { decodeText } from '#src/platform/decode-text.ts';

/** So much of a file is read; more would push the conversation out of the model's window. */
const MAX_TEXT_BYTES = 60_000;

/** The words of a text file, as many as are read, for the model. Undefined for bytes that are no text. */
export const decodeTextFile = (bytes: Uint8Array): string | undefined => {
  const kept = bytes.subarray(0, MAX_TEXT_BYTES);
  const rest = bytes.length - kept.length;
  const text = decodeText(kept, rest > 0);
  return text !== undefined && rest > 0 ? `${text}\n[${rest} more bytes left out]` : text;
};
