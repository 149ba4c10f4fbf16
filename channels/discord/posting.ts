import { type APIMessage, type RESTPatchAPIChannelMessageJSONBody, Routes } from 'discord.js';
import type { DiscordApi } from './api.ts';
import { NOTHING, type Upload } from './files.ts';
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
export const createMessages = (api: DiscordApi) => ({
  post: (
    channelId: string,
    body: MessageBody,
    { nonce, replyTo, upload = NOTHING }: PostOptions,
    signal: AbortSignal,
  ) => {
    const posted = {
      ...body,
      ...(nonce === undefined ? {} : { nonce, enforce_nonce: true }),
      // A deleted message is still answered.
      ...(replyTo === undefined
        ? {}
        : { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
    };
    const route = Routes.channelMessages(channelId);
    return api.request<APIMessage>('POST', route, withUpload(posted, upload), signal);
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
  /** Discord lists the newest first. */
  list: (
    channelId: string,
    {
      limit,
      ...from
    }: { readonly limit: number } & ({ readonly before: string } | { readonly after: string }),
    signal: AbortSignal,
  ) => {
    const query = { ...from, limit: String(limit) };
    return api.request<readonly APIMessage[]>('GET', Routes.channelMessages(channelId), { query }, signal);
  },
});
