import { describe, expect, it } from 'vitest';
import type { NewTransaction } from '#src/kernel/market/ledger.ts';
import { valueSeries } from '#src/features/portfolio/analysis/value-series.ts';
import { packEntries, unpackEntries } from '#src/features/portfolio/import/new-entries.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { epochDay } from '#src/markets/performance/epoch-day.ts';
import { koreanReport } from '#src/features/portfolio/tax/korean-report.ts';
import { termReport } from '#src/features/portfolio/tax/term-report.ts';
import { Decimal } from '#src/kernel/money.ts';
import { textFile } from '#test/features/portfolio/import/file-support.ts';
import { portfolioTool } from '#test/features/portfolio/asked-service.ts';
import { openPortfolios } from '#test/features/portfolio/service-support.ts';

const day = (text: string): number => epochDay(Temporal.PlainDate.from(text));

const plain = (entries: readonly NewTransaction[]) =>
  entries.map((entry) => [
    entry.kind,
    'otherName' in entry ? entry.otherName : '',
    // The file is read into a portfolio in won, which does not know the cost in dollars.
    'lots' in entry ? JSON.stringify(entry.lots.map((lot) => ({ ...lot, costBase: 0 }))) : '',
    'toInstrument' in entry ? [entry.toInstrument.symbol, entry.toQuantity, entry.percent].join() : '',
    'amount' in entry ? entry.amount?.toFixed() : '',
  ]);

/** Ten Apple shares at 100 and ten at 200 in `main`, and nothing in `other`. */
const open = async (...more: readonly string[]) => {
  const at = await openPortfolios();
  const say = async (body: string, locale: 'ko' | 'en' = 'en'): Promise<string> =>
    (await at.say(body, { locale, chatType: 'direct' })).content;
  const lines = [
    'new main USD',
    'new other USD',
    'add AAPL 10 100 2025-03-03 --yes',
    'add AAPL 10 200 2026-01-05 --yes',
    'cost fifo --in=main',
    'cost fifo --in=other',
    ...more,
  ];
  for (const line of lines) await say(`/portfolio ${line}`);
  const counting = async (name: string) =>
    (await at.ledgerOf('mina', name)).filter(({ isReversed }) => !isReversed);
  return { ...at, say, counting };
};

const SHARES: readonly (readonly [typed: string, locale: 'ko' | 'en'])[] = [
  ['transfer AAPL 15 from main to other', 'en'],
  ['transfer 15 AAPL to other', 'en'],
  ['move 15 AAPL from main to other 2026-02-02', 'en'],
  ['transfer AAPL 75% main → other', 'en'],
  ['transfer AAPL 15 --in=main --to=other', 'en'],
  ['이체 AAPL 15주 main에서 other로', 'ko'],
  ['AAPL 15주 main에서 other로 옮겼어', 'ko'],
  ['AAPL 15주 @main @other 이체', 'ko'],
];

describe('shares that move between own portfolios', () => {
  it.each(SHARES)('`%s` takes their cost and days of purchase along', async (typed, locale) => {
    const { say, counting } = await open();
    const answer = await say(`/portfolio ${typed}`, locale);
    expect(answer).toMatch(/\$2,000\.00.*2025-03-03 – 2026-01-05/u);
    expect((await counting('main')).map(({ kind }) => kind)).toEqual(['buy', 'buy', 'transfer-out']);
    expect((await counting('other')).map(({ kind }) => kind)).toEqual(['transfer-in']);
    // 10 × 100 are sold first, then 2 × 200; the 5 that stayed cost 200 each.
    const sold = await say('/portfolio sell AAPL 12 300 2026-11-13 --in=other --yes');
    expect(sold).toContain('Profit on this sale: +$2,200.00');
    const stayed = await say('/portfolio sell AAPL 5 300 2026-11-13 --in=main --yes');
    expect(stayed).toContain('Profit on this sale: +$500.00');
  });

  it('shows both sides, and takes both back at once from either', async () => {
    for (const side of ['main', 'other']) {
      const { say, counting } = await open();
      const moved = await say('/portfolio transfer AAPL 15 from main to other 2026-02-02');
      expect(moved).toContain('**main** #3 → **other** #1');
      expect(await say('/portfolio history --in=other')).toMatch(/Transfer from \*\*main\*\*: 15 .*Apple/u);
      expect(await say('/portfolio --in=other')).toMatch(/Apple[^|]*\| 15 /u);
      expect(await say(`/portfolio undo --in=${side}`)).toMatch(/#3.*#1|#1.*#3/u);
      expect(await counting('main')).toHaveLength(2);
      expect(await counting('other')).toEqual([]);
    }
  });

  it('is recorded once when the same request comes again', async () => {
    const { service, requesterOf, counting } = await open();
    const request = { kind: 'transfer-out', name: 'AAPL', quantity: '5', toPortfolio: 'other' } as const;
    const requester = { ...requesterOf('mina', 'en'), requestId: 'same' };
    const signal = new AbortController().signal;
    const plan = await service.plan(request, requester, signal);
    expect(plan.status === 'ready' && plan.text).toMatch(/transfer to \*\*other\*\*: 5/u);
    await service.record(request, requester, signal);
    expect((await service.record(request, requester, signal)).content).toContain('recorded already');
    expect([await counting('main'), await counting('other')].map(({ length }) => length)).toEqual([3, 1]);
  });

  const REFUSED: readonly (readonly [why: string, before: readonly string[], typed: string, said: string])[] =
    [
      ['more than is held', [], 'transfer AAPL 21 to other', 'you hold only 20 of'],
      [
        'nothing that is held',
        [],
        'transfer MSFT 1 to other',
        'you hold no Microsoft (MSFT). Check the name',
      ],
      ['no receiving portfolio', [], 'transfer AAPL 1', 'From which portfolio to which?'],
      ['an unknown one', [], 'transfer AAPL 1 to nowhere', 'From which portfolio to which?'],
      ['the same on both sides', [], 'transfer AAPL 1 from main to main', 'Both sides are **main**'],
      ['a price', [], 'transfer AAPL 1 at $200 to other', 'do not understand'],
      [
        'shares sold later',
        ['sell AAPL 20 300 2026-03-02 --yes'],
        'transfer AAPL 5 to other 2026-02-02',
        '20',
      ],
      [
        'a purchase that changes what had moved',
        ['transfer AAPL 15 to other 2026-02-02'],
        'add AAPL 1 50 2025-01-06 --yes',
        'went to **other** on 2026-02-02 would change',
      ],
      [
        'another way of counting cost',
        ['transfer AAPL 15 to other 2026-02-02'],
        'cost average --in=main',
        'went to **other**',
      ],
      [
        'taking back what had moved',
        ['transfer AAPL 15 to other 2026-02-02'],
        'undo 1 --in=main',
        'Take back #3 first',
      ],
      [
        'taking back what was sold from it',
        ['transfer AAPL 15 to other 2026-02-02', 'sell AAPL 15 300 2026-03-02 --in=other --yes'],
        'undo 3 --in=main',
        'Take back #2 first',
      ],
      [
        'a range with one side',
        ['transfer AAPL 15 to other 2026-02-02'],
        'undo 2-3 --in=main',
        'taken back on its own',
      ],
    ];
  it.each(REFUSED)('refuses %s', async (_why, before, typed, said) => {
    const { say, counting } = await open(...before);
    const [main, other] = [await counting('main'), await counting('other')];
    expect(await say(`/portfolio ${typed}`)).toContain(said);
    expect([await counting('main'), await counting('other')]).toEqual([main, other]);
  });

  it('needs a second portfolio', async () => {
    const { say } = await openPortfolios();
    await say('/portfolio new main USD');
    expect((await say('/portfolio transfer AAPL 1 to other', { locale: 'en' })).content).toContain(
      'needs two portfolios',
    );
  });

  it('keeps the cost in won at the rates of the purchases', async () => {
    const at = await open('new won KRW');
    at.closes.set('USDKRW=X', { '2025-03-03': '1400', '2026-01-05': '1450', '2026-02-02': '1500' });
    await at.say('/portfolio transfer AAPL 15 from main to won 2026-02-02');
    const [moved] = await at.counting('won');
    // 10 × 100 × 1,400 and 5 × 200 × 1,450.
    expect(moved && 'lots' in moved && moved.lots.map(({ costBase }) => costBase?.toFixed())).toEqual([
      '1400000',
      '1450000',
    ]);
  });

  it('says that an ISA is not in the tax report', async () => {
    const { say } = await open('account isa --in=other');
    expect(await say('/portfolio transfer AAPL 1 to other')).toContain(
      '**other** is a Korean ISA: what is sold there is not in the tax report',
    );
  });
});

describe('money that moves', () => {
  const CASH: readonly (readonly [typed: string, locale: 'ko' | 'en'])[] = [
    ['transfer $300 from main to other', 'en'],
    ['move 300 USD to other', 'en'],
    ['이체 300달러 main에서 other로', 'ko'],
  ];
  it.each(CASH)('`%s` leaves one and comes into the other', async (typed, locale) => {
    const { say, counting } = await open('deposit 5000 USD 2025-01-06');
    const answer = await say(`/portfolio ${typed}`, locale);
    expect(answer).toMatch(/main\*\*: .*\$1,700\.00|main\*\*: \$1,700\.00/u);
    expect(answer).toMatch(/other\*\*: .*\$300\.00/u);
    await say('/portfolio undo --in=other');
    expect([await counting('main'), await counting('other')].map(({ length }) => length)).toEqual([3, 0]);
  });

  it('is refused beyond what is there', async () => {
    const { say } = await open('deposit 5000 USD 2025-01-06');
    expect(await say('/portfolio transfer $9000 to other')).toContain('$2,000.00');
  });

  it('keeps what dollars cost in won, so that no exchange gain arises by it', async () => {
    const at = await openPortfolios();
    at.closes.set('USDKRW=X', { '2026-01-05': '1200', '2026-02-02': '1400', '2026-03-02': '1500' });
    for (const line of [
      'new main KRW',
      'new other KRW',
      'deposit 1000 USD 2026-01-05',
      'transfer $400 to other 2026-02-02',
    ])
      await at.say(`/portfolio ${line}`, { locale: 'en' });
    const [moved] = await at.ledgerOf('mina', 'other');
    expect(moved?.rate?.toFixed()).toBe('1200');
  });
});

describe('the return of both sides', () => {
  it('is that of the market, whatever the shares had cost', async () => {
    const { counting, say } = await open('transfer AAPL 15 to other 2026-02-02');
    await say('/portfolio list');
    const days = [day('2026-01-30'), day('2026-02-02'), day('2026-02-03')];
    const returnsOf = (transactions: readonly NewTransaction[]) => {
      const { points } = atOnce(
        valueSeries({
          transactions,
          baseCurrency: 'USD',
          cashSince: undefined,
          from: days[0] ?? 0,
          to: days[2] ?? 0,
          closes: new Map([['AAPL', { days, values: [250, 300, 330] }]]),
          rates: new Map(),
        }),
      );
      return points.map(({ value, inflow, outflow }) => [value, inflow, outflow]);
    };
    expect(returnsOf(await counting('main'))).toEqual([
      [5000, 0, 0],
      [1500, 0, 4500],
      [1650, 0, 0],
    ]);
    expect(returnsOf(await counting('other')).slice(-2)).toEqual([
      [4500, 4500, 0],
      [4950, 0, 0],
    ]);
  });
});

describe('the export of a transfer', () => {
  it('reads back with its cost, and so does an import that waits', async () => {
    const { say, files, counting } = await open(
      'transfer AAPL 15 to other 2026-02-02',
      'deposit 500 USD 2026-02-03 --in=other',
      'transfer $200 from other to main 2026-02-04',
      'spin-off AAPL MSFT 3 20% 2026-02-05 --in=other',
    );
    await say('/portfolio export --in=other');
    const back = await textFile(files.at(-1) ?? '');
    expect(back.errors).toEqual([]);
    const recorded = await counting('other');
    expect(plain(recorded)).toHaveLength(4);
    expect(plain(back.entries.map(({ entry }) => entry))).toEqual(plain(recorded));
    const packed = atOnce(
      packEntries({ entries: back.entries.map((each) => ({ ...each, ordinal: 1 })) } as never),
    );
    expect(plain(atOnce(unpackEntries(packed)).entries.map(({ entry }) => entry))).toEqual(plain(recorded));
  });
});

describe('the tax of both sides', () => {
  const LINES = [
    'transfer AAPL 15 to other 2026-02-02',
    'transfer AAPL 12 from other to main 2026-02-03',
    'sell AAPL 17 300 2026-03-04 --in=main --yes',
    'sell AAPL 3 300 2026-03-04 --in=other --yes',
  ];
  const rates: Readonly<Record<string, number>> = { '2025-03-05': 1400, '2026-01-07': 1450 };
  const rateOf = (_currency: string, date: Temporal.PlainDate) => ({
    rate: new Decimal(rates[date.toString()] ?? 1500),
    day: date,
    source: 'test',
    isSample: false,
  });
  const today = Temporal.PlainDate.from('2026-11-16');

  // All are sold: 20 × 300 × 1,500, less 10 × 100 × 1,400 and 10 × 200 × 1,450, however they moved before.
  it.each(['fifo', 'average'] as const)('adds up to that of one portfolio, counted by %s', async (method) => {
    const { counting } = await open(...LINES);
    const ledgers = await Promise.all(
      ['main', 'other'].map(async (portfolio) => ({
        portfolio,
        method: 'fifo' as const,
        allowsShort: false,
        entries: await counting(portfolio),
      })),
    );
    const whole = atOnce(koreanReport(ledgers, 2026, rateOf, today, method));
    expect([whole.gain.toFixed(), whole.unrated, whole.broken]).toEqual(['4700000', [], []]);
    const [main, other] = ledgers;
    if (!main || !other) throw new Error('no ledgers');
    const alone = [main, other].map((ledger) =>
      atOnce(koreanReport([ledger], 2026, rateOf, today, method, ledger === main ? [other] : [main])),
    );
    expect(alone.reduce((sum, { gain }) => sum + gain.toNumber(), 0)).toBe(4_700_000);
  });

  it('counts the days of purchase for the one-year line in the US', async () => {
    const { counting } = await open(...LINES);
    const [main, other] = [await counting('main'), await counting('other')];
    const reports = [
      atOnce(
        termReport({ entries: main, allowsShort: false }, 'USD', 2026, [
          { entries: other, allowsShort: false },
        ]),
      ),
      atOnce(
        termReport({ entries: other, allowsShort: false }, 'USD', 2026, [
          { entries: main, allowsShort: false },
        ]),
      ),
    ];
    const sum = (term: 'short' | 'long') =>
      reports.reduce((all, report) => all + ('sales' in report ? report.gains[term].toNumber() : 0), 0);
    expect([sum('long'), sum('short')]).toEqual([2000, 1000]);
  });
});

describe('the tool', () => {
  it.each([
    [{ kind: 'transfer-out', symbol: 'AAPL', quantity: '5', portfolio: 'main', toPortfolio: 'other' }, true],
    [{ kind: 'spin-off', symbol: 'AAPL', toName: 'MSFT', toQuantity: '4', percent: '20' }, true],
    [{ kind: 'merger', symbol: 'AAPL', toName: 'MSFT', toQuantity: '4' }, true],
    [{ kind: 'capital-return', symbol: 'AAPL', amount: '30' }, true],
    [{ kind: 'transfer-in', symbol: 'AAPL', quantity: '5' }, false],
  ])('takes %o: %s', async (input, isTaken) => {
    const { service } = await open();
    const { problemWith } = portfolioTool('record_transaction', service);
    expect(problemWith(input) === undefined).toBe(isTaken);
  });
});
