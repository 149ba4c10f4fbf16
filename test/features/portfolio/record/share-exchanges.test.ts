import { describe, expect, it } from 'vitest';
import type { Instrument } from '#src/kernel/market/finance.ts';
import type { CapitalReturn, NewTransaction, ShareExchange } from '#src/kernel/market/ledger.ts';
import { Decimal } from '#src/kernel/money.ts';
import { deriveLedger } from '#src/features/portfolio/ledger/derive-ledger.ts';
import { koreanReport } from '#src/features/portfolio/tax/korean-report.ts';
import { termReport } from '#src/features/portfolio/tax/term-report.ts';
import { atOnce } from '#src/platform/concurrency/cooperative-tasks.ts';
import { textFile } from '#test/features/portfolio/import/file-support.ts';
import { openPortfolios } from '#test/features/portfolio/service-support.ts';
import { APPLE, buy, sell, split } from '../ledger/ledger-entries.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const CHILD: Instrument = { ...APPLE, symbol: 'KID', ticker: 'KID', name: { ko: '키드', en: 'Kid' } };

const exchange = (
  kind: ShareExchange['kind'],
  date: string,
  numbers: Readonly<Partial<Record<'quantity' | 'toQuantity' | 'percent' | 'amount' | 'price', string>>>,
): ShareExchange => {
  const { quantity = '0', toQuantity = '0', ...others } = numbers;
  return {
    kind,
    clientId: `${kind}-${date}`,
    date: day(date),
    currency: 'USD',
    instrument: APPLE,
    quantity: new Decimal(quantity),
    toInstrument: CHILD,
    toQuantity: new Decimal(toQuantity),
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, new Decimal(value)])),
  };
};

const repaid = (date: string, amount: string, quantity?: string): CapitalReturn => ({
  kind: 'capital-return',
  clientId: `return-${date}`,
  date: day(date),
  currency: 'USD',
  instrument: APPLE,
  amount: new Decimal(amount),
  ...(quantity !== undefined && { quantity: new Decimal(quantity) }),
});

/** Quantity and cost of each holding, and the gains. */
const ledgerOf = (entries: readonly NewTransaction[], method: 'fifo' | 'average' = 'fifo') => {
  const derived = atOnce(deriveLedger(entries, { baseCurrency: 'USD', method, allowsShort: false }));
  if (derived.status === 'refused') return derived.problem.kind;
  const { positions, disposals } = derived.state;
  return {
    held: positions.map(({ instrument, quantity, cost }) =>
      [instrument.symbol, quantity, cost.local.toDecimalPlaces(6)].join(' '),
    ),
    gains: disposals.map(({ gain }) => gain.local.toDecimalPlaces(6).toString()),
    opened: disposals.flatMap(({ lots }) => lots.map(({ first }) => first.toString())),
  };
};

const korean = (entries: readonly NewTransaction[], rates: Readonly<Record<string, string>>) =>
  atOnce(
    koreanReport(
      [{ portfolio: 'main', method: 'fifo', allowsShort: false, entries }],
      2026,
      (_currency, date) => {
        const rate = rates[date.toString()];
        return rate === undefined
          ? undefined
          : { rate: new Decimal(rate), day: date, source: 'test', isSample: false };
      },
      day('2026-11-16'),
    ),
  );

const open = async () => {
  const at = await openPortfolios();
  const say = (body: string, locale: 'ko' | 'en' = 'en') => at.say(body, { locale, chatType: 'direct' });
  await say('/portfolio new main USD');
  await say('/portfolio add AAPL 10 100 2026-01-05 --yes');
  return { ...at, say };
};

const plain = (all: readonly NewTransaction[]) =>
  all.map(({ kind, ...entry }) => [
    kind,
    'toQuantity' in entry
      ? [entry.toInstrument.symbol, entry.quantity, entry.toQuantity, entry.percent].join()
      : '',
  ]);

describe('a spin-off, a merger and a return of capital, worked out by hand', () => {
  const BOUGHT = [buy('2024-03-01', APPLE, '30', '100'), buy('2025-03-03', APPLE, '45', '53.333333')];

  it('splits the cost of each lot, as the tax office of the US shows it', () => {
    // IRS, Publication 550: 75 shares for $5,400, 25 of the new company take 10.9624 %: $592 and $4,808.
    const found = ledgerOf([
      buy('2013-01-02', APPLE, '75', '72'),
      exchange('spin-off', '2013-07-26', { toQuantity: '25', percent: '10.9624' }),
    ]);
    expect(found).toMatchObject({ held: ['AAPL 75 4808.0304', 'KID 25 591.9696'] });
  });

  it('keeps the days of purchase of the shares that came, oldest first', () => {
    const found = ledgerOf([
      ...BOUGHT,
      exchange('spin-off', '2026-01-05', { toQuantity: '15', percent: '20' }),
      // 6 of 15 come from the first lot, with a fifth of its 3,000.
      { ...sell('2026-02-02', CHILD, '6', '110') },
    ]);
    expect(found).toMatchObject({ gains: ['60'], opened: ['2024-03-01'] });
    const average = ledgerOf(
      [...BOUGHT, exchange('spin-off', '2026-01-05', { toQuantity: '15', percent: '20' })],
      'average',
    );
    // A fifth of 3,000 + 2,400.
    expect(average).toMatchObject({ held: ['AAPL 75 4319.999988', 'KID 15 1079.999997'] });
  });

  it('counts a split and two spin-offs of one day in their order, before the trades of that day', () => {
    const entries: readonly NewTransaction[] = [
      sell('2026-01-05', APPLE, '10', '50'),
      { ...split('2026-01-05', APPLE, '2'), clientId: 's' },
      exchange('spin-off', '2026-01-05', { toQuantity: '10', percent: '10' }),
      { ...exchange('spin-off', '2026-01-05', { toQuantity: '10', percent: '50' }), clientId: 'second' },
    ];
    // 1,000, less a tenth, less half of the rest: 450 for 20; half of them brought 500.
    expect(ledgerOf([buy('2025-03-03', APPLE, '10', '100'), ...entries])).toMatchObject({
      held: ['AAPL 10 225', 'KID 20 550'],
      gains: ['275'],
    });
    // A split of the new shares on a later day.
    const later = [...entries.slice(1, 3), { ...split('2026-02-02', CHILD, '4'), clientId: 'k' }];
    expect(ledgerOf([buy('2025-03-03', APPLE, '10', '100'), ...later])).toMatchObject({
      held: ['AAPL 20 900', 'KID 40 100'],
    });
  });

  it('takes old shares away where a Korean company is divided', () => {
    // 100 shares at 50: the ratio 0.6073625 : 0.3926375 divides shares and cost alike.
    const numbers = { quantity: '39.26375', toQuantity: '39.26375', percent: '39.26375' };
    expect(
      ledgerOf([buy('2025-03-03', APPLE, '100', '50'), exchange('spin-off', '2025-11-27', numbers)]),
    ).toMatchObject({ held: ['AAPL 60.73625 3036.8125', 'KID 39.26375 1963.1875'] });
  });

  it('moves everything in a merger, and sells the part that was paid in cash', () => {
    const bought = buy('2024-03-01', APPLE, '10', '100');
    expect(ledgerOf([bought, exchange('merger', '2026-01-05', { quantity: '10', toQuantity: '3' })])).toEqual(
      {
        held: ['AAPL 0 0', 'KID 3 1000'],
        gains: [],
        opened: [],
      },
    );
    // $500 of cash beside 3 × $500: a quarter of the cost, 250, was sold.
    const paid = { quantity: '10', toQuantity: '3', amount: '500', price: '500' };
    expect(ledgerOf([bought, exchange('merger', '2026-01-05', paid)])).toEqual({
      held: ['AAPL 0 0', 'KID 3 750'],
      gains: ['250'],
      opened: ['2024-03-01'],
    });
    expect(ledgerOf([bought, exchange('merger', '2026-01-05', { quantity: '11', toQuantity: '3' })])).toBe(
      'oversold',
    );
    expect(ledgerOf([exchange('merger', '2026-01-05', { quantity: '1', toQuantity: '3' })])).toBe(
      'nothing-held',
    );
  });

  it('refuses a spin-off that leaves none of the old shares, and new shares beside a short sale of them', () => {
    const bought = buy('2025-03-03', APPLE, '10', '100');
    const away = exchange('spin-off', '2026-01-05', { quantity: '10', toQuantity: '4', percent: '20' });
    expect(ledgerOf([bought, away])).toBe('spun-away');
    const short = [bought, sell('2026-01-02', CHILD, '5', '50'), { ...away, quantity: new Decimal(0) }];
    const rules = { baseCurrency: 'USD', method: 'fifo', allowsShort: true } as const;
    const derived = atOnce(deriveLedger(short, rules));
    expect(derived.status === 'refused' && derived.problem.kind).toBe('sold-short');
  });

  it('lowers the cost by capital paid back, and realises what is above it', () => {
    const bought = buy('2025-03-03', APPLE, '10', '10');
    expect(ledgerOf([bought, repaid('2026-01-05', '30')])).toMatchObject({ held: ['AAPL 10 70'], gains: [] });
    expect(ledgerOf([bought, repaid('2026-01-05', '30'), repaid('2026-02-02', '90')])).toMatchObject({
      held: ['AAPL 10 0'],
      gains: ['20'],
    });
    // Four of ten shares are taken back for 60, which cost 40.
    expect(ledgerOf([bought, repaid('2026-01-05', '60', '4')])).toMatchObject({
      held: ['AAPL 6 60'],
      gains: ['20'],
    });
  });

  it('counts the purchase of the old shares for the one-year line in the US', () => {
    const entries = [
      buy('2024-03-01', APPLE, '10', '100'),
      exchange('spin-off', '2026-01-05', { toQuantity: '5', percent: '20' }),
      sell('2026-02-02', CHILD, '5', '60'),
    ];
    const report = atOnce(termReport({ entries, allowsShort: false }, 'USD', 2026));
    expect('sales' in report && report.gains.long.toFixed()).toBe('100');
  });

  it('is a dividend in kind for a resident of Korea where the price of the day is known', () => {
    const rates = { '2025-03-05': '1400', '2026-01-05': '1450', '2026-02-04': '1500' };
    const kept = [
      buy('2025-03-03', APPLE, '10', '100'),
      exchange('spin-off', '2026-01-05', { toQuantity: '5', percent: '20' }),
      sell('2026-02-02', CHILD, '5', '60'),
    ];
    // 5 × 60 × 1,500 − a fifth of 1,400,000.
    const split = korean(kept, rates);
    expect([split.gain.toFixed(), split.financialIncome.toFixed()]).toEqual(['170000', '0']);
    const [first, , last] = kept;
    const priced = exchange('spin-off', '2026-01-05', { toQuantity: '5', percent: '20', price: '50' });
    const paid = korean(
      [first, priced, last].filter((entry) => entry !== undefined),
      rates,
    );
    // Income 5 × 50 × 1,450 = 362,500, which is the cost: 450,000 − 362,500.
    expect([paid.gain.toFixed(), paid.financialIncome.toFixed()]).toEqual(['87500', '362500']);
  });

  it('carries the cost of a merger in won into the report of Korea', () => {
    const found = korean(
      [
        buy('2025-03-03', APPLE, '10', '100'),
        exchange('merger', '2026-01-05', { quantity: '10', toQuantity: '4' }),
        sell('2026-02-02', CHILD, '4', '400'),
      ],
      { '2025-03-05': '1400', '2026-01-05': '1450', '2026-02-04': '1500' },
    );
    // 4 × 400 × 1,500 − 10 × 100 × 1,400.
    expect(found.gain.toFixed()).toBe('1000000');
  });
});

describe('in words', () => {
  it('records a spin-off with its part of the cost, shows it, and takes it back', async () => {
    const { say, ledgerOf: entriesOf } = await open();
    const recorded = await say('/portfolio spin-off AAPL MSFT 4 20% 2026-02-02');
    expect(recorded.content).toMatch(/Spin-off from .*AAPL.*: 4 .*MSFT.*, 20% of its cost · 2026-02-02/u);
    expect((await say('/portfolio')).content).toMatch(/Microsoft[^|]*\| 4 /u);
    expect((await say('/portfolio 내역 MSFT', 'ko')).content).toMatch(
      /인적분할: .*AAPL.* → .*MSFT.* 4주, 원가의 20%/u,
    );
    // 80 a share are left of 100.
    expect((await say('/portfolio sell AAPL 5 90 2026-03-02 --yes')).content).toContain(
      'Profit on this sale: +$50.00',
    );
    expect((await say('/portfolio sell MSFT 4 60 2026-03-02 --yes')).content).toContain(
      'Profit on this sale: +$40.00',
    );
    expect((await say('/portfolio undo 2')).content).toContain('Take back #4 first');
    await say('/portfolio undo 3-4');
    expect((await say('/portfolio undo 2')).content).toContain('Spin-off from');
    expect((await entriesOf('mina')).filter(({ isReversed }) => !isReversed)).toHaveLength(1);
  });

  it('asks for what is missing, with an example', async () => {
    const { say } = await open();
    expect((await say('/portfolio AAPL spin-off')).content).toContain('/portfolio spin-off GE GEV 25 19.8%');
    expect((await say('/portfolio 인적분할 AAPL MSFT 4주', 'ko')).content).toContain('원가의 몇 %');
    expect((await say('/portfolio 분할 상장 AAPL MSFT 4주 20% 2026-02-02', 'ko')).content).toContain(
      '인적분할',
    );
    expect((await say('/portfolio merger AAPL MSFT 4 cash $100 2026-02-03')).content).toContain(
      'At what price?',
    );
    expect((await say('/portfolio merger NVDA MSFT 4 2026-02-03')).content).toContain('you hold no NVIDIA');
  });

  it('says what to type where a spin-off would take all shares away', async () => {
    const { say } = await open();
    const english = await say('/portfolio spin-off AAPL 10 MSFT 4 20% 2026-02-02');
    expect(english.content).toContain('/portfolio spin-off GE GEV 25 19.8%');
    const korean = await say('/portfolio 인적분할 AAPL 10주 MSFT 4주 20% 2026-02-02', 'ko');
    expect(korean.content).toContain('없어지는데 원가는 일부만');
  });

  it('merges all that a split of the same day left, and takes events of one day back one after the other', async () => {
    const { say, ledgerOf: entriesOf } = await open();
    await say('/portfolio new other USD');
    const events = [
      'split AAPL 2:1 2026-02-02',
      'spin-off AAPL NVDA 3 10% 2026-02-02',
      'capital-return AAPL $30 2026-02-02',
      'transfer AAPL 5 to other 2026-02-02',
      'split AAPL 3:1 2026-02-03',
      'merger AAPL MSFT 4 2026-02-03',
      'spin-off MSFT NVDA 2 50% 2026-02-03',
      'transfer MSFT 1 to other 2026-02-03',
      'capital-return NVDA 1 share $40 2026-02-03',
    ];
    const shown = async () => [
      (await say('/portfolio --in=main')).content,
      (await say('/portfolio --in=other')).content,
    ];
    const states: (readonly string[])[] = [];
    for (const event of events) {
      states.push(await shown());
      expect((await say(`/portfolio ${event} --in=main --yes`)).content, event).toContain('✅ ');
    }
    const merger = (await entriesOf('mina')).find(({ kind }) => kind === 'merger');
    // 10 times 2, less 5, times 3.
    expect(merger && 'quantity' in merger && merger.quantity?.toFixed()).toBe('45');
    for (const [index, event] of events.entries().toArray().toReversed()) {
      await say('/portfolio undo --in=main');
      expect(await shown(), event).toEqual(states[index]);
    }
  });

  it('records a merger of all that is held, and capital that is paid back', async () => {
    const { say, files, ledgerOf: entriesOf } = await open();
    expect((await say('/portfolio 자본환급 AAPL 100달러 2026-01-20', 'ko')).content).toMatch(
      /자본 환급: .*AAPL.* \$100\.00/u,
    );
    expect((await say('/portfolio 흡수합병 AAPL MSFT 3주 2026-02-02', 'ko')).content).toMatch(
      /합병: .*AAPL.* 10주 → .*MSFT.* 3주/u,
    );
    // 1,000 less 100 for three shares.
    expect((await say('/portfolio sell MSFT 3 400 2026-03-02 --yes')).content).toContain(
      'Profit on this sale: +$300.00',
    );
    await say('/portfolio 인적분할 AAPL MSFT 2주 25% 2026-01-25', 'ko');
    await say('/portfolio export');
    const [head = '', ...rows] = (files.at(-1) ?? '').split('\r\n');
    expect(head).toContain('to_symbol,to_quantity,cost_percent');
    expect(rows.join('\n')).toMatch(/spin-off,AAPL[^\n]*,MSFT,2,25,,$/mu);
    const back = await textFile(files.at(-1) ?? '');
    expect(back.errors).toEqual([]);
    const recorded = (await entriesOf('mina')).filter(({ isReversed }) => !isReversed);
    expect(plain(back.entries.map(({ entry }) => entry))).toEqual(plain(recorded));
  });
});
