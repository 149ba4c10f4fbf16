import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { readAtMost } from '../net/read-at-most.ts';

export const mediaKindOf = (mimeType: string): MediaAttachment['kind'] => {
  const [kind] = mimeType.split('/');
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
};

/** Brokers export tables as web pages and name them like workbooks. */
export const mayBeWebPage = ({ mimeType, name }: MediaAttachment): boolean =>
  mimeType === 'text/html' || /\.(?:xls|html?)$/iu.test(name);

/** The bytes of a file that the bot sends. Rejects with `MEDIA_TOO_LARGE` above `maxBytes`. */
export const readOwnFile = async (url: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  if (url.startsWith('file:')) return readAtMost(createReadStream(fileURLToPath(url)), maxBytes);
  if (url.startsWith('data:')) return readAtMost((await fetch(url)).body, maxBytes);
  throw new Error('it is not a file of the bot');
};
