import * as fc from 'fast-check';
import { anyText } from '#test/support/any-text.ts';
import type { EnvelopeType } from '#test/fakes/slack/history.ts';
import type { FakeSlack } from '#test/fakes/slack/api.ts';

type Fields = Readonly<Record<string, unknown>>;
type Arbitraries = Readonly<Record<string, fc.Arbitrary<unknown>>>;

export interface Generated {
  readonly kind: EnvelopeType;
  /** The event, or the whole payload of what somebody did. */
  readonly payload: Fields;
}

/** A thing with some of its optional fields. */
const thing = (required: Arbitraries, optional: Arbitraries = {}): fc.Arbitrary<Fields> =>
  fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
const typed = (type: string, required: Arbitraries = {}, optional: Arbitraries = {}) =>
  thing({ type: fc.constant(type), ...required }, optional);
const few = <T>(each: fc.Arbitrary<T>, maxLength = 2): fc.Arbitrary<readonly T[]> =>
  fc.array(each, { maxLength });

const words = anyText({ minLength: 1, maxLength: 60 });
const url = fc.constantFrom('https://files.slack.com/files-pri/T1-F1/a.csv', 'https://news.example/a?b=c');
const flag = fc.boolean();
const bold = thing({}, { bold: flag, italic: flag, code: flag });
const plain = typed('plain_text', { text: words }, { emoji: flag });
const text = fc.oneof(plain, typed('mrkdwn', { text: words }, { verbatim: flag }));

const piece = fc.oneof(
  typed('text', { text: words }, { style: bold }),
  typed('link', { url }, { text: words }),
  typed('user', { user_id: fc.constant('U1') }),
  typed('channel', { channel_id: fc.constant('C1') }),
  typed('emoji', { name: words }, { unicode: words }),
  typed('broadcast', { range: fc.constant('here') }),
  typed('date', { timestamp: fc.nat(), format: words }, { fallback: words }),
  typed('usergroup', { usergroup_id: fc.constant('S1') }),
  typed('color', { value: fc.constant('#fff') }),
);
const line = typed('rich_text_section', { elements: few(piece, 4) });
const richText = typed(
  'rich_text',
  {
    elements: few(
      fc.oneof(
        line,
        typed('rich_text_list', { elements: few(line), style: fc.constantFrom('ordered', 'bullet') }),
        typed('rich_text_quote', { elements: few(piece) }),
        typed('rich_text_preformatted', { elements: few(piece) }, { border: fc.nat(1) }),
      ),
      3,
    ),
  },
  { block_id: words },
);
const image = typed('image', { image_url: url, alt_text: words }, { title: plain });
const button = typed(
  'button',
  { action_id: words, text: plain },
  { value: words, url, style: fc.constant('danger') },
);
const cell = fc.oneof(typed('raw_text', { text: words }), richText);
const row = few(cell, 3);
const block = fc.oneof(
  richText,
  typed('section', {}, { text, fields: few(text, 4), accessory: fc.oneof(button, image) }),
  typed('header', { text: plain }),
  typed('context', { elements: few(fc.oneof(text, image)) }),
  typed('actions', { elements: few(button) }),
  typed('divider'),
  typed('markdown', { text: words }),
  typed('table', { rows: few(row, 4) }, { column_settings: few(thing({}, { is_wrapped: flag })) }),
  typed('data_table', { rows: few(row, 4) }, { caption: words }),
  typed('input', { label: plain, element: typed('plain_text_input', { action_id: words }) }),
  typed(
    'video',
    { video_url: url, thumbnail_url: url, title: plain, alt_text: words },
    { description: plain },
  ),
  typed('file', { external_id: words, source: fc.constant('remote') }),
  image,
);
const file = thing(
  {
    id: fc.constantFrom('F1', 'F2'),
    name: words,
    mimetype: fc.constantFrom('text/csv', 'image/png', 'audio/mp4'),
  },
  {
    title: words,
    user: fc.constant('U1'),
    size: fc.nat(9_999),
    url_private: url,
    url_private_download: url,
    mode: fc.constantFrom('hosted', 'tombstone', 'hidden_by_limit', 'file_access'),
    file_access: fc.constantFrom('visible', 'check_file_info'),
    subtype: fc.constant('slack_audio'),
    duration_ms: fc.nat(9_999),
    transcription: thing(
      { status: fc.constantFrom('complete', 'processing') },
      { preview: thing({ content: words, has_more: flag }) },
    ),
    alt_txt: words,
  },
);
const attachment = thing(
  { fallback: words },
  {
    id: fc.nat(9),
    color: fc.constant('ff0000'),
    pretext: words,
    author_name: words,
    author_id: fc.constant('U1'),
    title: words,
    title_link: url,
    text: words,
    fields: few(thing({ title: words, value: words }, { short: flag })),
    blocks: few(block),
    message_blocks: few(
      thing({ team: words, channel: words, ts: words, message: thing({ blocks: few(block) }) }),
    ),
    from_url: url,
    is_share: flag,
    is_msg_unfurl: flag,
    files: few(file),
    footer: words,
  },
);
const profile = thing({ real_name: words }, { display_name: words, image_72: url });

const of = (kind: EnvelopeType, payloads: fc.Arbitrary<Fields>): fc.Arbitrary<Generated> =>
  payloads.map((payload) => ({ kind, payload }));

/** `first` is that of the first message: seconds, which nobody else uses. */
export const slackEvents = (fake: FakeSlack, first = 1_790_000_000): fc.Arbitrary<Generated> => {
  const person = fc.constantFrom(fake.alice.id, ...['ann', 'bo'].map((name) => fake.addUser({ name }).id));
  let second = first;
  /** Each is another message. */
  const ts = fc.constant(undefined).map(() => `${(second += 1)}.000100`);
  const thread = fc.constantFrom(`${first}.000001`, `${first}.000002`);
  const place = fc.constantFrom(
    { channel: fake.general.id, channel_type: 'channel' },
    { channel: fake.addChannel({ name: 'secret', kind: 'private' }).id, channel_type: 'group' },
    { channel: fake.addChannel({ name: 'few', kind: 'mpim' }).id, channel_type: 'mpim' },
    { channel: fake.directOf(fake.alice.id).id, channel_type: 'im' },
  );
  const inPlace = (fields: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> =>
    fc
      .tuple(fields, place)
      .map(([each, where]) => ({ ...each, ...where, event_ts: each['ts'] ?? '1.000001' }));
  const message = typed(
    'message',
    { user: person, ts, text: words },
    {
      team: fc.constant(fake.team.id),
      user_team: fc.constantFrom(fake.team.id, 'T0OTHER'),
      client_msg_id: words,
      thread_ts: thread,
      parent_user_id: person,
      blocks: few(block, 3),
      attachments: few(attachment),
      files: few(file),
      user_profile: profile,
      edited: thing({ user: person, ts: fc.constant('1.000001') }),
      reactions: few(thing({ name: words, users: few(person), count: fc.nat(3) })),
      metadata: thing({ event_type: words, event_payload: fc.constant({ a: 1 }) }),
      subscribed: flag,
      is_locked: flag,
    },
  );
  const withSubtype = (subtypes: readonly [string, ...string[]]) =>
    fc.tuple(message, fc.constantFrom(...subtypes)).map(([fields, subtype]) => ({ ...fields, subtype }));
  const written = fc.oneof(
    { weight: 4, arbitrary: message },
    { weight: 1, arbitrary: withSubtype(['file_share', 'me_message', 'thread_broadcast']) },
  );
  const notice = withSubtype([
    'channel_join',
    'channel_topic',
    'pinned_item',
    'reminder_add',
    'bot_add',
    'huddle_thread',
  ]);
  const changed = typed('message', {
    subtype: fc.constant('message_changed'),
    message: written,
    previous_message: written,
    ts,
    hidden: flag,
  });
  const deleted = typed(
    'message',
    { subtype: fc.constant('message_deleted'), deleted_ts: thread, ts, hidden: flag },
    { previous_message: written },
  );
  const channelId = fc.constantFrom(fake.general.id, 'C0ELSEWHERE');
  const others = fc.oneof(
    typed(
      'reaction_added',
      {
        user: person,
        reaction: words,
        item: thing({ type: fc.constant('message'), channel: channelId, ts: thread }),
      },
      { item_user: person },
    ),
    typed('channel_rename', { channel: thing({ id: channelId, name: words, created: fc.nat() }) }),
    typed('user_change', {
      user: thing(
        { id: person, name: words, team_id: words, profile },
        { tz: words, locale: words, is_admin: flag, deleted: flag },
      ),
    }),
    typed(
      'member_joined_channel',
      { user: person, channel: channelId, channel_type: fc.constant('C'), team: words },
      { inviter: person },
    ),
    typed(
      'app_home_opened',
      { user: person, channel: fc.constant('D1'), tab: fc.constantFrom('home', 'messages') },
      { view: thing({ id: words }) },
    ),
    typed('assistant_thread_started', {
      assistant_thread: thing({
        user_id: person,
        channel_id: fc.constant('D1'),
        thread_ts: thread,
        context: fc.constant({}),
      }),
    }),
    typed('team_join', { user: thing({ id: person, name: words }) }),
    typed('file_shared', {
      file_id: words,
      user_id: person,
      file: thing({ id: words }),
      channel_id: channelId,
    }),
    typed('emoji_changed', { subtype: fc.constant('add'), name: words, value: url }),
    typed('channel_archive', { channel: channelId, user: person }),
  );

  const at = fake.addChannel({ name: 'pressed' });
  const who = thing({ id: person, username: words, team_id: fc.constant(fake.team.id) });
  const common: Arbitraries = {
    user: who,
    api_app_id: fc.constant(fake.appId),
    token: words,
    team: fc.constant({ id: fake.team.id, domain: fake.team.domain }),
    enterprise: fc.constant(null),
    trigger_id: fc.nat().map((id) => `${id}.1.2`),
  };
  const response: Arbitraries = { response_url: fc.constant(`${fake.url}/response/none`) };
  const where: Arbitraries = { channel: fc.constant({ id: at.id, name: at.name }) };
  const action = thing(
    {
      type: fc.constant('button'),
      action_id: fc.constantFrom(
        'finclaw_choice_0',
        'finclaw_approve',
        'finclaw_deny',
        'finclaw_rate_up',
        'others',
      ),
      block_id: words,
      action_ts: words,
    },
    { text: plain, value: fc.constantFrom('/price AAPL', '/gone', '') },
  );
  const view = typed(
    'modal',
    {
      id: words,
      callback_id: fc.constantFrom('finclaw_form', 'finclaw_question', 'others'),
      state: thing({ values: fc.constant({ key: { key: { type: 'plain_text_input', value: 'x' } } }) }),
      hash: words,
    },
    {
      private_metadata: words,
      blocks: few(block),
      title: plain,
      app_id: words,
      root_view_id: words,
      bot_id: words,
    },
  );
  const interactions = fc.oneof(
    typed(
      'block_actions',
      {
        ...common,
        ...response,
        ...where,
        actions: fc.array(action, { minLength: 1, maxLength: 2 }),
        container: thing(
          {
            type: fc.constant('message'),
            message_ts: thread,
            channel_id: fc.constant(at.id),
            is_ephemeral: flag,
          },
          { thread_ts: thread },
        ),
        state: fc.constant({ values: {} }),
      },
      { message },
    ),
    typed('message_action', {
      ...common,
      ...response,
      ...where,
      callback_id: fc.constantFrom('finclaw_menu_explain', 'finclaw_menu_prices', 'others'),
      message_ts: thread,
      action_ts: words,
      message,
    }),
    typed('shortcut', { ...common, callback_id: fc.constantFrom('finclaw_ask', 'others'), action_ts: words }),
    typed('view_submission', { ...common, view, response_urls: fc.constant([]) }),
    typed('view_closed', { ...common, view, is_cleared: flag }),
    typed('block_suggestion', {
      ...common,
      ...where,
      action_id: words,
      block_id: words,
      value: words,
      container: thing({ type: words }),
    }),
  );
  const command = thing({
    ...response,
    token: words,
    team_id: fc.constant(fake.team.id),
    team_domain: words,
    channel_id: fc.constantFrom(at.id, 'D0OTHERS'),
    channel_name: words,
    user_id: person,
    user_name: words,
    command: fc.constantFrom('/price', '/portfolio', '/keys', '/gone'),
    text: words,
    api_app_id: fc.constant(fake.appId),
    is_enterprise_install: fc.constant('false'),
    trigger_id: fc.nat().map((id) => `${id}.1.2`),
  });

  const mention = written.map((fields) => ({
    ...fields,
    type: 'app_mention',
    text: `<@${fake.bot.userId}> ?`,
  }));
  return fc.oneof(
    { weight: 6, arbitrary: of('events_api', inPlace(written)) },
    { weight: 1, arbitrary: of('events_api', inPlace(mention)) },
    { weight: 1, arbitrary: of('events_api', inPlace(notice)) },
    { weight: 2, arbitrary: of('events_api', inPlace(fc.oneof(changed, deleted))) },
    { weight: 3, arbitrary: of('events_api', others) },
    { weight: 3, arbitrary: of('interactive', interactions) },
    { weight: 1, arbitrary: of('slash_commands', command) },
  );
};
