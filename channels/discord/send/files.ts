import type { RawFile } from 'discord.js';
import { errorMessage } from '#src/kernel/errors.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import type { FinClawLogger } from '#src/platform/logging/logger.ts';
import { mayBeWebPage, readOwnFile } from '#src/platform/files/media.ts';
import { readAtMost, tooLarge } from '#src/platform/net/read-at-most.ts';
import type { DiscordSettings } from '../settings.ts';

/** The limits of a server without boosts. */
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
  /** Names of the files that are too large or cannot be read. */
  readonly missing: readonly string[];
}

export const NOTHING: Upload = { files: [], attachments: [], missing: [] };

/** Never throws: an answer is sent even without its files. */
export const readUploads = async (
  media: readonly MediaAttachment[],
  logger: FinClawLogger,
): Promise<Upload> => {
  const read = await Promise.all(
    media.map(async (file, index) => {
      try {
        if (index >= MAX_FILES) throw new Error(`only ${MAX_FILES} files go with one message`);
        return { file, data: await readOwnFile(file.url, MAX_UPLOAD_BYTES) };
      } catch (error) {
        logger.warn('Discord: could not send a file', {
          mimeType: file.mimeType,
          reason: errorMessage(error),
        });
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

const isDiscordHost = (url: URL, { apiUrl }: DiscordSettings): boolean =>
  (url.protocol === 'https:' && HOSTS.has(url.hostname)) ||
  (apiUrl !== undefined && url.origin === new URL(apiUrl).origin);

/** Downloads from Discord's own hosts only: an address in a message must not make the bot request any other. */
export const download = async (
  media: MediaAttachment,
  settings: DiscordSettings,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const url = URL.canParse(media.url) ? new URL(media.url) : undefined;
  if (!url || !isDiscordHost(url, settings)) throw new Error('the file is not on a host of Discord');
  if ((media.sizeBytes ?? 0) > maxBytes) throw tooLarge();
  const response = await fetch(url, { signal, redirect: 'error' });
  if (!response.ok) throw new Error(`Discord answered with ${response.status}`);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/html') && !mayBeWebPage(media))
    throw new Error('Discord sent a web page instead of the file');
  return readAtMost(response.body, maxBytes);
};
