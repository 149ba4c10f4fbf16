import { type APIMessage, type RESTPatchAPIChannelMessageJSONBody, Routes } from 'discord.js';
import { type DiscordApi, DiscordError, isRefusal } from '../api.ts';
import { NOTHING, type Upload } from './files.ts';
import { isWhole } from '../wire.ts';
import { helps } from './refusals.ts';
import type { MessageBody } from './render.ts';

interface PostOptions {
  /** Discord answers a nonce it saw within the last minutes with the message of that time and posts no second one. */
  readonly nonce?: string;
  readonly replyTo?: string | undefined;
  readonly upload?: Upload;
}

/** A UUID in the 25 characters that Discord accepts. */
export const nonceOf = (id: string, suffix = ''): string =>
  `${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}${suffix}`.slice(0, 25);

/** The part of a request that carries a message and its files. */
export const withUpload = (body: object, { files, attachments }: Upload) => ({
  body: { ...body, ...(attachments.length > 0 ? { attachments } : {}) },
  files,
});

export type Messages = ReturnType<typeof createMessages>;

/** The messages of a channel. Every call throws `DiscordError`, or the reason of the signal. */
export const createMessages = (api: DiscordApi, onRefused: (code: string, error: unknown) => void) => ({
  post: (
    channelId: string,
    body: MessageBody,
    { nonce, replyTo, upload = NOTHING }: PostOptions,
    signal: AbortSignal,
  ) => {
    const route = Routes.channelMessages(channelId);
    const once = { ...body, ...(nonce === undefined ? {} : { nonce, enforce_nonce: true }) };
    const post = (posted: object) =>
      api.request<APIMessage>('POST', route, withUpload(posted, upload), signal).catch((error: unknown) => {
        if (error instanceof DiscordError && isRefusal(error))
          onRefused(String(error.discordCode ?? error.httpStatus), error);
        throw error;
      });
    if (replyTo === undefined) return post(once);
    // A deleted message is still answered.
    const reply = { ...once, message_reference: { message_id: replyTo, fail_if_not_exists: false } };
    return post(reply).catch((error: unknown) => {
      if (helps('without-reference', error)) return post(once);
      throw error;
    });
  },
  edit: (
    channelId: string,
    messageId: string,
    body: RESTPatchAPIChannelMessageJSONBody | MessageBody,
    upload: Upload,
    signal: AbortSignal,
  ) => {
    const route = Routes.channelMessage(channelId, messageId);
    return api.request<APIMessage>('PATCH', route, withUpload(body, upload), signal);
  },
  remove: (channelId: string, messageId: string, signal: AbortSignal) =>
    api.request<void>('DELETE', Routes.channelMessage(channelId, messageId), {}, signal),
  get: (channelId: string, messageId: string, signal: AbortSignal) =>
    api.request<APIMessage>('GET', Routes.channelMessage(channelId, messageId), {}, signal),
  /** Discord lists the newest first. What cannot be read is left out. */
  list: async (
    channelId: string,
    {
      limit,
      ...from
    }: { readonly limit: number } & ({ readonly before: string } | { readonly after: string }),
    signal: AbortSignal,
  ) => {
    const query = { ...from, limit: String(limit) };
    const found = await api.request<readonly APIMessage[]>(
      'GET',
      Routes.channelMessages(channelId),
      { query },
      signal,
    );
    return found.filter(isWhole);
  },
});
