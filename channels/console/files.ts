import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MediaAttachment } from '#src/core/message.ts';

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.json': 'application/json',
};

const MENTIONED_FILE = /(?:^|\s)@(?:"(?<quoted>[^"\n]+)"|(?<plain>\S+))/g;

const toMedia = (typed: string): readonly MediaAttachment[] => {
  const mimeType = MIME_TYPES[extname(typed).toLowerCase()];
  if (mimeType === undefined) return [];
  const path = resolve(typed);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return [];
  return [
    {
      kind: mimeType.startsWith('image/') ? 'image' : 'file',
      mimeType,
      name: basename(path),
      url: pathToFileURL(path).href,
      sizeBytes: stat.size,
    },
  ];
};

/** The files that a person names with `@chart.png`: pictures and text that exist. */
export const filesIn = (text: string): readonly MediaAttachment[] =>
  [...text.matchAll(MENTIONED_FILE)].flatMap(({ groups }) =>
    toMedia(groups?.['quoted'] ?? groups?.['plain'] ?? ''),
  );

const MAX_BYTES = 20_000_000;

/** Only what a person at the keyboard named: the address of a file never comes from anywhere else. */
export const readFileOf = async (media: MediaAttachment, signal: AbortSignal): Promise<Uint8Array> => {
  if ((media.sizeBytes ?? 0) > MAX_BYTES) throw new Error('it is too large');
  return readFile(fileURLToPath(media.url), { signal });
};
