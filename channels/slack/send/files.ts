import { errorMessage } from '#src/kernel/errors.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { checkRequest } from '#src/platform/net/http-transport.ts';
import { mayBeWebPage, readOwnFile } from '#src/platform/files/media.ts';
import { readAtMost, tooLarge } from '#src/platform/net/read-at-most.ts';
import { sleepWithAbort } from '#src/platform/concurrency/retry.ts';
import type { Uses } from '#src/platform/services.ts';
import type { SlackApi } from '../api.ts';
import { FILE_SCHEME } from '../wire.ts';
import type { PostTarget } from './posting.ts';

const MAX_UPLOAD_BYTES = 20_000_000;
const UPLOAD_TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 2;
const LOOK_AGAIN_MS = 250;
const MAX_LOOKS = 16;

const OWN_HOSTS = /(?:^|\.)(?:slack\.com|slack-edge\.com|slack-files\.com|slack-gov\.com)$/;

/** Whether an address belongs to Slack or to `apiUrl`; the token is sent to no other host. */
export const slackHosts = (apiUrl: string | undefined): ((url: URL) => boolean) => {
  const standIn = apiUrl !== undefined && URL.canParse(apiUrl) ? new URL(apiUrl).origin : undefined;
  return (url) => url.origin === standIn || (url.protocol === 'https:' && OWN_HOSTS.test(url.hostname));
};

interface UploadedFile {
  readonly id: string;
  readonly title: string;
  readonly altText?: string;
}

export interface Uploaded {
  readonly ids: readonly UploadedFile[];
  /** Names of the files that could not be sent. */
  readonly missing: readonly string[];
}

export type SlackFiles = ReturnType<typeof createFiles>;

export const createFiles = ({
  api,
  botToken,
  isSlackHost,
  clock,
  logger,
}: Uses<'clock' | 'logger'> & {
  readonly api: SlackApi;
  readonly botToken: string;
  readonly isSlackHost: (url: URL) => boolean;
}) => {
  const uploadOne = async (media: MediaAttachment): Promise<UploadedFile> => {
    const bytes = await readOwnFile(media.url, MAX_UPLOAD_BYTES);
    const { upload_url: url = '', file_id: id = '' } = await api.call('files.getUploadURLExternal', {
      filename: media.name,
      length: bytes.length,
      // Slack expects `alt_txt`, unlike the types of the client, and only for pictures.
      ...(media.altText && media.kind === 'image' ? { alt_txt: media.altText } : {}),
    });
    if (!isSlackHost(new URL(url))) throw new Error('the upload address is not on a host of Slack');
    checkRequest();
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': media.mimeType },
      body: bytes,
      signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the upload was answered with ${response.status}`);
    return { id, title: media.name, ...(media.altText === undefined ? {} : { altText: media.altText }) };
  };

  const isReady = async ({ id }: UploadedFile): Promise<boolean> => {
    const { file } = await api.call('files.info', { file: id });
    return (file?.mimetype ?? '') !== '';
  };

  /** Slack accepts a picture in a message only after it has read the file. */
  const untilReady = async (file: UploadedFile, signal: AbortSignal): Promise<void> => {
    for (let attempt = 0; !(await isReady(file)); attempt += 1) {
      if (attempt >= MAX_LOOKS) throw new Error('Slack takes too long to read the picture');
      await sleepWithAbort(LOOK_AGAIN_MS, clock, signal);
    }
  };

  const addressOf = async ({ url }: MediaAttachment): Promise<URL> => {
    if (!url.startsWith(FILE_SCHEME)) return new URL(url);
    const { file } = await api.call('files.info', { file: url.slice(FILE_SCHEME.length) });
    const address = file?.url_private_download ?? file?.url_private;
    if (!address) throw new Error('Slack does not name the address of the file');
    return new URL(address);
  };

  /** Sends the token to Slack's own hosts only, also after a redirect. */
  const fetchWithToken = async (url: URL, signal: AbortSignal, redirects = 0): Promise<Response> => {
    if (!isSlackHost(url)) throw new Error('the file is not on a host of Slack');
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${botToken}` },
      redirect: 'manual',
      signal,
    });
    const next = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || next === null) return response;
    await response.body?.cancel();
    if (redirects >= MAX_REDIRECTS) throw new Error('too many redirects');
    return fetchWithToken(new URL(next, url), signal, redirects + 1);
  };

  return {
    /** Uploads the bytes; nobody sees them before `share`. Never throws. */
    upload: async (media: readonly MediaAttachment[]): Promise<Uploaded> => {
      const missing: string[] = [];
      const ids = await Promise.all(
        media.map(async (file) => {
          try {
            return [await uploadOne(file)];
          } catch (error) {
            logger.warn('Slack: could not send a file', {
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
    /** Prepares uploaded pictures for image blocks, which a later edit can replace. Throws if Slack does not take them. */
    prepare: async ({ ids }: Uploaded, signal: AbortSignal): Promise<readonly UploadedFile[]> => {
      const [first, ...others] = ids.map(({ id, title }) => ({ id, title }));
      if (!first) return [];
      await api.call('files.completeUploadExternal', { files: [first, ...others] });
      await Promise.all(ids.map((file) => untilReady(file, signal)));
      return ids;
    },
    /** Shows uploaded files in a chat. Throws `ChannelError`. */
    share: async ({ ids }: Uploaded, { channel, threadTs }: PostTarget): Promise<void> => {
      const [first, ...others] = ids.map(({ id, title }) => ({ id, title }));
      if (!first) return;
      await api.call('files.completeUploadExternal', {
        files: [first, ...others],
        channel_id: channel,
        ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      });
    },
    read: async (media: MediaAttachment, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> => {
      if ((media.sizeBytes ?? 0) > maxBytes) throw tooLarge();
      const response = await fetchWithToken(await addressOf(media), signal);
      if (!response.ok) throw new Error(`Slack answered with ${response.status}`);
      // Without the scope, Slack answers with the login page instead of an error.
      const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html');
      const isMeant = mayBeWebPage(media) && response.headers.has('content-disposition');
      if (isPage && !isMeant) throw new Error('Slack asks to log in: the bot lacks the scope files:read');
      return readAtMost(response.body, maxBytes);
    },
  };
};
