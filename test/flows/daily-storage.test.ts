import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { ROW_BYTES } from '#src/chat/store/stored-bytes.ts';
import { startAppOn } from '#test/support/app.ts';
import { TestChannel } from '#test/support/channel.ts';
import { temporaryDir } from '#test/support/database.ts';
import { inboundMessage } from '#test/support/messages.ts';

const REFUSED = gateTexts('en').storedEnough();
/** Columns that tell messages apart. */
const OWN_IDS = new Set(['id', 'event_id', 'message_id']);
/** `/portfolio import` keeps no rows, and is counted by what was sent. */
const ROWS = `/portfolio import\n${'secret row '.repeat(890)}`;

const start = async (dataDir: string) => {
  const { app, channel } = await startAppOn(new TestChannel(), {
    dataDir,
    env: { FINCLAW_RATE_LIMIT: '0', FINCLAW_LOCALE: 'en' },
  });
  const ask = async (who: string, body: string): Promise<string> => {
    const before = channel.sent.length;
    const receipt = await channel.receive(
      inboundMessage({
        channelId: asId<ChannelId>('test'),
        chatId: asId<ChatId>(who),
        senderId: asId<UserId>(who),
        body,
      }),
    );
    if (receipt.outcome === 'accepted') await receipt.settled;
    return channel.texts.slice(before).join('\n');
  };
  return { app, ask };
};

const read = (database: DatabaseSync, query: string): number =>
  Number(Object.values(database.prepare(query).get() ?? {})[0]);

const open = (dataDir: string): DatabaseSync => new DatabaseSync(join(dataDir, 'finclaw.sqlite'));

/** What a stopped program has on disk, and how much of it is words and charts. */
const diskOf = (dataDir: string) => {
  using database = open(dataDir);
  const charts = readdirSync(dataDir).includes('charts') ? readdirSync(join(dataDir, 'charts')) : [];
  const files = charts.reduce((sum, name) => sum + statSync(join(dataDir, 'charts', name)).size, 0);
  const wordsIn = (column: string, table: string): number =>
    read(database, `select coalesce(sum(octet_length(${column})), 0) from ${table}`);
  return {
    words: wordsIn('payload', 'outbox') + wordsIn('message', 'transcript_entries') + files,
    all: 4_096 * read(database, 'pragma page_count') + files,
    longestQuestion: read(database, 'select max(length(message)) from inbox'),
  };
};

it('a day of any questions at the limit stores less than 30 MB, with conversations, charts and indexes', async () => {
  const MESSAGES = 8;
  const QUESTIONS = ['hi', 'AAPL price', 'compare AAPL MSFT TSLA NVDA over a year', '/chart AAPL 1y', ROWS];
  const dataDir = temporaryDir();
  const askAll = async (who: string, questions: readonly string[]) => {
    const { app, ask } = await start(dataDir);
    for (const question of questions) await ask(who, question);
    await app.stop();
    return diskOf(dataDir);
  };
  // What is stored once, and not with each message.
  let before = await askAll('ann', QUESTIONS);
  for (const [index, question] of QUESTIONS.entries()) {
    const after = await askAll(`p${index}`, Array<string>(MESSAGES).fill(question));
    expect(after.longestQuestion).toBeLessThan(2_000);
    // As it is counted: rows without words, what was sent, and what was answered.
    const counted = MESSAGES * (2_500 + Buffer.byteLength(question)) + after.words - before.words;
    const isLittle = (20 * (after.all - before.all)) / counted < 30;
    expect(`${question.slice(0, 20)}: ${isLittle}`).toBe(`${question.slice(0, 20)}: true`);
    before = after;
  }
});

it('a person who has stored enough is told so, also after a restart', async () => {
  const dataDir = temporaryDir();
  const long = '삼'.repeat(19_000);
  const first = await start(dataDir);
  await first.ask('ann', long);
  await first.app.stop();
  {
    // As if they had sent it until little was left of the day.
    using database = open(dataDir);
    const columns = database.prepare("select name from pragma_table_info('inbox')").all();
    const names = columns.map(({ name }) => String(name));
    const copied = names.map((name) => (OWN_IDS.has(name) ? `${name} || '-' || value` : name));
    const bytes = read(database, 'select octet_length(message) from inbox') + ROW_BYTES;
    const times = Math.floor(19_600_000 / bytes);
    database.exec(
      `insert into inbox
       with recursive copies(value) as (select 1 union all select value + 1 from copies where value < ${times})
       select ${copied.join()} from inbox, copies`,
    );
  }
  const second = await start(dataDir);
  let sent = 0;
  while (sent < 5 && !(await second.ask('ann', long)).includes(REFUSED)) sent += 1;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(5);
  await second.app.stop();
  const { ask } = await start(dataDir);
  expect(await ask('ann', 'hello')).toContain(REFUSED);
  expect(await ask('ann', '/stop')).not.toContain(REFUSED);
  expect(await ask('bob', 'hello')).not.toContain(REFUSED);
});
