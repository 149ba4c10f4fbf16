import {
  type APIMessage,
  InteractionResponseType,
  MessageFlags,
  type RESTPatchAPIChannelMessageJSONBody,
  Routes,
} from 'discord.js';
import type { DiscordApi } from './api.ts';
import { NOTHING, type Upload } from './files.ts';
import type { MessageBody } from './render.ts';

export interface PostOptions {
  /** The same one again within minutes gives the same message, and no second one. */
  readonly nonce?: string;
  readonly replyTo?: string | undefined;
  readonly upload?: Upload;
}

/** The messages of a channel. Everything throws `DiscordError`, or the signal's reason. */
export interface Messages {
  readonly post: (
    channelId: string,
    body: MessageBody,
    options: PostOptions,
    signal: AbortSignal,
  ) => Promise<APIMessage>;
  readonly edit: (
    channelId: string,
    messageId: string,
    body: RESTPatchAPIChannelMessageJSONBody | MessageBody,
    upload: Upload,
    signal: AbortSignal,
  ) => Promise<APIMessage>;
  readonly remove: (channelId: string, messageId: string, signal: AbortSignal) => Promise<void>;
  readonly get: (channelId: string, messageId: string, signal: AbortSignal) => Promise<APIMessage>;
  /** The newest first, as Discord gives them. */
  readonly list: (
    channelId: string,
    query: { readonly limit: number } & ({ readonly before: string } | { readonly after: string }),
    signal: AbortSignal,
  ) => Promise<readonly APIMessage[]>;
}

/** A UUID in the 25 characters that Discord takes. */
export const nonceOf = (id: string, suffix = ''): string =>
  `${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}${suffix}`.slice(0, 25);

export const createMessages = (api: DiscordApi): Messages => ({
  post: (channelId, body, { nonce, replyTo, upload = NOTHING }, signal) => {
    const { files, attachments } = upload;
    return api.request(
      'POST',
      Routes.channelMessages(channelId),
      {
        body: {
          ...body,
          ...(attachments.length > 0 ? { attachments } : {}),
          ...(nonce === undefined ? {} : { nonce, enforce_nonce: true }),
          // A message that is gone by now is still answered.
          ...(replyTo === undefined
            ? {}
            : { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
        },
        files,
      },
      signal,
    );
  },
  edit: (channelId, messageId, body, upload, signal) => {
    const { files, attachments } = upload;
    const changed = { ...body, ...(attachments.length > 0 ? { attachments } : {}) };
    return api.request(
      'PATCH',
      Routes.channelMessage(channelId, messageId),
      { body: changed, files },
      signal,
    );
  },
  remove: async (channelId, messageId, signal) =>
    api.request('DELETE', Routes.channelMessage(channelId, messageId), {}, signal),
  get: (channelId, messageId, signal) =>
    api.request('GET', Routes.channelMessage(channelId, messageId), {}, signal),
  list: (channelId, { limit, ...from }, signal) =>
    api.request(
      'GET',
      Routes.channelMessages(channelId),
      { query: { ...from, limit: String(limit) } },
      signal,
    ),
});

export type Callback =
  | { readonly type: InteractionResponseType.DeferredChannelMessageWithSource; readonly isPrivate: boolean }
  | { readonly type: InteractionResponseType.DeferredMessageUpdate }
  | { readonly type: InteractionResponseType.ChannelMessageWithSource; readonly body: MessageBody }
  | { readonly type: InteractionResponseType.Modal; readonly data: unknown }
  | { readonly type: InteractionResponseType.ApplicationCommandAutocompleteResult; readonly data: unknown };

/** What an interaction's token allows, for 15 minutes. Everything throws `DiscordError`, or the signal's reason. */
export interface Replies {
  /** Once only, within 3 seconds. */
  readonly acknowledge: (
    interaction: { readonly id: string; readonly token: string },
    callback: Callback,
    signal: AbortSignal,
  ) => Promise<void>;
  readonly original: (applicationId: string, token: string, signal: AbortSignal) => Promise<APIMessage>;
  /** Of the original (`@original`), or of a follow-up. */
  readonly edit: (
    applicationId: string,
    token: string,
    messageId: string,
    body: MessageBody,
    upload: Upload,
    signal: AbortSignal,
  ) => Promise<APIMessage>;
  readonly remove: (
    applicationId: string,
    token: string,
    messageId: string,
    signal: AbortSignal,
  ) => Promise<void>;
  readonly followUp: (
    applicationId: string,
    token: string,
    body: MessageBody,
    options: { readonly isPrivate: boolean; readonly upload?: Upload },
    signal: AbortSignal,
  ) => Promise<APIMessage>;
}

export const ORIGINAL = '@original';

const callbackBody = (callback: Callback): unknown => {
  switch (callback.type) {
    case InteractionResponseType.DeferredChannelMessageWithSource:
      return { type: callback.type, data: { flags: callback.isPrivate ? MessageFlags.Ephemeral : 0 } };
    case InteractionResponseType.ChannelMessageWithSource:
      return {
        type: callback.type,
        data: { ...callback.body, flags: callback.body.flags | MessageFlags.Ephemeral },
      };
    case InteractionResponseType.DeferredMessageUpdate:
      return { type: callback.type };
    case InteractionResponseType.Modal:
    case InteractionResponseType.ApplicationCommandAutocompleteResult:
      return { type: callback.type, data: callback.data };
  }
  return callback satisfies never;
};

export const createReplies = (api: DiscordApi): Replies => ({
  acknowledge: async ({ id, token }, callback, signal) =>
    api.request(
      'POST',
      Routes.interactionCallback(id, token),
      { body: callbackBody(callback), auth: false },
      signal,
    ),
  original: (applicationId, token, signal) =>
    api.request('GET', Routes.webhookMessage(applicationId, token, ORIGINAL), { auth: false }, signal),
  edit: (applicationId, token, messageId, body, { files, attachments }, signal) =>
    api.request(
      'PATCH',
      Routes.webhookMessage(applicationId, token, messageId),
      { body: { ...body, ...(attachments.length > 0 ? { attachments } : {}) }, files, auth: false },
      signal,
    ),
  remove: async (applicationId, token, messageId, signal) =>
    api.request('DELETE', Routes.webhookMessage(applicationId, token, messageId), { auth: false }, signal),
  followUp: (applicationId, token, body, { isPrivate, upload = NOTHING }, signal) =>
    api.request(
      'POST',
      Routes.webhook(applicationId, token),
      {
        body: {
          ...body,
          flags: isPrivate ? body.flags | MessageFlags.Ephemeral : body.flags,
          ...(upload.attachments.length > 0 ? { attachments: upload.attachments } : {}),
        },
        files: upload.files,
        auth: false,
      },
      signal,
    ),
});
