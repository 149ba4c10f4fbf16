import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { NewTransaction } from '#src/core/ledger.ts';
import { CSV_LIMITS, csvLine, readCsv } from '#src/finance/portfolio/import/csv.ts';
import { dateOrderOf, numberIn } from '#src/finance/portfolio/import/csv-cells.ts';
import { readEntries } from '#src/finance/portfolio/import/csv-entries.ts';
import { rowProblemText } from '#src/finance/portfolio/import/csv-problems.ts';
import { decodeText } from '#src/infra/decode-text.ts';
import { atOnce } from '#src/infra/steps.ts';
import { symbols } from '#test/support/sample-market.ts';

const today = Temporal.PlainDate.from('2026-11-13');

const read = (text: string) =>
  readEntries(text, { symbols, baseCurrency: 'KRW', today }, new AbortController().signal);

const sample = async (name: string) => {
  const bytes = readFileSync(new URL(`csv-samples/${name}.csv`, import.meta.url));
  const result = await read(decodeText(bytes) ?? '');
  if (result.status === 'refused') throw new Error(`${name}: ${result.problem.kind}`);
  return result.file;
};

/** Everything that is recorded of it, on one short line. */
const short = (entry: NewTransaction): string => {
  const rate = entry.rate && !entry.rate.equals(1) ? ` x${entry.rate.toFixed()}` : '';
  const on = `${entry.date.toString().slice(5)}${rate}`;
  if (entry.kind === 'buy' || entry.kind === 'sell')
    return `${entry.kind} ${entry.instrument.symbol} ${entry.quantity.toFixed()}@${entry.price.toFixed()} -${entry.fee.toFixed()} -${entry.tax.toFixed()} ${entry.currency} ${on}`;
  if (entry.kind === 'dividend')
    return `dividend ${entry.instrument.symbol} ${entry.amount.toFixed()} -${entry.tax.toFixed()} ${entry.currency} ${on}`;
  return 'amount' in entry ? `${entry.kind} ${entry.amount.toFixed()} ${entry.currency} ${on}` : entry.kind;
};

/** A purchase on each of these days. */
const boughtOn = (...dates: readonly string[]) =>
  read(['date,kind,symbol,quantity,price', ...dates.map((date) => `${date},buy,AAPL,1,100`)].join('\n'));

const rowsOf = (text: string) => {
  const table = atOnce(readCsv(text));
  return table.status === 'ok' ? table.rows.map(({ line, cells }) => [line, ...cells]) : table.problem;
};

const problemWith = async (text: string) => {
  const result = await read(text);
  return result.status === 'refused' && result.problem.kind;
};

const BROKERS: Readonly<Record<string, readonly string[]>> = {
  generic: [
    'buy AAPL 10@180.5 -1 -0 USD 03-02',
    'buy MSFT 4@410 -0 -0 USD 03-03',
    'sell AAPL 3@1200.25 -1 -0 USD 05-04',
  ],
  'ib-activity': ['buy AAPL 100@180.5 -1.05 -0 USD 03-02', 'sell AAPL 40@195.25 -1.1 -0 USD 04-14', '! 11'],
  'ib-flex': ['buy MSFT 5@410.1 -0.35 -0 USD 03-02', 'sell MSFT 2@450 -0.36 -0.02 USD 06-09', '! 5'],
  schwab: [
    'sell AAPL 5@1210 -0.17 -0 USD 11-02',
    'dividend AAPL 7.8 -0 USD 06-09',
    'buy AAPL 30@181.2 -0 -0 USD 03-03',
    'deposit 6000 USD 03-02',
    '! 7',
  ],
  fidelity: [
    'buy MSFT 2@411.25 -0 -0 USD 03-05',
    'dividend MSFT 1.66 -0 USD 03-26',
    'sell MSFT 1@420.5 -0.01 -0 USD 04-16',
    'deposit 1000 USD 03-04',
  ],
  robinhood: [
    'sell AAPL 1.5@200 -0 -0 USD 05-14',
    'dividend AAPL 0.65 -0 USD 05-13',
    'buy AAPL 2.5@180 -0 -0 USD 03-09',
    'deposit 1000 USD 03-06',
    'withdrawal 25.5 USD 06-01',
  ],
  etrade: [
    'deposit 5000 USD 03-02',
    'buy NVDA 20@125 -0 -0 USD 03-03',
    'dividend NVDA 0.2 -0 USD 04-01',
    'sell NVDA 5@140.1 -0.5 -0 USD 04-05',
  ],
  vanguard: [
    'buy VTI 10@290.5 -0 -0 USD 03-13',
    'sell VTI 3@295 -0 -0 USD 04-13',
    'dividend VTI 9.1 -0 USD 03-30',
  ],
  kiwoom: [
    'deposit 10000000 KRW 03-02',
    'buy 005930.KS 100@71000 -1065 -0 KRW 03-03',
    'dividend 005930.KS 36100 -5550 KRW 04-17',
    'sell 005930.KS 40@82500 -495 -6600 KRW 05-04',
    '! 8',
  ],
  toss: [
    'deposit 5000000 KRW 03-02',
    'buy AAPL 3@180.5 -0.54 -0 USD 03-04 x1450.5',
    'buy 000660.KS 2@205000 -61 -0 KRW 03-05',
    'sell 000660.KS 1@250000 -37 -500 KRW 06-02',
    'dividend AAPL 0.78 -0.11 USD 06-12 x1440',
  ],
  mirae: ['buy 035420.KS 5@215000 -150 -0 KRW 03-02', 'sell 035420.KS 2@240000 -67 -960 KRW 06-09'],
  samsung: [
    'buy 005930.KS 3@70500 -30 -0 KRW 03-02',
    'sell 005930.KS 3@83000 -37 -498 KRW 06-05',
    'withdrawal 100000 KRW 06-08',
  ],
  'nh-cp949': [
    'buy 005930.KS 10@70500 -105 -0 KRW 03-02',
    'buy 000660.KS 1@201500 -30 -0 KRW 03-02',
    'sell 005930.KS 10@83000 -124 -1660 KRW 06-05',
    'dividend 005930.KS 3610 -550 KRW 06-06',
  ],
};

describe('a file of a broker', () => {
  it.each(Object.keys(BROKERS))('%s is read line by line, and its sums are not', async (name) => {
    const { entries, errors } = await sample(name);
    const lines = [...entries.map(({ entry }) => short(entry)), ...errors.map(({ line }) => `! ${line}`)];
    expect(lines).toEqual(BROKERS[name]);
  });

  it('says which parts of it are not read', async () => {
    expect((await sample('ib-activity')).leftOut).toEqual(['Dividends']);
  });

  it('that is hostile is refused line by line, in words that carry nothing of it', async () => {
    const { entries, errors } = await sample('hostile');
    expect(entries.map(({ line }) => line)).toEqual([13, 17]);
    const told = errors.map(({ line, problem }) => `${line} ${rowProblemText(problem, 'en')}`);
    expect(told.map((text) => text.split(' ')[0])).toEqual('2 3 4 5 6 7 8 9 10 11 12 14 15 16'.split(' '));
    expect(told.join('\n')).not.toMatch(/<@|\*\*|\[x\]|:\/\/|@everyone/);
    expect(told[0]).toMatch(/is a formula/);
    expect(told[11]).toMatch(/Shinsung.*Shinsung/);
    expect(Math.max(...told.map((text) => text.length))).toBeLessThan(260);
  });

  it('has the money that it names, or that of its country, and never another one', async () => {
    const lines = [
      '거래일자,거래구분,종목코드,수량,단가',
      '2026-03-02,매수,AAPL,1,180',
      '2026-03-02,매수,5930,1,70000',
    ];
    const result = await read(lines.join('\n'));
    if (result.status === 'refused') throw new Error(result.problem.kind);
    expect(result.file.entries.map(({ entry }) => short(entry))).toEqual([
      'buy 005930.KS 1@70000 -0 -0 KRW 03-02',
    ]);
    expect(result.file.errors).toMatchObject([{ line: 2, problem: { problem: { kind: 'other-currency' } } }]);
  });

  it('without taxes has those of Korean sales computed, and that is known', async () => {
    const result = await read('date,kind,symbol,quantity,price\n2026-03-02,sell,005930,10,70000');
    expect(result).toMatchObject({ status: 'ok', file: { lacksTaxes: true } });
  });

  it('of nothing but unknown names is not looked through to its end', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `2026-03-02,buy,QZX${index}K,1,100`);
    const result = await read(['date,kind,symbol,quantity,price', ...lines].join('\n'));
    if (result.status === 'refused') throw new Error(result.problem.kind);
    const kinds = result.file.errors.map(({ problem }) => problem.kind);
    expect(kinds).toHaveLength(400);
    expect(new Set(kinds.slice(0, 100))).toEqual(new Set(['unknown-name']));
    expect(kinds.at(-1)).toBe('unchecked-name');
  });

  it('whose dates can be read in two ways is refused as a whole', async () => {
    expect(await boughtOn('03/04/2026', '05/06/2026')).toMatchObject({ problem: { kind: 'unclear-dates' } });
    expect(await boughtOn('13/04/2026', '05/16/2026')).toMatchObject({ problem: { kind: 'unclear-dates' } });
    expect(await boughtOn('13/04/2026', '05/06/2026')).toMatchObject({
      file: { entries: [{}, { entry: { date: Temporal.PlainDate.from('2026-06-05') } }] },
    });
    expect(dateOrderOf(['03/04/2026'], true)).toBe('month-first');
    expect(dateOrderOf(['2026-03-04', '20260304', '2026.3.4.'], false)).toBe('month-first');
    expect(dateOrderOf(['03/03/2026'], false)).toBe('month-first');
    // The short years of Korean files come first.
    expect(dateOrderOf(['26.03.02', '26.04.15'], false)).toBe('year-first');
    expect(dateOrderOf(['13.04.26', '15.04.26'], false)).toBe('day-first');
    expect(dateOrderOf(['26.03.02'], false)).toBeUndefined();
  });

  it('that is none, or too much, is refused', async () => {
    const wide = Array.from({ length: CSV_LIMITS.columns + 1 }, () => 'x').join(',');
    const long = 'x'.repeat(CSV_LIMITS.cellCharacters + 1);
    const many = 'a,b\n'.repeat(CSV_LIMITS.rows + 1);
    const texts = [wide, long, many, 'a,"b\nc', 'hello\nworld', 'date,kind,symbol,quantity\n'];
    const problems = await Promise.all(texts.map(problemWith));
    expect(problems).toEqual([
      'too-many-columns',
      'long-cell',
      'too-many-rows',
      'open-quote',
      'no-header',
      'no-rows',
    ]);
  });
});

describe('a table', () => {
  it('has quotes, line breaks in cells, and any of three separators', async () => {
    expect(rowsOf('a,"b ""x"", c","d\r\ne"\r\n\r\n f ,5" disk,')).toEqual([
      [1, 'a', 'b "x", c', 'd\r\ne'],
      [4, 'f', '5" disk', ''],
    ]);
    expect(rowsOf('a;"1,5";c\nd;e,;f')).toEqual([
      [1, 'a', '1,5', 'c'],
      [2, 'd', 'e,', 'f'],
    ]);
    expect(rowsOf('a\tb,c\td')).toEqual([[1, 'a', 'b,c', 'd']]);
  });

  it('that is written is no formula in any program', async () => {
    expect(csvLine(['=1+1', '+1', '-1', '@x', "'x", 'a,b', 'x'])).toBe("'=1+1,'+1,'-1,'@x,''x,\"a,b\",x\r\n");
  });

  it.each([
    ['1,234.50', '1234.5'],
    ['(1,234.50)', '-1234.5'],
    ['$1,234.50', '1234.5 USD'],
    ['-$5', '-5 USD'],
    ['$-5', '-5 USD'],
    ['₩71,000', '71000 KRW'],
    ['71,000원', '71000 KRW'],
    ['500-', '-500'],
    ['１０', '10'],
    ['10주', '10'],
    ['.5', '0.5'],
    ['--', 'none'],
    ['', 'none'],
    ['1,5', 'wrong'],
    ['1.234,50', 'wrong'],
    ['1e9999', 'wrong'],
    ['=1+1', 'wrong'],
    ['NaN', 'wrong'],
    ['1 2', 'wrong'],
    ['5%', 'wrong'],
    ['--5', 'wrong'],
  ])('reads %s as %s', (cell, expected) => {
    const number = numberIn(cell);
    const text =
      typeof number === 'string' ? number : [number.value.toFixed(), number.currency ?? ''].join(' ').trim();
    expect(text).toBe(expected);
  });

  it('takes blanks and signs in any number without hanging', () => {
    const cell = `-${' '.repeat(28)}.${' '.repeat(29)}+`;
    const startedMs = performance.now();
    for (let count = 0; count < 1_000; count += 1) expect(numberIn(cell)).toBe('wrong');
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});
