/** Events in the shapes in which Discord sends them, for those that are not a plain message of a person. */

export interface Place {
  readonly guildId: string;
  readonly channelId: string;
  readonly botId: string;
}

type Payload = Readonly<Record<string, unknown>>;

export interface OddEvent {
  readonly what: string;
  readonly event: string;
  readonly data: (place: Place) => Payload;
  /** What becomes of it; undefined: nothing at all. */
  readonly becomes?: Payload;
}

const PERSON = {
  id: '80351110224678912',
  username: 'nelly',
  global_name: 'Nelly',
  discriminator: '0',
  avatar: '8342729096ea3675442027381ff50dfe',
  public_flags: 64,
};
const MEMBER = { roles: [], joined_at: '2024-03-18T12:16:18.411000+00:00', nick: null, flags: 0 };

const message = ({ guildId, channelId }: Place, id: string, more: Payload): Payload => ({
  id,
  channel_id: channelId,
  guild_id: guildId,
  type: 0,
  content: '',
  author: PERSON,
  member: MEMBER,
  attachments: [],
  embeds: [],
  mentions: [],
  mention_roles: [],
  mention_everyone: false,
  pinned: false,
  tts: false,
  timestamp: '2026-11-13T06:30:00.000000+00:00',
  edited_timestamp: null,
  flags: 0,
  components: [],
  ...more,
});

/** Ids that grow, of November 2026. */
const ids = Array.from({ length: 40 }, (_none, index) =>
  String(1_570_000_000_000_000_000n + BigInt(index) * 4_096n),
);
const [
  WEBHOOK = '',
  JOIN = '',
  PIN = '',
  OTHER_BOT = '',
  DELETED = '',
  STICKER = '',
  VOICE = '',
  FORWARD = '',
  EMPTY = '',
  POLL = '',
  UNFURL = '',
  BOT_EDIT = '',
  THREAD = '',
  BARE = '',
  CROSSPOST = '',
  BARE_EDIT = '',
  SYSTEM = '',
  NOBODYS_EDIT = '',
] = ids;

export const ODD_EVENTS: readonly OddEvent[] = [
  {
    what: 'a webhook',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, WEBHOOK, {
        content: 'deployed',
        webhook_id: '752831914402115456',
        author: { id: '752831914402115456', username: 'CI', discriminator: '0000', avatar: null, bot: true },
        member: undefined,
      }),
    becomes: { isFromBot: true, senderName: 'CI', body: 'deployed', mentionsBot: false },
  },
  {
    what: 'a note that somebody joined',
    event: 'MESSAGE_CREATE',
    data: (place) => message(place, JOIN, { type: 7 }),
  },
  {
    what: 'a note that something was pinned',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, PIN, {
        type: 6,
        message_reference: {
          type: 0,
          message_id: JOIN,
          channel_id: place.channelId,
          guild_id: place.guildId,
        },
      }),
  },
  {
    what: 'a note that a thread was made',
    event: 'MESSAGE_CREATE',
    data: (place) => message(place, THREAD, { type: 18, content: 'SK hynix' }),
  },
  {
    what: 'another bot',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, OTHER_BOT, {
        content: 'beep',
        author: { ...PERSON, id: '159985870458322944', username: 'MEE6', global_name: null, bot: true },
      }),
    becomes: { isFromBot: true, senderName: 'MEE6' },
  },
  {
    what: 'the bot itself',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, BARE, { content: 'an answer', author: { ...PERSON, id: place.botId, bot: true } }),
  },
  {
    what: 'an account of Discord itself',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, SYSTEM, {
        content: 'Your safety',
        author: { ...PERSON, id: '643945264868098049', system: true },
      }),
  },
  {
    what: 'an author whose account is gone',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, DELETED, {
        content: 'goodbye',
        author: {
          id: '456226577798135808',
          username: 'Deleted User',
          discriminator: '0000',
          avatar: null,
          global_name: null,
        },
        member: undefined,
      }),
    becomes: { senderName: 'Deleted User', senderRoles: [], body: 'goodbye' },
  },
  {
    what: 'a sticker alone',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, STICKER, {
        sticker_items: [{ id: '749054660769218631', name: 'Wave', format_type: 3 }],
      }),
    becomes: {
      body: '',
      media: [{ kind: 'file', mimeType: 'application/x-sticker', name: 'sticker: Wave' }],
    },
  },
  {
    what: 'a voice message',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, VOICE, {
        flags: 8_192,
        attachments: [
          {
            id: '1172612345678901234',
            filename: 'voice-message.ogg',
            size: 6_724,
            url: 'https://cdn.discordapp.com/attachments/1/2/voice-message.ogg',
            proxy_url: 'https://media.discordapp.net/attachments/1/2/voice-message.ogg',
            duration_secs: 2.1,
            waveform: 'AAAA',
            content_type: 'audio/ogg',
          },
        ],
      }),
    becomes: {
      body: '',
      media: [{ kind: 'audio', mimeType: 'audio/ogg', name: 'voice-message.ogg', sizeBytes: 6_724 }],
    },
  },
  {
    what: 'a forwarded message',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, FORWARD, {
        flags: 16_384,
        message_reference: { type: 1, message_id: JOIN, channel_id: '41771983423143937' },
        message_snapshots: [
          {
            message: {
              type: 0,
              content: 'Buy now!\nReally.',
              embeds: [],
              attachments: [
                {
                  id: JOIN,
                  filename: 'a.txt',
                  size: 1,
                  url: 'https://cdn.discordapp.com/a.txt',
                  proxy_url: '',
                },
              ],
              timestamp: '2026-11-12T06:30:00.000000+00:00',
              edited_timestamp: null,
              flags: 0,
              mentions: [],
              mention_roles: [],
            },
          },
        ],
      }),
    // Discord does not say who wrote it: it may be the bot's.
    becomes: {
      body: '',
      forwarded: [{ text: 'Buy now!\nReally.' }],
      media: [{ kind: 'file', mimeType: 'application/octet-stream', name: 'a.txt', isMaybeOurs: true }],
    },
  },
  {
    what: 'empty content',
    event: 'MESSAGE_CREATE',
    data: (place) => message(place, EMPTY, {}),
    becomes: { body: '' },
  },
  {
    what: 'a poll',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, POLL, {
        poll: {
          question: { text: 'Up or down?' },
          answers: [
            { answer_id: 1, poll_media: { text: 'up' } },
            { answer_id: 2, poll_media: { text: 'down' } },
          ],
          expiry: '2026-11-14T06:30:00.000000+00:00',
          allow_multiselect: false,
          layout_type: 1,
        },
      }),
    becomes: { body: 'Up or down?\n- up\n- down' },
  },
  {
    what: 'a message from a channel that is followed',
    event: 'MESSAGE_CREATE',
    data: (place) =>
      message(place, CROSSPOST, {
        flags: 2,
        content: 'news',
        webhook_id: '752831914402115457',
        author: {
          id: '752831914402115457',
          username: 'News #daily',
          discriminator: '0000',
          avatar: null,
          bot: true,
        },
        message_reference: { type: 0, channel_id: '1', guild_id: '2', message_id: '3' },
      }),
    becomes: { isFromBot: true, body: 'news' },
  },
  {
    what: 'the preview of a link, as an edit of nobody',
    event: 'MESSAGE_UPDATE',
    data: (place) =>
      message(place, UNFURL, {
        content: 'https://example.com',
        embeds: [{ type: 'link', url: 'https://example.com', title: 'Example' }],
      }),
  },
  {
    what: 'an edit by a bot',
    event: 'MESSAGE_UPDATE',
    data: (place) =>
      message(place, BOT_EDIT, {
        content: 'beep boop',
        author: { ...PERSON, id: '159985870458322944', bot: true },
        edited_timestamp: '2026-11-13T06:31:00.000000+00:00',
      }),
  },
  {
    what: 'an edit that says next to nothing',
    event: 'MESSAGE_UPDATE',
    data: ({ guildId, channelId }) => ({
      id: BARE_EDIT,
      channel_id: channelId,
      guild_id: guildId,
      embeds: [],
    }),
  },
  {
    what: 'an edit by an author that is null',
    event: 'MESSAGE_UPDATE',
    data: (place) =>
      message(place, NOBODYS_EDIT, {
        content: 'words',
        author: null,
        edited_timestamp: '2026-11-13T06:31:00.000000+00:00',
      }),
  },
  {
    what: 'the deletion of a message nobody knows',
    event: 'MESSAGE_DELETE',
    data: ({ guildId, channelId }) => ({ id: ids.at(-1), channel_id: channelId, guild_id: guildId }),
  },
  {
    what: 'an interaction of a kind that is not ours',
    event: 'INTERACTION_CREATE',
    data: ({ guildId, channelId }) => ({
      id: ids.at(-2),
      application_id: '1',
      token: 't',
      type: 2,
      version: 1,
      guild_id: guildId,
      channel_id: channelId,
      channel: { id: channelId, type: 0 },
      member: { ...MEMBER, user: PERSON, permissions: '0' },
      locale: 'ko',
      entitlements: [],
      data: { id: '2', name: 'Translate', type: 3, target_id: '3', resolved: { messages: {} } },
    }),
  },
];
