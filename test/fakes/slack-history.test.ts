import { expect, it } from 'vitest';
import { post, refusalOf, setUpSlack } from './slack/client.ts';
import { entriesOf } from './slack/history.ts';

const METADATA = { event_type: 'delivery', event_payload: { id: 'd1' } };

it('pages through a channel, newest first, without replies, with metadata only where it is asked for', async () => {
  const { fake, client } = await setUpSlack();
  const channel = fake.general.id;
  const [one, , three] = ['one', 'two', 'three'].map((text) => fake.say(channel, fake.alice.id, text));
  const thread_ts = one?.ts ?? '';
  await post(client, { channel, thread_ts, text: 'reply', metadata: METADATA });
  await post(client, { channel, thread_ts, text: 'broadcast', reply_broadcast: true });
  const texts = async (options: object) =>
    (await client.conversations.history({ channel, ...options })).messages?.map(({ text }) => text);

  expect(await texts({})).toEqual(['broadcast', 'three', 'two', 'one']);
  expect(await texts({ oldest: thread_ts, latest: three?.ts })).toEqual(['two']);
  expect(await texts({ oldest: thread_ts, latest: three?.ts, inclusive: true })).toEqual([
    'three',
    'two',
    'one',
  ]);
  const pages: (string | undefined)[] = [];
  for await (const page of client.paginate('conversations.history', { channel, limit: 3 })) {
    pages.push((page as unknown as { messages: { text: string }[] }).messages.map(({ text }) => text).join());
  }
  expect(pages).toEqual(['broadcast,three,two', 'one']);

  const replies = async (options: object) =>
    (await client.conversations.replies({ channel, ts: thread_ts, ...options })).messages?.map(
      ({ text, metadata }) => [text, metadata],
    );
  expect(await replies({})).toEqual([
    ['one', undefined],
    ['reply', undefined],
    ['broadcast', undefined],
  ]);
  expect((await replies({ include_all_metadata: true }))?.[1]).toEqual(['reply', METADATA]);
  expect(await refusalOf(client.conversations.replies({ channel, ts: '1.000001' }))).toBe('thread_not_found');
});

it('knows people, with their language where it is asked for, and places', async () => {
  const { fake, client } = await setUpSlack();
  const jiwoo = fake.addUser({ name: 'jiwoo', locale: 'ko-KR', isAdmin: true });
  const kept = fake.addUser({ teamId: 'T0OTHER001', isStranger: true });
  const infoOf = async (user: string, options: object = {}) =>
    (await client.users.info({ user, ...options })).user as Record<string, unknown>;

  expect(await infoOf(jiwoo.id)).toMatchObject({ is_admin: true, tz: 'Asia/Seoul', deleted: false });
  expect((await infoOf(jiwoo.id))['locale']).toBeUndefined();
  expect((await infoOf(jiwoo.id, { include_locale: true }))['locale']).toBe('ko-KR');
  expect(await infoOf(kept.id)).toMatchObject({ is_stranger: true, team_id: 'T0OTHER001' });
  fake.changeUser(jiwoo.id, { isDeleted: true });
  expect(await infoOf(jiwoo.id)).toMatchObject({ deleted: true });

  const { channel } = await client.conversations.open({ users: kept.id });
  const opened = await client.conversations.info({ channel: channel?.id ?? '' });
  expect(opened.channel).toMatchObject({ is_im: true, user: kept.id });
  expect((await client.conversations.members({ channel: fake.general.id })).members).toContain(fake.alice.id);
  expect((await client.team.info()).team).toMatchObject({ id: fake.team.id });
});

it('takes a file in three steps and shows it in the thread, with the text for those who cannot see it', async () => {
  const { fake, client } = await setUpSlack();
  const { channel, ts } = fake.say(fake.general.id, fake.alice.id, 'chart?');
  const png = Buffer.from('not really a picture');
  const send = async (alt: object, filename = 'chart.png') => {
    const { upload_url: url = '', file_id: id = '' } = (await client.apiCall('files.getUploadURLExternal', {
      filename,
      length: png.byteLength,
      ...alt,
    })) as { upload_url?: string; file_id?: string };
    expect((await fetch(url, { method: 'POST', body: png.subarray(1) })).status).toBe(404);
    expect((await fetch(url, { method: 'POST', body: png })).status).toBe(200);
    await client.files.completeUploadExternal({
      files: [{ id, title: 'AAPL' }],
      channel_id: channel,
      thread_ts: ts,
      initial_comment: 'here',
    });
  };
  await send({ alt_txt: 'rising' });
  expect(fake.messagesIn(channel, ts).at(-1)).toMatchObject({
    rendered: 'here',
    threadTs: ts,
    files: [{ title: 'AAPL', altText: 'rising', mimetype: 'image/png' }],
  });

  await send({ alt_text: 'the name that the SDK has for it' });
  expect(fake.messagesIn(channel, ts).at(-1)?.files[0]?.altText).toBeUndefined();
  await send({ alt_txt: 'no picture' }, 'prices.csv');
  expect(entriesOf(fake.history, 'offence').map(({ rule }) => rule)).toEqual([
    'alt-text-ignored',
    'alt-text-on-non-image',
  ]);
  expect(fake.botMessagesIn(channel)).toHaveLength(2);
});

it('takes what the client uploads by itself', async () => {
  const { fake, client } = await setUpSlack();
  await client.filesUploadV2({ channel_id: fake.general.id, filename: 'a.txt', file: Buffer.from('hello') });
  const [message] = fake.botMessagesIn(fake.general.id);
  expect(Buffer.from(message?.files[0]?.content ?? []).toString()).toBe('hello');
});

it('gives a file of a person to the bot, and a page to sign in to everybody else', async () => {
  const { fake, client } = await setUpSlack();
  const files = [{ name: 'a.csv', mimetype: 'text/csv', content: 'a,b' }];
  const { channel, ts } = fake.say(fake.general.id, fake.alice.id, '', { files });
  const { messages = [] } = await client.conversations.history({
    channel,
    latest: ts,
    inclusive: true,
    limit: 1,
  });
  const url = messages[0]?.files?.[0]?.url_private_download ?? '';
  const read = async (headers: Record<string, string>) => {
    const response = await fetch(url, { headers });
    return [response.status, response.headers.get('content-type'), await response.text()];
  };

  expect(await read({ authorization: `Bearer ${fake.botToken}` })).toEqual([200, 'text/csv', 'a,b']);
  expect(await read({})).toEqual([
    200,
    expect.stringContaining('text/html'),
    expect.stringContaining('Sign in'),
  ]);
  fake.setScopes(['chat:write']);
  expect((await read({ authorization: `Bearer ${fake.botToken}` }))[1]).toContain('text/html');
});
