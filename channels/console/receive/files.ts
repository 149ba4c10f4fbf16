import { createReadStream, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { readAtMost, tooLarge } from '#src/platform/net/read-at-most.ts';

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.txt': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.json': 'application/json',
};

const MENTIONED = /(?:^|\s)@(?:"(?<quoted>[^"\n]{1,1000})"|(?<plain>\S{1,1000}))/g;
/** Ends at the last file extension that no part of a name follows: `chart.png?` and `chart.png를` name `chart.png`. */
const FILE_NAME =
  /^.*\.(?:png|jpe?g|gif|webp|txt|md|csv|tsv|html?|xlsx?|json)(?![a-z0-9_-]|[./\\][a-z0-9_])/i;

const nameIn = (groups: Readonly<Record<string, string | undefined>> | undefined): string | undefined =>
  FILE_NAME.exec(groups?.['quoted'] ?? groups?.['plain'] ?? '')?.[0];

/** Undefined if the file is missing or unreadable, or its name is too long. */
const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

const toMedia = (typed: string): MediaAttachment | undefined => {
  const path = resolve(typed.replace(/^~(?=\/)/, homedir()));
  const stat = statOf(path);
  const mimeType = MIME_TYPES[extname(typed).toLowerCase()];
  if (mimeType === undefined || !stat?.isFile()) return undefined;
  return {
    kind: mimeType.startsWith('image/') ? 'image' : 'file',
    mimeType,
    name: basename(path),
    url: pathToFileURL(path).href,
    sizeBytes: stat.size,
  };
};

interface NamedFiles {
  readonly media: readonly MediaAttachment[];
  /** Names that look like files that do not exist. */
  readonly missing: readonly string[];
}

export const NO_FILES: NamedFiles = { media: [], missing: [] };

/** The files that a person names with `@chart.png`: pictures, text and tables. */
export const filesIn = (text: string): NamedFiles => {
  const named = [...text.matchAll(MENTIONED)].flatMap(({ groups }) => nameIn(groups) ?? []);
  const found = named.map((name) => ({ name, media: toMedia(name) }));
  return {
    media: found.flatMap(({ media }) => media ?? []),
    missing: found.flatMap(({ name, media }) => (media ? [] : [name])),
  };
};

/** Reads files that the person at the keyboard named; paths never come from anywhere else. */
export const readFileOf = async (
  media: MediaAttachment,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  if ((media.sizeBytes ?? 0) > maxBytes) throw tooLarge();
  // The file may have grown since it was named.
  return readAtMost(createReadStream(fileURLToPath(media.url), { signal }), maxBytes);
};
