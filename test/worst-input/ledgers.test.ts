import { cp } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import { asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { Decimal } from '#src/kernel/money.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { newId } from '#src/platform/ids.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import { ownOwnerId } from '#src/people/store/owners.ts';
import { createAccountStores } from '#src/features/open/account-stores.ts';
import { copyDatabaseTo, openStorage, temporaryDir } from '#test/support/database.ts';
import { deciding } from '#test/support/decide.ts';
import { type Blocks, createBlocks } from './longest-block.ts';
import { MAX_MESSAGE_CHARS, startOfflineApp } from './offline-app.ts';

/** `portfolio.maxEntries`. */
const MAX_ENTRIES = 10_000;
const IMPORTED = 4_900;
const LONG_MESSAGES = 200;

const CHANNEL = asId<ChannelId>('test');

const share = (symbol: string): Instrument => ({
  symbol,
  ticker: symbol,
  name: { ko: symbol, en: symbol },
  exchange: 'NASDAQ',
  assetClass: 'equity',
  currency: 'USD',
  priceDecimals: 2,
});
const APPLE = share('AAPL');
const SHARES = [APPLE, share('MSFT'), share('NVDA'), share('TSLA')];

const FIRST_DAY = Temporal.PlainDate.from('2023-01-02');
const DAYS = Array.from({ length: 1_000 }, (_, index) => FIRST_DAY.add({ days: index }));

const entryAt = (index: number): NewTransaction => {
  const shared = {
    clientId: `filled:${index}`,
    date: DAYS[(index * 7) % DAYS.length] ?? FIRST_DAY,
    currency: 'USD',
    rate: new Decimal(1300 + (index % 90)),
  };
  if (index % 10 === 0) return { ...shared, kind: 'deposit', amount: new Decimal(1_000_000 + index) };
  return {
    ...shared,
    kind: 'buy',
    instrument: SHARES[index % SHARES.length] ?? APPLE,
    quantity: new Decimal(1 + (index % 50)).plus('0.125'),
    price: new Decimal(100 + (index % 977)).plus('0.37'),
    fee: new Decimal('0.99'),
    tax: new Decimal(0),
    note: '장기 보유 '.repeat(5),
  };
};

/** Somebody with so many entries in their ledger. */
const fillLedger = async (storage: Storage, userId: UserId, count: number): Promise<void> => {
  const { portfolios } = createAccountStores(storage, systemClock);
  const person = { channelId: CHANNEL, userId };
  const { portfolio } = await portfolios.openFirst(person, { name: 'main', baseCurrency: 'KRW' });
  const append = Array.from({ length: count }, (_, index) => entryAt(index));
  await portfolios.record(
    ownOwnerId(person),
    portfolio.id,
    [],
    deciding(() => ({ append })),
  );
};

/** Somebody who sent so many messages, each as long as one may be. */
const fillInbox = async (storage: Storage, userId: UserId): Promise<void> => {
  const message = JSON.stringify({ body: '가"'.repeat(MAX_MESSAGE_CHARS / 2), chatType: 'direct' });
  await storage.write(async (tx) => {
    for (let count = 0; count < LONG_MESSAGES; count += 1) {
      const id = newId();
      await tx
        .insertInto('inbox')
        .values({
          id,
          channel_id: CHANNEL,
          account_id: 'test',
          chat_id: userId,
          event_id: id,
          session_key: `agent:main:test:test:direct:${userId}`,
          agent_id: 'main',
          matched_by: 'default',
          sender_id: userId,
          message,
          status: 'done',
          attempts: 1,
          accepted_at: '2026-11-13T06:30:00.000Z',
          message_id: id,
        })
        .execute();
    }
  });
};

const csvOf = (trades: number): Uint8Array =>
  new TextEncoder().encode(
    [
      'Date,Action,Symbol,Quantity,Price,Fees,Amount',
      ...Array.from(
        { length: trades },
        (_, index) =>
          `${DAYS[index % DAYS.length]?.toString() ?? ''},Buy,AAPL,${index + 1},180.5,0,${(index + 1) * 180}`,
      ),
    ].join('\n'),
  );

const [investor, writer] = [asId<UserId>('investor'), asId<UserId>('writer')];

const fill = async (dataDir: string): Promise<void> => {
  await copyDatabaseTo(dataDir);
  const storage = await openStorage({ dataDir });
  await fillLedger(storage, investor, MAX_ENTRIES - IMPORTED - 2);
  await fillInbox(storage, writer);
  await storage.close();
};

/** What both of them do with it, step by step. */
const use = async (dataDir: string, blocks: Blocks): Promise<void> => {
  const app = await startOfflineApp(dataDir);
  const fileOf = (trades: number): MediaAttachment => {
    const name = `trades-${trades}.csv`;
    const csv = csvOf(trades);
    app.files[name] = csv;
    return { kind: 'file', mimeType: 'text/csv', name, url: name, sizeBytes: csv.length };
  };
  const ask = (senderId: UserId, body: string, media: readonly MediaAttachment[] = []): Promise<string> =>
    app.ask(body, { senderId, chatId: asId<ChatId>(senderId), media });
  const importInto = async (person: UserId, trades: number): Promise<string> => {
    const preview = await ask(person, '/portfolio import', [fileOf(trades)]);
    const [confirm = ''] = /\/portfolio import confirm \S+ all/.exec(preview) ?? [];
    return ask(person, confirm);
  };
  // Loading the code is not what is measured.
  expect(await importInto(asId<UserId>('newcomer'), 20)).toContain('20');
  await blocks.once('import and confirm', async () => {
    expect(await importInto(investor, IMPORTED)).toContain('4,900');
  });
  await blocks.once('record', async () => {
    expect(await ask(investor, '/portfolio sell AAPL 1 10 2025-01-02 --yes')).toContain('#9999');
  });
  expect(await ask(investor, '/portfolio deposit 5 USD')).toContain('#10000');
  expect(await ask(investor, '/portfolio deposit 6 USD')).toContain('`/portfolio delete name`');
  for (const words of [
    '/portfolio undo',
    '/portfolio',
    '/portfolio analyze',
    '/portfolio short off',
    '/portfolio export',
    'hello again',
  ])
    await blocks.of(words, () => ask(investor, words));
  // A second export within a minute is refused.
  for (const person of [investor, writer])
    await blocks.once(`/privacy export of ${person}`, async () => {
      expect(await ask(person, '/privacy export')).toContain('finclaw-data-');
    });
};

it(
  'the largest ledger that is taken, and many long messages, stall the bot nowhere',
  { timeout: 120_000 },
  async () => {
    const filled = temporaryDir();
    await fill(filled);
    const blocks = createBlocks('ledger');
    await blocks.steps(async () => {
      const dataDir = temporaryDir();
      await cp(filled, dataDir, { recursive: true });
      await use(dataDir, blocks);
    });
    blocks.expectNone();
  },
);
