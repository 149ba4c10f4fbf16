import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '#src/kernel/errors.ts';
import type { MediaAttachment } from '#src/kernel/message.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { readAtMost, tooLarge } from '#src/platform/read-at-most.ts';
import type { SlackApi } from './api.ts';
import { FILE_SCHEME } from './message-text.ts';
import type { Spot } from './posting.ts';

/** Brokers send tables as web pages, and call them workbooks. */
const PAGE_NAME = /\.(?:xls|html?)$/iu;

const MAX_UPLOAD_BYTES = 20_000_000;
const UPLOAD_TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 2;

const OWN_HOSTS = /(?:^|\.)(?:slack\.com|slack-edge\.com|slack-files\.com|slack-gov\.com)$/;

/** Whether an address is Slack's, or that of the server that stands in for it: only there the token goes. */
export const slackHosts = (apiUrl: string | undefined): ((url: URL) => boolean) => {
  const standIn = apiUrl !== undefined && URL.canParse(apiUrl) ? new URL(apiUrl).origin : undefined;
  return (url) => url.origin === standIn || (url.protocol === 'https:' && OWN_HOSTS.test(url.hostname));
};

export interface FileDeps {
  readonly api: SlackApi;
  readonly botToken: string;
  readonly isSlackHost: (url: URL) => boolean;
  readonly logger: FinClawLogger;
}

export interface Uploaded {
  readonly ids: readonly { readonly id: string; readonly title: string }[];
  /** The names of those that could not be sent. */
  readonly missing: readonly string[];
}

export interface SlackFiles {
  /** Puts the bytes up; nobody sees them before `share`. Never throws. */
  readonly upload: (media: readonly MediaAttachment[]) => Promise<Uploaded>;
  /** Shows them where the answer is. Throws `ChannelError`. */
  readonly share: (uploaded: Uploaded, spot: Spot) => Promise<void>;
  readonly read: (media: MediaAttachment, maxBytes: number, signal: AbortSignal) => Promise<Uint8Array>;
}

const bytesOf = async ({ url }: MediaAttachment): Promise<Uint8Array<ArrayBuffer>> => {
  if (url.startsWith('data:')) return new Uint8Array(await (await fetch(url)).arrayBuffer());
  if (!url.startsWith('file:')) throw new Error('it lies nowhere that we send from');
  const path = fileURLToPath(url);
  if ((await stat(path)).size > MAX_UPLOAD_BYTES) throw new Error('it is too large');
  return new Uint8Array(await readFile(path));
};

export const createFiles = ({ api, botToken, isSlackHost, logger }: FileDeps): SlackFiles => {
  const uploadOne = async (media: MediaAttachment): Promise<{ id: string; title: string }> => {
    const bytes = await bytesOf(media);
    const { upload_url: url = '', file_id: id = '' } = await api.call('files.getUploadURLExternal', {
      filename: media.name,
      length: bytes.length,
      // Not `alt_text`, as the types of the client say; and other files than pictures must not have one.
      ...(media.altText && media.kind === 'image' ? { alt_txt: media.altText } : {}),
    });
    if (!isSlackHost(new URL(url))) throw new Error('Slack names a foreign address');
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': media.mimeType },
      body: bytes,
      signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the upload was answered with ${response.status}`);
    return { id, title: media.name };
  };

  const addressOf = async ({ url }: MediaAttachment): Promise<URL> => {
    if (!url.startsWith(FILE_SCHEME)) return new URL(url);
    const { file } = await api.call('files.info', {
      file: url.slice(FILE_SCHEME.length),
    });
    const address = file?.url_private_download ?? file?.url_private;
    if (!address) throw new Error('Slack does not give it away');
    return new URL(address);
  };

  /** The token goes along to Slack's own hosts only, also behind a redirect. */
  const fetchWithToken = async (url: URL, signal: AbortSignal, redirects = 0): Promise<Response> => {
    if (!isSlackHost(url)) throw new Error('it does not lie with Slack');
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${botToken}` },
      redirect: 'manual',
      signal,
    });
    const next = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || next === null) return response;
    await response.body?.cancel();
    if (redirects >= MAX_REDIRECTS) throw new Error('it is passed on and on');
    return fetchWithToken(new URL(next, url), signal, redirects + 1);
  };

  return {
    upload: async (media) => {
      const missing: string[] = [];
      const ids = await Promise.all(
        media.map(async (file) => {
          try {
            return [await uploadOne(file)];
          } catch (error) {
            logger.warn('Slack: a file could not be sent', {
              mimeType: file.mimeType,
              reason: errorMessage(error),
            });
            missing.push(file.name);
            return [];
          }
        }),
      );
      return { ids: ids.flat(), missing };
    },
    share: async ({ ids }, { channel, threadTs }) => {
      const [first, ...others] = ids;
      if (!first) return;
      await api.call('files.completeUploadExternal', {
        files: [first, ...others],
        channel_id: channel,
        ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      });
    },
    read: async (media, maxBytes, signal) => {
      if ((media.sizeBytes ?? 0) > maxBytes) throw tooLarge();
      const response = await fetchWithToken(await addressOf(media), signal);
      if (!response.ok) throw new Error(`Slack answered with ${response.status}`);
      // Whoever may not read a file gets the page to log in instead, and no error.
      const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html');
      const isMeant =
        (media.mimeType === 'text/html' || PAGE_NAME.test(media.name)) &&
        response.headers.has('content-disposition');
      if (isPage && !isMeant) throw new Error('Slack asks to log in: the bot lacks the scope files:read');
      return readAtMost(response.body, maxBytes);
    },
  };
};
