import { describe, expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { post, refusalOf, setUpSlack } from './slack/client.ts';
import { entriesOf } from './slack/history.ts';

type Block = { readonly type: string; readonly [field: string]: unknown };

const times = <Item>(count: number, item: Item): readonly Item[] => Array.from({ length: count }, () => item);
const plain = (text: string) => ({ type: 'plain_text', text });
const section = (text: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text } });
const button = (fields: object = {}) => ({ type: 'button', action_id: 'a', text: plain('ok'), ...fields });
const actions = (...elements: readonly object[]): Block => ({ type: 'actions', elements });
const markdown = (length: number): Block => ({ type: 'markdown', text: 'x'.repeat(length) });
const table = (rows: number, cells: number): Block => ({
  type: 'table',
  rows: times(rows, times(cells, { type: 'raw_text', text: 'x' })),
});

describe('blocks', () => {
  it.each<readonly [what: string, error: string | undefined, ...blocks: readonly Block[]]>([
    ['fifty', undefined, ...times(50, { type: 'divider' })],
    ['fifty-one', 'invalid_blocks', ...times(51, { type: 'divider' })],
    ['a section of 3,000', undefined, section('x'.repeat(3_000))],
    ['a section of 3,001', 'invalid_blocks', section('x'.repeat(3_001))],
    ['12,000 of Markdown', undefined, markdown(6_000), markdown(6_000)],
    ['12,001 of Markdown', 'msg_too_long', markdown(6_000), markdown(6_001)],
    ['13,201 characters in all', 'msg_blocks_too_long', markdown(11_000), section('x'.repeat(2_201))],
    ['a header of 151', 'invalid_blocks', { type: 'header', text: plain('x'.repeat(151)) }],
    ['eleven fields', 'invalid_blocks', { type: 'section', fields: times(11, plain('x')) }],
    ['no fields', 'invalid_blocks', { type: 'section', fields: [] }],
    ['an empty cell', 'invalid_blocks', { type: 'table', rows: [[{ type: 'raw_text', text: '' }]] }],
    ['a field of 2,001', 'invalid_blocks', { type: 'section', fields: [plain('x'.repeat(2_001))] }],
    ['26 buttons', 'invalid_blocks', actions(...times(26, button()))],
    ['two buttons of one id', 'invalid_blocks', actions(button(), button())],
    ['a style of its own', 'invalid_blocks', actions(button({ style: 'warning' }))],
    ['a button of 76', 'invalid_blocks', actions(button({ text: plain('x'.repeat(76)) }))],
    ['a value of 2,001', 'invalid_blocks', actions(button({ value: 'x'.repeat(2_001) }))],
    ['an action_id of 256', 'invalid_blocks', actions(button({ action_id: 'x'.repeat(256) }))],
    ['eleven bits of context', 'invalid_blocks', { type: 'context', elements: times(11, plain('x')) }],
    ['a table of 100 by 20', undefined, table(100, 20)],
    ['a table of 101 rows', 'invalid_blocks', table(101, 1)],
    ['a row of 21 cells', 'invalid_blocks', table(1, 21)],
    ['two tables', 'invalid_attachments', table(1, 1), table(1, 1)],
    ['an unknown type', 'invalid_blocks', { type: 'spreadsheet' }],
  ])('%s: %s', async (_what, error, ...blocks) => {
    const { fake, client } = await setUpSlack();
    const posted = post(client, {
      channel: fake.general.id,
      text: 'x',
      blocks: [...blocks],
    });
    expect(await refusalOf(posted)).toBe(error);
    expect(fake.botMessagesIn(fake.general.id)).toHaveLength(error === undefined ? 1 : 0);
  });

  it('are what people read, and a wall of buttons is an offence', async () => {
    const { fake, client } = await setUpSlack();
    await post(client, {
      channel: fake.general.id,
      text: 'fallback',
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Title' } },
        section('see <https://a.example|this> &amp; <@U0BOTUSER1>'),
        table(1, 2),
        actions(...times(6, button()).map((each, index) => ({ ...each, action_id: `a${index}` }))),
      ],
    });
    expect(fake.botMessagesIn(fake.general.id)[0]?.rendered).toBe(
      'Title\nsee this & @finclaw\nx | x\n[ok] [ok] [ok] [ok] [ok] [ok]',
    );
    expect(entriesOf(fake.history, 'offence')).toMatchObject([{ rule: 'too-many-buttons' }]);
  });
});

it('cuts a text above 4,000 characters and holds it against the bot; above 40,000 it refuses', async () => {
  const { fake, client } = await setUpSlack();
  const send = (length: number) => post(client, { channel: fake.general.id, text: 'x'.repeat(length) });
  const { ts = '' } = await send(4_001);

  expect(fake.botMessagesIn(fake.general.id)[0]?.rendered).toHaveLength(4_000);
  expect(entriesOf(fake.history, 'offence')).toMatchObject([{ rule: 'text-truncated' }]);
  expect(await refusalOf(send(40_001))).toBe('msg_too_long');
  const edit = { channel: fake.general.id, ts, text: 'x'.repeat(4_001) };
  expect(await refusalOf(client.chat.update(edit))).toBe('msg_too_long');
});

it('refuses messages without content or to places where the bot cannot write', async () => {
  const { fake, client } = await setUpSlack();
  const bob = fake.addUser({ name: 'bob', isDeleted: true });
  const places = {
    elsewhere: fake.addChannel({ members: [fake.alice.id] }).id,
    hidden: fake.addChannel({ kind: 'private', members: [fake.alice.id] }).id,
    old: fake.addChannel({ isArchived: true }).id,
    nowhere: 'C0NOWHERE0',
    gone: bob.id,
  };
  const refusals = await Promise.all(
    Object.values(places).map((channel) => refusalOf(post(client, { channel, text: 'x' }))),
  );

  expect(refusals).toEqual([
    'not_in_channel',
    'channel_not_found',
    'is_archived',
    'channel_not_found',
    'user_disabled',
  ]);
  expect(await refusalOf(post(client, { channel: fake.general.id, text: '' }))).toBe('no_text');
  const { channel } = await post(client, { channel: fake.alice.id, text: 'x' });
  expect(channel).toBe(fake.directOf(fake.alice.id).id);
});

it('lets the bot change and delete its own messages only', async () => {
  const { fake, client } = await setUpSlack();
  const channel = fake.general.id;
  const { ts: theirs } = fake.say(channel, fake.alice.id, 'mine');
  const { ts = '' } = await post(client, { channel, text: 'one' });
  await client.chat.update({ channel, ts, text: 'two' });

  expect(fake.messageAt({ channel, ts })).toMatchObject({ rendered: 'two', isEdited: true });
  expect(await refusalOf(client.chat.update({ channel, ts: theirs, text: 'x' }))).toBe('cant_update_message');
  expect(await refusalOf(client.chat.delete({ channel, ts: theirs }))).toBe('cant_delete_message');
  await client.chat.delete({ channel, ts });
  expect(fake.botMessagesIn(channel)).toEqual([]);
  expect(await refusalOf(client.chat.update({ channel, ts, text: 'x' }))).toBe('message_not_found');
});

it('shows an ephemeral message to one person and gives it away to no API', async () => {
  const { fake, client } = await setUpSlack();
  const [channel, user] = [fake.general.id, fake.alice.id];
  await client.chat.postEphemeral({ channel, user, text: 'psst' });
  const stranger = fake.addUser().id;

  expect(fake.botMessagesIn(channel)).toMatchObject([{ rendered: 'psst', ephemeralFor: user }]);
  expect((await client.conversations.history({ channel })).messages).toEqual([]);
  const toStranger = client.chat.postEphemeral({ channel, user: stranger, text: 'psst' });
  expect(await refusalOf(toStranger)).toBe('user_not_in_channel');
});

it.each<readonly [text: string, fields: object, pinged: readonly string[]]>([
  ['<!channel> &lt;!here&gt;', {}, ['@channel']],
  ['<!here|here> <!subteam^S0TEAM> <!everyone>', {}, ['@here', '@S0TEAM', '@everyone']],
  ['@channel', {}, []],
  ['@channel', { link_names: true }, ['@channel']],
  ['x', { blocks: [section('<!everyone>')] }, ['@everyone']],
  ['x', { blocks: [{ type: 'header', text: plain('<!everyone>') }] }, []],
])('knows whom %s with %o calls', async (text, fields, pinged) => {
  const { fake, client } = await setUpSlack();
  await post(client, { channel: fake.general.id, text, ...fields });
  expect(fake.botMessagesIn(fake.general.id).map(fake.pinged)).toEqual([pinged]);
  expect(entriesOf(fake.history, 'offence')).toHaveLength(pinged.length > 0 ? 1 : 0);
});

describe('streams', () => {
  it('grow in a thread until they are stopped, and need a recipient in a channel', async () => {
    const { fake, client } = await setUpSlack();
    const channel = fake.general.id;
    const { ts: thread_ts } = fake.say(channel, fake.alice.id, 'hi');
    const recipient = { recipient_user_id: fake.alice.id, recipient_team_id: fake.team.id };
    await client.assistant.threads.setStatus({ channel_id: channel, thread_ts, status: 'is thinking…' });
    expect(fake.statusOf(channel, thread_ts)).toBe('is thinking…');

    expect(await refusalOf(client.chat.startStream({ channel, thread_ts }))).toBe(
      'missing_recipient_user_id',
    );
    const noThread = client.apiCall('chat.startStream', { channel, ...recipient });
    expect(await refusalOf(noThread)).toBe('invalid_arguments');

    const stream = client.chatStream({ channel, thread_ts, ...recipient, buffer_size: 1 });
    await stream.append({ markdown_text: '**a' });
    expect(fake.statusOf(channel, thread_ts)).toBe('');
    await stream.append({ markdown_text: 'b**' });
    expect(fake.botMessagesIn(channel)).toMatchObject([{ rendered: '**ab**', streaming: 'streaming' }]);
    await stream.stop({ metadata: { event_type: 'part', event_payload: { id: '1' } } });
    expect(fake.botMessagesIn(channel)).toMatchObject([
      { streaming: 'stopped', threadTs: thread_ts, metadata: { event_payload: { id: '1' } } },
    ]);
    const ts = stream.ts ?? '';
    const late = client.chat.appendStream({ channel, ts, markdown_text: 'c' });
    expect(await refusalOf(late)).toBe('message_not_in_streaming_state');
  });

  it('refuse what is too long, an edit meanwhile, and what comes after a long silence', async () => {
    const clock = new ManualClock();
    const { fake, client } = await setUpSlack({ clock });
    const channel = fake.directOf(fake.alice.id).id;
    const { ts: thread_ts } = fake.sayDirect(fake.alice.id, 'hi');
    const { ts = '' } = await client.chat.startStream({ channel, thread_ts });
    const append = (length: number) =>
      refusalOf(client.chat.appendStream({ channel, ts, markdown_text: 'x'.repeat(length) }));

    expect(await append(12_001)).toBe('msg_too_long');
    expect(await refusalOf(client.chat.update({ channel, ts, text: 'x' }))).toBe('streaming_state_conflict');
    expect(await append(12_000)).toBeUndefined();
    await clock.advance(300_001);
    expect(await append(1)).toBe('message_not_in_streaming_state');
  });
});

it('adds a reaction once, takes it away once, and knows names only', async () => {
  const { fake, client } = await setUpSlack();
  const { channel, ts: timestamp } = fake.say(fake.general.id, fake.alice.id, 'hi');
  const add = (name: string) => refusalOf(client.reactions.add({ channel, timestamp, name }));
  const remove = () => refusalOf(client.reactions.remove({ channel, timestamp, name: 'eyes' }));

  expect([await add('eyes'), await add('eyes'), await add(':eyes:')]).toEqual([
    undefined,
    'already_reacted',
    'invalid_name',
  ]);
  expect(fake.messageAt({ channel, ts: timestamp })?.reactions).toEqual([
    { name: 'eyes', users: [fake.bot.userId] },
  ]);
  expect([await remove(), await remove()]).toEqual([undefined, 'no_reaction']);
});

const text = { type: 'mrkdwn', text: 'x' };
const inBlock = (block: object): object => ({ text: 'x', blocks: [block] });

it.each([
  ['ephemeral', { text: 'x', ephemeral: true }],
  ['blocks.0.title', inBlock({ type: 'section', text, title: 'x' })],
  ['blocks.0.text.bold', inBlock({ type: 'section', text: { ...text, bold: true } })],
  [
    'blocks.0.elements.0.disabled',
    inBlock({
      type: 'actions',
      elements: [{ type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'x' }, disabled: true }],
    }),
  ],
  ['metadata.id', { text: 'x', metadata: { event_type: 'x', event_payload: {}, id: 1 } }],
])('refuses a field that Slack does not document: %s', async (path, message) => {
  const { fake, client } = await setUpSlack();
  const call = client.apiCall('chat.postMessage', { channel: fake.general.id, ...message });
  await expect(call).rejects.toMatchObject({
    data: { error: 'invalid_arguments', errors: [`additional property: ${path}`] },
  });
});
