import * as fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Instrument, SymbolSearch } from '#src/kernel/market/finance.ts';
import { asId, type ChannelId, type PortfolioId, type TransactionId, type UserId } from '#src/kernel/ids.ts';
import type { NewTransaction, Transaction } from '#src/kernel/market/ledger.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { type Requester, requesterOfMessage } from '#src/kernel/people/requester.ts';
import type { CorporateActionFacts } from '#src/features/portfolio/corporate-actions/corporate-actions.ts';
import type { Market } from '#src/markets/sources/source.ts';
import { confirmImportAnswer } from '#src/features/portfolio/import/confirm.ts';
import { readEntries } from '#src/features/portfolio/import/build/read-entries.ts';
import { exportAnswer, ledgerCsv } from '#src/features/portfolio/import/export.ts';
import { readDelimited } from '#src/features/portfolio/import/files/read-delimited.ts';
import { previewAnswer } from '#src/features/portfolio/import/preview.ts';
import { recordAnswer } from '#src/features/portfolio/record/record.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { createExportWriter } from '#src/platform/storage/export-file.ts';
import { createOwnerStore } from '#src/people/store/owners.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { createPortfolioStore } from '#src/features/portfolio/store/store.ts';
import { deciding } from '#test/support/decide.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { symbols } from '#test/support/sample-market.ts';
import { anyLedger } from '../ledger/ledger-arbitrary.ts';
import { APPLE, SAMSUNG, stateOf, TOYOTA } from '../ledger/ledger-entries.ts';

const NEVER = new AbortController().signal;
const sampleBytes = (name: string): Uint8Array => readFileSync(new URL(`samples/${name}`, import.meta.url));

const requester = (overrides: Partial<Requester> = {}): Requester => ({
  ...requesterOfMessage(msgContext({ locale: 'ko' })),
  ...overrides,
});
const MINA = requester();
const OTHER = requester({ userId: asId<UserId>('somebody') });

const attachment = (name: string, sizeBytes?: number): MediaAttachment => ({
  kind: 'file',
  mimeType: 'text/csv',
  name,
  url: `https://files.example/${name}`,
  ...(sizeBytes !== undefined && { sizeBytes }),
});

const down = async () => ({ status: 'unavailable', reason: 'down' }) as const;
const noHistory: Pick<Market, 'getHistory' | 'getDays' | 'getQuotes'> = {
  getHistory: down,
  getDays: down,
  getQuotes: async () => [],
};
const corporateActions: CorporateActionFacts = {
  since: down,
  during: down,
  lookAgain: down,
  known: async () => undefined,
  learn: async () => undefined,
  stop: () => undefined,
};

const open = async (bytes: Uint8Array = new Uint8Array(), maxEntries?: number) => {
  const clock = new ManualClock();
  const { storage } = await sqliteStorage();
  const fetched: string[] = [];
  const shared = {
    owners: createOwnerStore(storage, clock),
    store: createPortfolioStore(storage, clock, maxEntries),
    writeExport: createExportWriter(createSentFiles({ dataDir: temporaryDir(), clock })),
    clock,
  };
  const preview = previewAnswer({
    ...shared,
    symbols,
    market: noHistory,
    corporateActions,
    readPicture: async () => ({ status: 'no-model' }),
    readMedia: async (_channel, { name }) => {
      fetched.push(name);
      return bytes;
    },
    logger: recordingLogger().logger,
  });
  const confirm = confirmImportAnswer({ ...shared, market: noHistory, corporateActions, symbols });
  const ledger = async (who = MINA): Promise<readonly Transaction[]> => {
    const ownerId = await shared.owners.ownerOf(who);
    const [portfolio] = await shared.store.list(ownerId);
    return portfolio ? shared.store.transactions(ownerId, portfolio.id) : [];
  };
  /** Reverses an entry. */
  const undo = async (number: number): Promise<void> => {
    const ownerId = await shared.owners.ownerOf(MINA);
    const [portfolio] = await shared.store.list(ownerId);
    const entry = (await ledger()).find((each) => each.number === number);
    if (!portfolio || !entry) throw new Error('nothing to undo');
    const decision = { reverse: [entry.id], clientId: `undo-${entry.id}` };
    await shared.store.record(
      ownerId,
      portfolio.id,
      [decision.clientId],
      deciding(() => decision),
    );
  };
  return {
    ...shared,
    fetched,
    confirm,
    ledger,
    undo,
    export: exportAnswer({ ...shared, market: noHistory, corporateActions, symbols }),
    file: (who = MINA) => preview({ text: '', files: [attachment('a.csv')] }, who, NEVER),
    paste: (text: string, who = MINA) => preview({ text, files: [] }, who, NEVER),
    preview,
  };
};

/** The arguments of the first button, parsed as the command does it. */
const pressed = (answer: { readonly choices?: readonly { readonly command: string }[] }) => {
  const [, code = '', which = ''] =
    /^\/portfolio import confirm (\S+) (\S+)$/.exec(answer.choices?.[0]?.command ?? '') ?? [];
  return { code, which: which as 'all' | 'valid' | 'none' };
};

const asRecorded = (entry: NewTransaction, index: number, isReversed = false): Transaction => ({
  ...entry,
  id: asId<TransactionId>(String(index)),
  portfolioId: asId<PortfolioId>('p'),
  number: index + 1,
  recordedAt: Temporal.Instant.from('2026-11-13T00:00:00Z'),
  isReversed,
});

describe('an import', () => {
  it('is previewed first, and recorded once when its requester confirms', async () => {
    const service = await open(sampleBytes('nh-cp949.csv'));
    const shown = await service.file();
    expect(shown).toMatchObject({ found: 1, choices: [{ label: '4건 모두 기록' }, { label: '취소' }] });
    expect(shown.content).toMatch(
      /기본.*KRW[\s\S]*4건\*\* \(매수 2, 매도 1, 배당 1\)[\s\S]*2026-03-02 ~ 2026-06-06/,
    );
    expect(shown.content).toMatch(/- 2번째 줄: 매수: 삼성전자 \(005930\) 10주? × ₩70,500/);
    expect(await service.ledger()).toHaveLength(0);
    const yes = pressed(shown);
    expect(yes.which).toBe('all');
    expect(await service.confirm(yes, OTHER, NEVER)).toMatchObject({ found: 0 });

    const again = await service.file();
    expect(await service.confirm(yes, MINA, NEVER)).toMatchObject({ found: 1, facts: [{ value: '4' }] });
    expect((await service.ledger()).map(({ kind, number }) => [kind, number])).toEqual([
      ['buy', 1],
      ['buy', 2],
      ['sell', 3],
      ['dividend', 4],
    ]);
    expect((await service.confirm(yes, MINA, NEVER)).content).toContain('1~4번으로 기록된 가져오기예요');
    expect((await service.confirm(pressed(again), MINA, NEVER)).content).toMatch(/이미 기록/);
    const third = await service.file();
    expect([third.choices, third.found, /4건/.test(third.content)]).toEqual([undefined, 1, true]);
    expect(await service.ledger()).toHaveLength(4);
  });

  it('is refused as a whole if it would exceed the limit of entries', async () => {
    const service = await open(undefined, 3);
    const paste = async (...days: readonly number[]) =>
      pressed(
        await service.paste(
          ['date,kind,symbol,quantity,price', ...days.map((day) => `2026-03-0${day},buy,AAPL,1,100`)].join(
            '\n',
          ),
        ),
      );
    await service.confirm(await paste(1, 2), MINA, NEVER);
    const yes = await paste(3, 4);
    const refused = await service.confirm(yes, MINA, NEVER);
    expect(refused).toMatchObject({ found: 0 });
    expect(refused.content).toMatch(/ 3건까지.*`\/portfolio 삭제 이름`/);
    expect(await service.ledger()).toHaveLength(2);
    expect(await service.confirm(await paste(3), MINA, NEVER)).toMatchObject({ found: 1 });
  });

  it('records reversed entries again, and no others', async () => {
    const service = await open();
    const lines = 'date,kind,symbol,quantity,price\n2026-03-02,buy,AAPL,1,100\n2026-03-02,buy,AAPL,1,100';
    await service.confirm(pressed(await service.paste(lines)), MINA, NEVER);
    await service.undo(2);
    const shown = await service.paste(`\`\`\`csv\n${lines}\n\`\`\``);
    expect(shown.choices?.[0]?.label).toMatch(/^1건/);
    await service.confirm(pressed(shown), MINA, NEVER);
    expect((await service.ledger()).map(({ isReversed }) => isReversed)).toEqual([false, true, false]);
  });

  it('records only the fitting lines on request', async () => {
    const service = await open();
    const lines = [
      'date,kind,symbol,quantity,price',
      '2026-03-02,buy,AAPL,5,100',
      '2026-03-03,sell,AAPL,4,110',
      '2026-03-04,sell,AAPL,4,120',
      '2026-03-05,sell,AAPL,1,130',
      '2026-03-06,gift,AAPL,1,130',
    ];
    const shown = await service.paste(lines.join('\n'), requester({ locale: 'en' }));
    expect(shown.choices?.map(({ label }) => label)).toEqual(['Record the valid ones (3)', 'Cancel']);
    expect(shown.content).toMatch(/cannot be recorded: 2\*\*\n- Line 4: .*Apple.*\n- Line 6: “gift”/);
    expect(shown.content).toMatch(/the quantity of Apple.* will be wrong/);
    expect(shown.content).not.toMatch(/Line 4: Sold/);
    const { code } = pressed(shown);
    expect((await service.confirm({ code, which: 'all' }, MINA, NEVER)).found).toBe(0);
    expect(await service.ledger()).toHaveLength(0);
    const done = await service.confirm({ code, which: 'valid' }, requester({ locale: 'en' }), NEVER);
    expect(done.content).toContain('2 lines left out');
    expect((await service.ledger()).map(({ date }) => date.day)).toEqual([2, 3, 5]);
  });

  it('says in the preview and after it whether the cash matches the file', async () => {
    const service = await open(sampleBytes('shinhan.csv'));
    const shown = await service.file();
    expect(shown.content).toContain('(5개 줄, 마지막 ₩749,329)');
    expect((await service.confirm(pressed(shown), MINA, NEVER)).content).toContain(
      '파일의 잔고와 모두 맞아요',
    );
  });

  it('records nothing if a change of the ledger since the preview makes a line impossible', async () => {
    const service = await open();
    await service.confirm(
      pressed(await service.paste('date,kind,symbol,quantity,price\n2026-03-02,buy,AAPL,5,100')),
      MINA,
      NEVER,
    );
    const shown = await service.paste(
      'date,kind,symbol,quantity,price\n2026-03-03,buy,MSFT,1,1\n2026-03-03,sell,AAPL,5,100',
    );
    await service.undo(1);
    const answer = await service.confirm(pressed(shown), MINA, NEVER);
    expect(answer).toMatchObject({
      found: 0,
      content: expect.stringContaining('그사이 포트폴리오가 바뀌었어요') as unknown,
    });
    expect(await service.ledger()).toHaveLength(1);
  });

  it('leaves out only the entries that were typed since the preview', async () => {
    const service = await open();
    const record = recordAnswer({ ...service, symbols, corporateActions, market: noHistory });
    const type = (requestId: string) =>
      record(
        { kind: 'buy', name: '005930', quantity: '10', price: '71000', date: '2026-11-02', isSure: true },
        requester({ requestId }),
        NEVER,
      );
    const line = '2026-11-02,buy,005930,10,71000,KRW,0,0';
    const lines = ['date,kind,symbol,quantity,price,currency,fee,tax', line, line, line].join('\n');
    await type('first');
    // One of three is recorded already, and another is typed before the confirmation.
    const shown = await service.paste(lines);
    expect(shown.choices?.[0]?.label).toMatch(/^2건/);
    await type('second');
    const answer = await service.confirm(pressed(shown), MINA, NEVER);
    expect(answer.content).toMatch(/1건\*\*을 기록[\s\S]*뺀 거래: 1건/);
    expect(await service.ledger()).toHaveLength(3);
  });

  it('creates the first portfolio on confirmation, and only the one that was shown', async () => {
    const service = await open();
    const listed = async () =>
      (await service.store.list(await service.owners.ownerOf(MINA))).map(({ name }) => name);
    const lines = 'date,kind,symbol,quantity,price\n2026-03-02,buy,AAPL,5,100';
    const [first, second] = [await service.paste(lines), await service.paste(lines)];
    expect(first.content).toMatch(/\*\*기본\*\*\(KRW\)을 만들어요/);
    await service.confirm({ ...pressed(first), which: 'none' }, MINA, NEVER);
    expect(await listed()).toEqual([]);
    const other = await service.store.create(MINA, { name: 'usd', baseCurrency: 'USD' });
    expect(await service.confirm(pressed(second), MINA, NEVER)).toMatchObject({
      found: 0,
      content: expect.stringContaining('usd') as unknown,
    });
    expect(await service.ledger()).toEqual([]);
    await service.store.remove(await service.owners.ownerOf(MINA), other?.id ?? asId<PortfolioId>(''));
    expect((await service.confirm(pressed(second), MINA, NEVER)).content).toContain('새 포트폴리오');
    expect(await listed()).toEqual(['기본']);
  });

  it('expires after half an hour or when it is cancelled', async () => {
    const service = await open();
    const lines = 'date,kind,symbol,quantity,price\n2026-03-02,buy,AAPL,5,100';
    const first = pressed(await service.paste(lines));
    const second = pressed(await service.paste(lines));
    expect(await service.confirm({ ...first, which: 'none' }, MINA, NEVER)).toMatchObject({ found: 1 });
    await service.clock.advance(31 * 60_000);
    for (const gone of [first, second])
      expect(await service.confirm(gone, MINA, NEVER)).toMatchObject({ found: 0 });
    expect(await service.ledger()).toHaveLength(0);
  });

  it('of an unreadable, too large, second or missing file is refused and creates no portfolio', async () => {
    const service = await open(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0));
    const told = [
      await service.file(),
      await service.preview({ text: '', files: [attachment('b.csv', 4_000_001)] }, MINA, NEVER),
      await service.preview({ text: '', files: [attachment('c.csv'), attachment('d.csv')] }, MINA, NEVER),
      await service.paste(''),
    ];
    expect(told.map(({ found }) => found)).toEqual([0, 0, 0, 0]);
    expect(told.map(({ content }) => content).join('\n')).toMatch(/xlsx.*\n.*4MB.*\n.*하나씩.*\n.*첨부/);
    expect(service.fetched).toEqual(['a.csv']);
    const atKeyboard = await service.paste('', requester({ channelId: asId<ChannelId>('console') }));
    expect(atKeyboard.content).toContain('/portfolio import @file.csv');
    expect(await service.store.list(await service.owners.ownerOf(MINA))).toHaveLength(0);
  });

  it('attaches a file of all errors if there are many, only in a direct chat', async () => {
    const service = await open();
    const bad = Array.from({ length: 25 }, (_, index) => `2026-03-02,"=1+${index}",AAPL,1,100`);
    const lines = ['date,kind,symbol,quantity,price', ...bad].join('\n');
    const { media: [file] = [], content } = await service.paste(lines);
    expect(content.match(/번째 줄/g)).toHaveLength(20);
    const csv = await readFile(fileURLToPath(file?.url ?? ''), 'utf8');
    expect(csv.split('\r\n')).toHaveLength(27);
    expect(csv).not.toMatch(/(?:^|,)"?=/m);
    expect((await service.paste(lines, requester({ isDirect: false }))).media).toBeUndefined();
  });
});

const isPossible = (...ledger: Parameters<typeof stateOf>): boolean => {
  try {
    stateOf(...ledger);
    return true;
  } catch {
    return false;
  }
};

describe('an export', () => {
  const known: readonly Instrument[] = [SAMSUNG, APPLE, TOYOTA];
  const exact: Pick<SymbolSearch, 'resolve'> = {
    resolve: (query) => {
      const instrument = known.find(({ symbol }) => symbol === query.replace('$', ''));
      return instrument ? { status: 'found', instrument } : { status: 'unknown', suggestions: [] };
    },
  };
  const today = Temporal.PlainDate.from('2026-11-13');

  it('gives the same ledger when it is imported', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyLedger,
        fc.constantFrom(undefined, '=1+1', "'x", 'a, "b"', '-5'),
        async ({ entries, rules }, note) => {
          const sane = entries.filter((entry) => {
            if (entry.kind === 'dividend') return entry.tax.lessThan(entry.amount);
            return entry.kind !== 'sell' || entry.tax.lessThanOrEqualTo(entry.quantity.times(entry.price));
          });
          const noted = sane.map((entry) => (note === undefined ? entry : { ...entry, note }));
          const taken = noted.slice(0, 1).map((entry) => asRecorded(entry, 99, true));
          const all = [...noted.map((entry, at) => asRecorded(entry, at)), ...taken];
          const csv = atOnce(ledgerCsv(all, rules.baseCurrency, 'en'));
          const sheets = atOnce(readDelimited(csv.slice(1)));
          if (sheets.status === 'refused') throw new Error(sheets.problem.kind);
          const context = { symbols: exact, baseCurrency: rules.baseCurrency, today, recorded: [] };
          const read = await readEntries(sheets.sheets, context, NEVER);
          // The entries left after filtering may not form a valid ledger.
          fc.pre(noted.length > 0 && isPossible(noted, rules));
          if (read.status === 'refused') throw new Error(read.problem.kind);
          expect(read.file.errors).toEqual([]);
          const back = read.file.entries.map(({ entry }, at) => ({
            ...entry,
            clientId: noted[at]?.clientId ?? '',
          }));
          expect(back.map((entry) => entry.note)).toEqual(noted.map((entry) => entry.note));
          const [after, before] = [back, noted].map((all) => ({ ...stateOf(all, rules), disposals: [] }));
          expect(JSON.stringify(after)).toBe(JSON.stringify(before));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is sent to its owner, in the direct chat only', async () => {
    const service = await open(sampleBytes('kiwoom.csv'));
    expect(await service.export({}, MINA, NEVER)).toMatchObject({ found: 0 });
    const { code } = pressed(await service.file());
    await service.confirm({ code, which: 'valid' }, MINA, NEVER);
    expect(await service.export({}, requester({ isDirect: false }), NEVER)).toMatchObject({ found: 0 });
    expect(await service.export({ portfolio: '기본' }, OTHER, NEVER)).toMatchObject({ found: 0 });
    const { media: [file] = [] } = await service.export({}, MINA, NEVER);
    expect(file).toMatchObject({ name: '기본-2026-11-13.csv', mimeType: 'text/csv' });
    const path = fileURLToPath(file?.url ?? '');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(path).toMatch(/\/exports\/portfolio-[0-9a-f]{32}\.csv$/);
    await service.export({}, MINA, NEVER);
    expect(await readdir(new URL('.', file?.url))).toHaveLength(1);
    const csv = await readFile(path, 'utf8');
    expect(csv.split('\r\n').slice(0, 2).join('\n')).toBe(
      '\u{feff}number,date,time,kind,symbol,name,quantity,price,amount,currency,fee,tax,ratio,to_amount,to_currency,rate,to_rate,base_currency,note,status,to_symbol,to_quantity,cost_percent,other_portfolio,lots\n1,2026-03-02,,deposit,,,,,10000000,KRW,,,,,,1,,KRW,,,,,,,',
    );
    const again = await service.paste(csv);
    expect(again).toMatchObject({ found: 1, facts: [{ value: '0' }, { value: '0' }, { value: '5' }] });
  });
});
