import * as fc from 'fast-check';
import { anyText } from '#test/support/any-text.ts';
import { EVERY_FIELD } from './every-field.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Generated {
  readonly event: string;
  readonly data: Fields;
}

/** What the bot can see, to which events refer. */
interface Seen {
  readonly guildId: string;
  readonly channelId: string;
  readonly threadId: string;
  readonly applicationId: string;
  readonly botId: string;
  /** People who write. */
  readonly people: readonly [string, ...string[]];
}

const AT = '2026-11-13T06:30:00.000000+00:00';
const FIRST_ID = 1_570_000_000_000_000_000n;

/** A thing with some of its optional fields. */
const thing = (
  required: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  optional: Readonly<Record<string, fc.Arbitrary<unknown>>> = {},
): fc.Arbitrary<Fields> =>
  fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });

const few = <T>(each: fc.Arbitrary<T>, maxLength = 2): fc.Arbitrary<readonly T[]> =>
  fc.array(each, { maxLength });

const words = anyText({ maxLength: 60 });
const url = fc.constantFrom('https://cdn.discordapp.com/attachments/1/2/a.png', 'https://news.example/a?b=c');
const id = fc.nat(999_999).map((at) => String(FIRST_ID + BigInt(at) * 4_096n));
const flag = fc.boolean();
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value);

const userOf = (userId: fc.Arbitrary<string>): fc.Arbitrary<Fields> =>
  thing(
    { id: userId, username: words, discriminator: fc.constant('0'), avatar: orNull(words) },
    { global_name: orNull(words), bot: fc.constant(false), public_flags: fc.nat(64), locale: words },
  );
const member = thing(
  { roles: few(id), joined_at: orNull(fc.constant(AT)), deaf: flag, mute: flag, flags: fc.nat(16) },
  { nick: orNull(words), avatar: orNull(words), premium_since: orNull(fc.constant(AT)), pending: flag },
);
const emoji = thing({ id: orNull(id), name: orNull(words) }, { animated: flag });
const attachment = thing(
  { id, filename: words, size: fc.nat(1_000), url, proxy_url: url },
  {
    content_type: fc.constantFrom('image/png', 'text/csv; charset=utf-8', 'audio/ogg'),
    description: words,
    title: words,
    height: orNull(fc.nat(64)),
    width: orNull(fc.nat(64)),
    ephemeral: flag,
    duration_secs: fc.double({ min: 0, max: 60, noNaN: true }),
    waveform: fc.constant('AAAA'),
    flags: fc.nat(8),
  },
);
const media = thing({ url }, { proxy_url: url, height: fc.nat(64), width: fc.nat(64) });
const embed = thing(
  {},
  {
    type: fc.constantFrom('rich', 'article', 'link', 'image', 'gifv', 'video', 'poll_result'),
    title: words,
    description: words,
    url,
    timestamp: fc.constant(AT),
    color: fc.nat(0xff_ff_ff),
    footer: thing({ text: words }, { icon_url: url }),
    image: media,
    thumbnail: media,
    video: media,
    provider: thing({}, { name: words, url }),
    author: thing({ name: words }, { url, icon_url: url }),
    fields: few(thing({ name: words, value: words }, { inline: flag }), 3),
  },
);

const typed = (type: number, fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) =>
  thing({ type: fc.constant(type), id: fc.nat(9), ...fields });
const button = thing(
  { type: fc.constant(2), style: fc.integer({ min: 1, max: 6 }) },
  { label: words, custom_id: words, emoji, url, disabled: flag, sku_id: id },
);
const select = thing(
  { type: fc.constantFrom(3, 5, 6, 7, 8), custom_id: words },
  {
    options: few(thing({ label: words, value: words }, { emoji })),
    placeholder: words,
    min_values: fc.nat(2),
  },
);
const textDisplay = typed(10, { content: words });
const thumbnail = typed(11, { media, description: orNull(words), spoiler: flag });
const section = typed(9, { components: few(textDisplay), accessory: fc.oneof(thumbnail, button) });
const gallery = typed(12, { items: few(thing({ media }, { description: orNull(words), spoiler: flag })) });
const file = typed(13, { file: media, name: words, size: fc.nat(1_000), spoiler: flag });
const row = typed(1, { components: fc.oneof(few(button), few(select, 1)) });
const flat = fc.oneof(textDisplay, thumbnail, section, gallery, file, row, typed(14, { divider: flag }));
const component = fc.oneof(flat, typed(17, { components: few(flat, 3), accent_color: orNull(fc.nat(9)) }));

const poll = thing({
  question: thing({}, { text: words, emoji }),
  answers: few(thing({ answer_id: fc.nat(9), poll_media: thing({}, { text: words, emoji }) }), 3),
  expiry: orNull(fc.constant(AT)),
  allow_multiselect: flag,
  layout_type: fc.constant(1),
  results: thing({
    is_finalized: flag,
    answer_counts: few(thing({ id: fc.nat(9), count: fc.nat(9), me_voted: flag })),
  }),
});
const sticker = thing({ id, name: words, format_type: fc.integer({ min: 1, max: 4 }) });

/** What is in a message and in the copy of a forwarded one. */
const CONTENT = {
  content: words,
  embeds: few(embed),
  attachments: few(attachment),
  components: few(component, 3),
  timestamp: fc.constant(AT),
  edited_timestamp: orNull(fc.constant(AT)),
  flags: fc.constantFrom(0, 4, 8_192, 16_384, 32_768),
  mention_roles: few(id),
};
const snapshot = thing({
  message: thing(
    { ...CONTENT, type: fc.constantFrom(0, 19), mentions: few(userOf(id)) },
    { sticker_items: few(sticker) },
  ),
});

const interactionMetadata = (who: fc.Arbitrary<string>) =>
  thing(
    {
      id,
      type: fc.integer({ min: 2, max: 5 }),
      user: userOf(who),
      authorizing_integration_owners: fc.constant({ '0': '1' }),
    },
    { original_response_message_id: id, target_user: userOf(id), interacted_message_id: id },
  );

const named = (event: string, data: fc.Arbitrary<Fields>): fc.Arbitrary<Generated> =>
  data.map((fields) => ({ event, data: fields }));

const everyOf = (names: string): Readonly<Record<string, fc.Arbitrary<unknown>>> =>
  Object.fromEntries(
    names
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => [name, fc.constant(EVERY_FIELD[name as keyof typeof EVERY_FIELD])]),
  );

const far = (required: string, optional = ''): fc.Arbitrary<Fields> =>
  thing(everyOf(required), everyOf(optional));

export const discordEvents = (seen: Seen): fc.Arbitrary<Generated> => {
  const person = fc.constantFrom(...seen.people);
  const inServer = fc.constantFrom(
    { channel_id: seen.channelId, guild_id: seen.guildId },
    { channel_id: seen.threadId, guild_id: seen.guildId },
  );
  const message = thing(
    {
      ...CONTENT,
      id,
      author: userOf(person),
      type: fc.constantFrom(0, 0, 0, 19, 20, 23),
      mentions: few(userOf(fc.constantFrom(seen.botId, ...seen.people))),
      mention_everyone: flag,
      pinned: flag,
      tts: flag,
    },
    {
      member,
      nonce: fc.oneof(words, fc.nat()),
      reactions: few(thing({ count: fc.nat(9), me: flag, emoji })),
      sticker_items: few(sticker),
      poll,
      position: fc.nat(99),
      application_id: id,
      message_reference: thing(
        { type: fc.constantFrom(0, 1), channel_id: fc.constant(seen.channelId) },
        { message_id: id, guild_id: fc.constant(seen.guildId), fail_if_not_exists: flag },
      ),
      message_snapshots: few(snapshot),
      referenced_message: orNull(
        thing({
          ...CONTENT,
          id,
          channel_id: id,
          author: userOf(id),
          type: fc.constant(0),
          mentions: few(userOf(id)),
        }),
      ),
      interaction_metadata: interactionMetadata(person),
      mention_channels: few(thing({ id, guild_id: id, type: fc.nat(16), name: words })),
      role_subscription_data: fc.constant({ tier_name: 'a', total_months_subscribed: 1, is_renewal: false }),
      call: thing({ participants: few(id) }, { ended_timestamp: orNull(fc.constant(AT)) }),
    },
  );
  const inPlace = (data: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> =>
    fc.tuple(data, inServer).map(([fields, place]) => ({ ...fields, ...place }));
  const said = inPlace(message);
  const bySystem = fc
    .tuple(said, fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 12, 18, 21, 22, 24, 27, 36, 46))
    .map(([fields, type]) => ({ ...fields, type }));
  const byProgram = fc.oneof(
    said.map((fields) => ({ ...fields, author: { ...(fields['author'] as Fields), bot: true } })),
    said.map((fields) => ({ ...fields, webhook_id: seen.botId })),
  );

  const value = fc.oneof(words, fc.integer(), flag);
  const option = thing({
    name: fc.constantFrom('symbol', 'file', 'all'),
    type: fc.integer({ min: 3, max: 11 }),
    value,
  });
  const resolved = thing(
    {},
    { attachments: fc.dictionary(id, attachment, { maxKeys: 1, noNullPrototype: true }) },
  );
  const command = (type: 1 | 3 | 2) =>
    fc.tuple(said, id).chain(([about, target]) =>
      thing(
        {
          id,
          name: fc.constantFrom('price', 'usage', 'keys', 'ask', 'gone', 'Explain this'),
          type: fc.constant(type),
          ...(type === 3
            ? { target_id: fc.constant(target), resolved: fc.constant({ messages: { [target]: about } }) }
            : {}),
        },
        type === 1 ? { options: few(option), resolved, guild_id: fc.constant(seen.guildId) } : {},
      ),
    );
  const customId = fc.constantFrom('say:/price AAPL', 'approve:1', 'deny:1', 'rate:1:up', 'of:another', '');
  const pressed = thing({ custom_id: customId, component_type: fc.constant(2) });
  const form = thing({
    custom_id: customId,
    components: few(
      fc.oneof(
        typed(18, { component: typed(4, { custom_id: words, value: words }) }),
        typed(1, { components: few(typed(4, { custom_id: words, value: words }), 1) }),
      ),
    ),
  });
  const channel = thing(
    { id: fc.constant(seen.channelId), type: fc.constant(0) },
    { name: words, permissions: words },
  );
  const interaction = (type: number, data: fc.Arbitrary<Fields>, source?: fc.Arbitrary<Fields>) =>
    fc
      .tuple(
        thing(
          {
            id,
            application_id: fc.constant(seen.applicationId),
            type: fc.constant(type),
            token: id.map((at) => `token${at}`),
            version: fc.constant(1),
            data,
            entitlements: fc.constant([]),
            authorizing_integration_owners: fc.constantFrom({ '0': seen.guildId }, { '1': seen.people[0] }),
            context: fc.nat(2),
            attachment_size_limit: fc.constant(10_485_760),
            ...(source ? { message: source } : {}),
          },
          {
            channel,
            locale: fc.constantFrom('ko', 'en-US', 'xx'),
            app_permissions: words,
            guild_locale: words,
          },
        ),
        fc.oneof(
          thing({
            channel_id: fc.constant(seen.channelId),
            guild_id: fc.constant(seen.guildId),
            member: fc
              .tuple(member, userOf(person))
              .map(([fields, user]) => ({ ...fields, user, permissions: '0' })),
          }),
          thing({ channel_id: id, user: userOf(person) }),
        ),
      )
      .map(([fields, by]) => ({ ...fields, ...by }));

  /** Of servers and channels where the bot is not. */
  const elsewhere: Readonly<Record<string, fc.Arbitrary<Fields>>> = {
    CHANNEL_CREATE: far('id type guild_id', 'name position permission_overwrites parent_id topic'),
    CHANNEL_UPDATE: far('id type guild_id', 'name topic last_message_id available_tags'),
    CHANNEL_DELETE: far('id type guild_id', 'name'),
    CHANNEL_PINS_UPDATE: far('channel_id', 'guild_id last_pin_timestamp'),
    THREAD_CREATE: far('id type guild_id parent_id thread_metadata', 'name member owner_id'),
    THREAD_UPDATE: far('id type guild_id parent_id thread_metadata', 'name'),
    THREAD_DELETE: far('id guild_id parent_id type'),
    THREAD_LIST_SYNC: far('guild_id threads members', 'channel_ids'),
    THREAD_MEMBERS_UPDATE: far('id guild_id member_count', 'removed_member_ids'),
    GUILD_DELETE: far('id', 'unavailable'),
    GUILD_ROLE_CREATE: far('guild_id role'),
    GUILD_ROLE_DELETE: far('guild_id role_id'),
    GUILD_MEMBER_UPDATE: far('guild_id roles user', 'joined_at premium_since'),
    GUILD_SCHEDULED_EVENT_CREATE: far('id guild_id name scheduled_start_time status', 'creator_id'),
    MESSAGE_DELETE: far('id channel_id', 'guild_id'),
    MESSAGE_DELETE_BULK: far('ids channel_id', 'guild_id'),
    MESSAGE_REACTION_ADD: far('user_id channel_id message_id emoji burst type', 'guild_id member'),
    MESSAGE_POLL_VOTE_ADD: far('user_id channel_id message_id answer_id', 'guild_id'),
    PRESENCE_UPDATE: far('user guild_id', 'status activities client_status'),
    TYPING_START: far('channel_id user_id timestamp', 'guild_id member'),
    USER_UPDATE: userOf(fc.constant(seen.botId)),
    VOICE_STATE_UPDATE: far('user_id channel_id self_deaf self_mute', 'guild_id member'),
    WEBHOOKS_UPDATE: far('guild_id channel_id'),
  };

  return fc.oneof(
    { weight: 5, arbitrary: named('MESSAGE_CREATE', said) },
    { weight: 1, arbitrary: named('MESSAGE_CREATE', bySystem) },
    { weight: 1, arbitrary: named('MESSAGE_CREATE', byProgram) },
    { weight: 2, arbitrary: named('MESSAGE_UPDATE', said) },
    {
      weight: 4,
      arbitrary: named(
        'INTERACTION_CREATE',
        fc.oneof(
          interaction(2, fc.oneof(command(1), command(2), command(3))),
          interaction(4, command(1)),
          interaction(3, pressed, said),
          interaction(5, form),
        ),
      ),
    },
    {
      weight: 4,
      arbitrary: fc.oneof(...Object.entries(elsewhere).map(([event, data]) => named(event, data))),
    },
  );
};
