import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { RawFile } from 'discord.js';
import { errorMessage } from '#src/kernel/errors.ts';
import type { MediaAttachment } from '#src/kernel/message.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { readAtMost, tooLarge } from '#src/platform/read-at-most.ts';
import type { DiscordSettings } from './settings.ts';

/** Brokers send tables as web pages, and call them workbooks. */
const PAGE_NAME = /\.(?:xls|html?)$/iu;

/** What a server without boosts takes; and so many files at once. */
const MAX_UPLOAD_BYTES = 10 * 1_024 * 1_024;
const MAX_FILES = 10;
const MAX_DESCRIPTION = 1_024;
const HOSTS: ReadonlySet<string> = new Set(['cdn.discordapp.com', 'media.discordapp.net']);

export interface Upload {
  readonly files: readonly RawFile[];
  readonly attachments: readonly {
    readonly id: number;
    readonly filename: string;
    readonly description?: string;
  }[];
  /** Names of those that could not be read, or are too large. */
  readonly missing: readonly string[];
}

export const NOTHING: Upload = { files: [], attachments: [], missing: [] };

const bytesOf = async (url: string): Promise<Buffer> => {
  if (url.startsWith('data:')) {
    const response = await fetch(url);
    return Buffer.from(await response.arrayBuffer());
  }
  const path = fileURLToPath(url);
  const { size } = await stat(path);
  if (size > MAX_UPLOAD_BYTES) throw new Error(`it has ${size} bytes, more than Discord takes`);
  return readFile(path);
};

/** Never throws: an answer without its file is better than none. */
export const readUploads = async (
  media: readonly MediaAttachment[],
  logger: FinClawLogger,
): Promise<Upload> => {
  const read = await Promise.all(
    media.map(async (file, index) => {
      try {
        if (index >= MAX_FILES) throw new Error(`only ${MAX_FILES} files go with one message`);
        const data = await bytesOf(file.url);
        if (data.length > MAX_UPLOAD_BYTES) throw new Error('it is larger than Discord takes');
        return { file, data };
      } catch (error) {
        logger.warn('A file could not be sent', { mimeType: file.mimeType, reason: errorMessage(error) });
        return { file, data: undefined };
      }
    }),
  );
  const present = read.flatMap(({ file, data }) => (data ? [{ file, data }] : []));
  return {
    files: present.map(({ file, data }) => ({ name: file.name, data, contentType: file.mimeType })),
    attachments: present.map(({ file }, id) => ({
      id,
      filename: file.name,
      ...(file.altText ? { description: file.altText.slice(0, MAX_DESCRIPTION) } : {}),
    })),
    missing: read.flatMap(({ file, data }) => (data ? [] : [file.name])),
  };
};

const isOurs = (url: URL, { apiUrl }: DiscordSettings): boolean =>
  (url.protocol === 'https:' && HOSTS.has(url.hostname)) ||
  (apiUrl !== undefined && url.origin === new URL(apiUrl).origin);

/** Only from Discord's own hosts: an address in a message must not make the bot visit anything else. */
export const download = async (
  media: MediaAttachment,
  settings: DiscordSettings,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const url = URL.canParse(media.url) ? new URL(media.url) : undefined;
  if (!url || !isOurs(url, settings)) throw new Error('it does not lie with Discord');
  if ((media.sizeBytes ?? 0) > maxBytes) throw tooLarge();
  const response = await fetch(url, { signal, redirect: 'error' });
  if (!response.ok) throw new Error(`Discord answered with ${response.status}`);
  const type = response.headers.get('content-type') ?? '';
  const isMeant = media.mimeType === 'text/html' || PAGE_NAME.test(media.name);
  if (type.startsWith('text/html') && !isMeant)
    throw new Error('Discord sent a web page instead of the file');
  return readAtMost(response.body, maxBytes);
};
