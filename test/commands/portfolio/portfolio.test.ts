import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandText } from '#src/kernel/chat/command-definition.ts';
import { readEntry } from '#src/features/portfolio/record/read-entry.ts';
import type { RecordRequest } from '#src/kernel/people/portfolio.ts';
import { askedBy, recordingService } from '#test/features/portfolio/asked-service.ts';
import { msgContext } from '#test/support/context.ts';
import { everyRow } from '#test/support/every-row.ts';
import { symbols } from '#test/support/sample-market.ts';

/** Tokens that may accompany the numbers that each kind of entry needs. */
const EXTRAS = ['fee', 'tax', 'rate', 'price', 'total', 'amount', 'quantity', '--fee=', '--tax=', 'for', ''];
const LINES = [
  'add AAPL 11 1013',
  'sell AAPL 11 1013',
  'rights AAPL 11 1013',
  'bonus AAPL 11',
  'dividend AAPL 1013',
  'tax AAPL 1013',
  'lieu AAPL 1013',
  'split AAPL 11:1',
  'fx 1013 EUR 1019 KRW',
  'deposit 1013',
  'withdraw 1013',
  'fee 1013',
  'interest 1013',
];

describe('/portfolio', () => {
  everyRow<readonly [typed: string, question: string, request: Readonly<Record<string, unknown>>]>([
    ['/portfolio 요약 다크', 'summary', { theme: 'dark' }],
    ['/portfolio --theme=dark', 'summary', { theme: 'dark' }],
    ['/portfolio analysis 6mo dark', 'analyse', { range: '6mo', theme: 'dark', portfolio: undefined }],
    ['/portfolio 분석 어둡게 연금', 'analyse', { portfolio: '연금', theme: 'dark' }],
    ['/portfolio 연금 dark', 'open', { typed: '연금', theme: 'dark' }],
    // It may be the name of a portfolio.
    ['/portfolio dark', 'open', { typed: 'dark', theme: undefined }],
  ])('reads the background of the picture in "%s"', async (typed, question, request) => {
    expect(await askedBy(typed)).toEqual([question, expect.objectContaining(request)]);
  });

  it('uses every number of a line for the entry, or records nothing', async () => {
    const apple = symbols.resolve('AAPL');
    const instrument = apple.status === 'found' ? apple.instrument : undefined;
    const context = { baseCurrency: 'KRW', today: Temporal.PlainDate.from('2026-11-13'), clientId: 'c' };
    let recorded = 0;
    const anyExtras = fc.array(fc.constantFrom(...EXTRAS), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...LINES), anyExtras, async (line, extras) => {
        const words = extras.map((extra, index) => `${extra}${extra.endsWith('=') ? '' : ' '}${3 + index}`);
        const [question, asked] = await askedBy(`/portfolio ${line} ${words.join(' ')}`);
        if (question !== 'record') return;
        const request = asked as RecordRequest;
        const read = readEntry(request, {
          ...context,
          instrument: request.name === undefined ? undefined : instrument,
        });
        if (read.status === 'problem') return;
        recorded += 1;
        const { entry } = read;
        const total = entry.kind === 'rights' ? entry.quantity.times(entry.price) : undefined;
        const values = [...Object.values(entry), total].map(String);
        const numbers = `${line} ${words.join(' ')}`.match(/\d+/gu)?.filter((number) => number !== '1');
        for (const number of numbers ?? []) expect(values).toContain(number);
      }),
      { seed: 18, numRuns: 200 },
    );
    expect(recorded).toBeGreaterThan(40);
  });

  it('takes a number with a currency for an amount of tax, whatever year it could be', async () => {
    for (const amount of ['2000 KRW', '2025 KRW', '2000 won', '2000 원'])
      expect(await askedBy(`/portfolio tax ${amount}`)).toEqual(['record', { kind: 'tax', amount }]);
  });

  it('says what to write in the place of a part of nothing, and of a fraction that may be a day', async () => {
    expect(await askedBy('/portfolio add AAPL half 270')).toMatch(/"half" .* goes with a sale alone/u);
    expect(await askedBy('/portfolio add NVDA 1/3 180')).toMatch(/`1\/3 share`.*`\/portfolio add/u);
  });

  it.each([
    ['add AAPL 10 270 --fees=5', '--fees=5'],
    ['add AAPL 10 --fee 5', '--fee'],
    ['add AAPL 10 270 @a --in=b', '@a'],
    ['add AAPL 10 270 --fee=5 --fee=6', '--fee=6'],
  ])('records nothing where an option would be lost: %s', async (body, lost) => {
    expect(await askedBy(`/portfolio ${body}`)).toContain(`"${lost}"`);
  });

  everyRow<[string, Readonly<Record<string, string>>]>([
    [
      'add 삼성전자 10주 71,000원 11/13 수수료 500',
      { kind: 'buy', name: '삼성전자', quantity: '10주', price: '71,000원', date: '11/13', fee: '500' },
    ],
    [
      '매수 삼성전자10주 7만 1천원 어제',
      { kind: 'buy', name: '삼성전자', quantity: '10주', price: '7만 1천원', date: '어제' },
    ],
    ['삼성전자 71,000원 10주 매수', { kind: 'buy', name: '삼성전자', quantity: '10주', price: '71,000원' }],
    ['sell AAPL 5 @190', { kind: 'sell', name: 'AAPL', quantity: '5', price: '@190' }],
    [
      'sell AAPL 5 @ 190 @pension',
      { kind: 'sell', name: 'AAPL', quantity: '5', price: '@ 190', portfolio: 'pension' },
    ],
    [
      'buy 10 shares of Bank of America at 40 USD on 2026-11-02',
      { kind: 'buy', name: 'Bank of America', quantity: '10 shares', price: '40 USD', date: 'on 2026-11-02' },
    ],
    ['buy KODEX 200 10 35000', { kind: 'buy', name: 'KODEX 200', quantity: '10', price: '35000' }],
    ['buy 005930 10 71000', { kind: 'buy', name: '005930', quantity: '10', price: '71000' }],
    ['buy ON 10 60', { kind: 'buy', name: 'ON', quantity: '10', price: '60' }],
    ['buy AAPL -5 1e30', { kind: 'buy', name: 'AAPL', quantity: '-5', price: '1e30' }],
    [
      'dividend AAPL 12.5 --tax=1.88 --in=연금',
      { kind: 'dividend', name: 'AAPL', amount: '12.5', tax: '1.88', portfolio: '연금' },
    ],
    ['split AAPL 4:1 11월 12일', { kind: 'split', name: 'AAPL', ratio: '4:1', date: '11월 12일' }],
    ['입금 100만원 11/2', { kind: 'deposit', amount: '100만원', date: '11/2' }],
    ['withdraw 100 XYZ', { kind: 'withdrawal', amount: '100', currency: 'XYZ' }],
    ['수수료 1,000원', { kind: 'fee', amount: '1,000원' }],
    ['fx 1,300,000 KRW to 1,000 USD', { kind: 'fx', amount: '1,300,000 KRW', toAmount: '1,000 USD' }],
    // The received amount is missing: the service asks for it.
    ['환전 100만원 달러', { kind: 'fx', amount: '100만원', toCurrency: '달러' }],
    ['fx 100 USD to EUR', { kind: 'fx', amount: '100 USD', toCurrency: 'EUR' }],
    // A total is no price of one.
    ['매수 삼성전자 10주 총 71만원', { kind: 'buy', name: '삼성전자', quantity: '10주', total: '총 71만원' }],
    [
      '매수 삼성전자 10주 71만원어치',
      { kind: 'buy', name: '삼성전자', quantity: '10주', total: '71만원어치' },
    ],
    ['매수 삼성전자 10주 모두 71만원', { kind: 'buy', name: '삼성전자', quantity: '10주', total: '71만원' }],
    ['buy AAPL 10 for $1905', { kind: 'buy', name: 'AAPL', quantity: '10', total: '$1905' }],
    ['buy AAPL 10 $1905 in total', { kind: 'buy', name: 'AAPL', quantity: '10', total: '$1905 in total' }],
    ['buy AAPL 10 for $190 each', { kind: 'buy', name: 'AAPL', quantity: '10', price: '$190 each' }],
    // As it is said.
    ['삼성전자 10주 샀어', { kind: 'buy', name: '삼성전자', quantity: '10주' }],
    [
      '어제 삼성전자를 5주를 7만1천원에 샀어',
      { kind: 'buy', name: '삼성전자', quantity: '5주', price: '7만1천원', date: '어제' },
    ],
    ['AAPL 2주 190달러에 팔았다', { kind: 'sell', name: 'AAPL', quantity: '2주', price: '190달러' }],
    ['AAPL 2주 매수 어제', { kind: 'buy', name: 'AAPL', quantity: '2주', date: '어제' }],
    ['입금했어 백만원', { kind: 'deposit', amount: '백만원' }],
    ['매도 삼성전자 전량', { kind: 'sell', name: '삼성전자', quantity: '전량' }],
    ['sell half AAPL at 200', { kind: 'sell', name: 'AAPL', quantity: 'half', price: '200' }],
    ['AAPL 다 팔았어', { kind: 'sell', name: 'AAPL', quantity: '다' }],
    // Times of day.
    [
      'buy AAPL 5 190 2026-11-13 14:30',
      { kind: 'buy', name: 'AAPL', quantity: '5', price: '190', date: '2026-11-13', time: '14:30' },
    ],
    [
      'sell AAPL 5 190 time 14:30',
      { kind: 'sell', name: 'AAPL', quantity: '5', price: '190', time: '14:30' },
    ],
    [
      '매수 삼성전자 10주 71,000원 시각 14:30',
      { kind: 'buy', name: '삼성전자', quantity: '10주', price: '71,000원', time: '14:30' },
    ],
    [
      '매수 삼성전자 10주 71,000원 오후 2시 30분',
      { kind: 'buy', name: '삼성전자', quantity: '10주', price: '71,000원', time: '오후 2시 30분' },
    ],
    ['split AAPL 4:1 15:30', { kind: 'split', name: 'AAPL', ratio: '4:1', time: '15:30' }],
    ['buy PM 10 100', { kind: 'buy', name: 'PM', quantity: '10', price: '100' }],
    // Options of Discord's form that take the rest of a line.
    [
      'dividend --name=AAPL --amount="12 USD tax 1.8 yesterday"',
      { kind: 'dividend', name: 'AAPL', amount: '12 USD', tax: '1.8', date: 'yesterday' },
    ],
    ['이자 --amount="1만2천원 세금 1,890원"', { kind: 'interest', amount: '1만2천원', tax: '1,890원' }],
    [
      'rights --name=AAPL --quantity=5 --price="50 USD tax 1"',
      { kind: 'rights', name: 'AAPL', quantity: '5', price: '50 USD', tax: '1' },
    ],
    // Words of brokers.
    ['예탁금 이용료 1,200원', { kind: 'interest', amount: '1,200원' }],
    ['주식배당 삼성전자 3주', { kind: 'rights', name: '삼성전자', quantity: '3주', price: '0' }],
    ['감자 삼성전자 10:1', { kind: 'split', name: '삼성전자', ratio: '1:10' }],
    // Which way a split goes.
    ['병합 AAPL 10:1', { kind: 'split', name: 'AAPL', ratio: '1:10' }],
    ['병합 AAPL 1:10', { kind: 'split', name: 'AAPL', ratio: '1:10' }],
    ['reverse split AAPL 10', { kind: 'split', name: 'AAPL', ratio: '1:10' }],
    ['분할 AAPL 1대5', { kind: 'split', name: 'AAPL', ratio: '5:1' }],
    ['분할 AAPL 11/12 1:4', { kind: 'split', name: 'AAPL', ratio: '4:1', date: '11/12' }],
    ['split AAPL 1:10', { kind: 'split', name: 'AAPL', ratio: '1:10' }],
    ['split AAPL 3 for 2', { kind: 'split', name: 'AAPL', ratio: '3:2' }],
    // Days.
    [
      'buy AAPL 5 190 11/13/2026',
      { kind: 'buy', name: 'AAPL', quantity: '5', price: '190', date: '11/13/2026' },
    ],
    ['buy AAPL 5 190 20261113', { kind: 'buy', name: 'AAPL', quantity: '5', price: '190', date: '20261113' }],
    [
      'buy AAPL 5 190 on Nov 13, 2026',
      { kind: 'buy', name: 'AAPL', quantity: '5', price: '190', date: 'on Nov 13, 2026' },
    ],
    ['buy AAPL 5 190 13 Nov', { kind: 'buy', name: 'AAPL', quantity: '5', price: '190', date: '13 Nov' }],
    [
      'buy AAPL 5 190 last friday',
      { kind: 'buy', name: 'AAPL', quantity: '5', price: '190', date: 'last friday' },
    ],
    [
      '매수 AAPL 5주 190 3일 전',
      { kind: 'buy', name: 'AAPL', quantity: '5주', price: '190', date: '3일 전' },
    ],
    [
      '지난주 금요일에 AAPL 5주 190 매수',
      { kind: 'buy', name: 'AAPL', quantity: '5주', price: '190', date: '지난주 금요일에' },
    ],
    ['deposit 20261113', { kind: 'deposit', amount: '20261113' }],
  ])('%s', async (words, request) => {
    expect(await askedBy(`/portfolio ${words}`)).toEqual(['record', request]);
  });

  everyRow<[string, string, unknown]>([
    ['', 'summary', { isDrawn: true }],
    ['@연금', 'summary', { portfolio: '연금', isDrawn: true }],
    ['history 2 --in=main', 'history', { portfolio: 'main', page: 2 }],
    ['history AAPL 2', 'history', { page: 2, name: 'AAPL' }],
    ['삼성전자 내역', 'history', { page: 1, name: '삼성전자' }],
    ['내역 005930', 'history', { page: 1, name: '005930' }],
    ['취소 #12', 'undo', { number: 12 }],
    ['undo 12@2024', 'undo', { number: 12, portfolio: '2024' }],
    ['undo 12@연금 --in=연금', 'undo', { number: 12, portfolio: '연금' }],
    ['undo 12 --in=main', 'undo', { number: 12, portfolio: 'main' }],
    ['취소 마지막', 'undo', {}],
    ['undo last', 'undo', {}],
    ['연금', 'open', { typed: '연금' }],
    ['bank of america', 'open', { typed: 'bank of america' }],
    ['import confirm AB12 valid', 'confirmImport', { code: 'AB12', which: 'valid' }],
    ['analysis 6m kospi', 'analyse', { range: '6mo', benchmark: 'kospi', isDrawn: true }],
    ['analysis 6mo S&P 500', 'analyse', { range: '6mo', benchmark: 'sp500', isDrawn: true }],
    ['분석', 'analyse', { range: '1y', isDrawn: true }],
    ['목록', 'list', {}],
    ['new pension USD', 'create', { name: 'pension', currency: 'USD' }],
    ['use pension', 'configure', { portfolio: 'pension', setting: 'default' }],
    ['cost fifo', 'configure', { setting: 'cost', value: 'fifo' }],
    ['short on', 'configure', { setting: 'short', value: 'on' }],
    ['delete pension', 'remove', { portfolio: 'pension', isSure: false }],
    ['삭제 연금 --yes', 'remove', { portfolio: '연금', isSure: true }],
  ])('%s asks for %s', async (words, question, request) => {
    expect(await askedBy(`/portfolio ${words}`.trim())).toEqual([question, request]);
  });

  it.each([
    ['buy AAPL 5 190 200', 'add AAPL 10'],
    ['buy AAPL 5 190 cheap', 'add AAPL 10'],
    ['sell AAPL 5 190 cheap', 'sell AAPL 5'],
    ['fx 1 USD 2 KRW 3 EUR', 'fx 1,300,000 KRW to'],
    ['undo everything', 'undo 12'],
    ['undo 12@연금 --in=main', 'undo 12'],
  ])('records nothing where it does not understand a word, and shows how: %s', async (words, example) => {
    const answer = await askedBy(`/portfolio ${words}`);
    expect(answer).toEqual(expect.stringMatching(/I do not understand "/u));
    expect(answer).toContain(`/portfolio ${example}`);
  });

  it('says where a note goes, in the place of a currency that nobody meant', async () => {
    for (const words of [
      'add AAPL 5 190 note first lot',
      '매수 AAPL 5 190 메모 장기',
      'fee $3 wire',
      '입금 100만원 월급',
    ])
      expect(await askedBy(`/portfolio ${words}`), words).toContain('--note=');
  });

  it('takes a tax with a year for the report, and asks where a number may be a year or an amount', async () => {
    for (const [words, year] of [
      ['tax 2026', '2026'],
      ['tax 2025', '2025'],
      ['세금 2026', '2026'],
      ['tax 2026년', '2026년'],
      ['tax', undefined],
      ['tax 2026 --csv', '2026'],
    ] as const)
      expect(await askedBy(`/portfolio ${words}`), words).toMatchObject(['tax', year ? { year } : {}]);
    for (const words of ['tax 삼성전자 2026', '세금 AAPL 2025년', 'tax 50'])
      expect(await askedBy(`/portfolio ${words}`), words).toContain('a year or an amount?');
    for (const words of ['tax AAPL 3', 'tax 50 USD', 'tax AAPL 2026 KRW', '세금 2,026원'])
      expect(await askedBy(`/portfolio ${words}`), words).toMatchObject(['record', { kind: 'tax' }]);
  });

  it('says what it can do, and which ranges there are', async () => {
    expect(await askedBy('/portfolio help')).toContain('`withdraw`');
    expect(await askedBy('/portfolio 분석 5년')).toContain('`2y`');
  });

  it.each(['add AAPL \u202e01\u202c 190', 'add AAPL 1\u20660\u2069 190'])(
    'records no number that is shown the other way round',
    async (words) => {
      expect(await askedBy(`/portfolio ${words}`)).toContain('reverse a number');
    },
  );

  it('hands over pasted rows and files to be imported', async () => {
    const { command, asked } = recordingService();
    const media = [{ kind: 'file', mimeType: 'text/csv', name: 'a.csv', url: 'a.csv' }] as const;
    const ctx = msgContext({ rawBody: '/portfolio import\nDate,Symbol\n2026-11-13,AAPL', media });
    await command.execute(['import'], ctx, new AbortController().signal);
    // If the platform reads no files by name, the service still learns that one was named.
    const named = msgContext({ rawBody: '/portfolio import @trades.csv' });
    await command.execute(['import', '@trades.csv'], named, new AbortController().signal);
    expect(asked).toEqual([
      ['preview', { text: 'Date,Symbol\n2026-11-13,AAPL', files: media, sessionKey: ctx.sessionKey }],
      ['preview', { text: '@trades.csv', files: [], sessionKey: named.sessionKey }],
    ]);
  });

  it('is filled in as a form without one field being taken for another', async () => {
    const { command } = recordingService();
    const { definition } = command;
    const values = {
      symbol: '005930.KS',
      price: '71,000',
      quantity: '10',
      date: '11월 13일',
      portfolio: 'main',
      details: 'fee 500',
    };
    const buy = definition.subcommands?.find(({ name }) => name === 'buy');
    const body = commandText(definition, values, buy);
    expect(await askedBy(body)).toEqual([
      'record',
      {
        kind: 'buy',
        name: '005930.KS',
        quantity: '10',
        price: '71,000',
        date: '11월 13일',
        fee: '500',
        portfolio: 'main',
      },
    ]);
  });

  it('is answered to its sender alone where others read along', async () => {
    const { command } = recordingService();
    const { signal } = new AbortController();
    expect((await command.execute([], msgContext({ chatType: 'channel' }), signal)).ephemeral).toBe(true);
  });
});
