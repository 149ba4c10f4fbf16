import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifiersIn, scanIdentifiers } from '#src/agent/memory/window/identifiers.ts';
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';

const found = (text: string): readonly string[] => [...identifiersIn(text)];

describe('identifiersIn', () => {
  everyRow([
    [
      'won',
      [
        '₩81,200',
        '81200원',
        '81,200 KRW',
        'KRW 81200',
        '81,200.00원',
        '8만1200원',
        '8만 1,200 원',
        '￦81,200',
      ],
    ],
    ['dollars', ['$182.50', '182.5 USD', '182.50달러', 'US$182.5', '$ 182.5', '182.5 dollars', '182.5 usd']],
    ['large sums', ['1.2조원', '1조 2천억원', '₩1.2T', '1,200,000,000,000원', '₩1.2 trillion']],
    ['compound sums', ['3억 5천만원', '3.5억 원', '350,000,000 KRW']],
    ['percentages', ['3.5%', '3.50 %', '3.5퍼센트', '3.5 percent', '+3.5%']],
    ['shares', ['10주', '10 주', '10 shares', '10주를']],
    ['many shares', ['10만주', '10만 주', '100,000 shares']],
    ['tickers', ['AAPL', '$AAPL', '$aapl', 'AAPL을', '(AAPL)', 'AAPL,']],
    ['share classes', ['BRK.B', 'BRK-B', '$BRK.B']],
    ['Korean codes', ['005930', '005930.KS', '005930의']],
    ['newer Korean codes', ['0088Z0', '0088Z0.KQ']],
    ['pairs', ['BTC/KRW', 'BTC-KRW', 'KRW-BTC']],
    ['days', ['11월 13일', 'Nov 13', 'November 13th', '13 Nov', '11월13일']],
    [
      'dates',
      ['2026-11-13', '2026.11.13', '2026/11/13', '2026년 11월 13일', 'Nov 13, 2026', '13 November 2026'],
    ],
    ['plain numbers', ['1,234.5', '1234.50', '1234.5']],
  ])('takes %s for the same however they are written', (_what, forms) => {
    const [first = '', ...others] = forms;
    expect(found(first)).not.toEqual([]);
    for (const other of others) expect([other, found(other)]).toEqual([other, found(first)]);
  });

  everyRow([
    ['₩81,200', '$81,200'],
    ['81,200원', '81,200'],
    ['3.5%', '3.5'],
    ['10주', '10원'],
    ['005930', '5930'],
    ['1.2조원', '1.2억원'],
    ['BTC/KRW', 'BTC/USD'],
    ['Nov 13', 'Nov 3'],
    ['$182.50', '$182.05'],
  ])('tells %s from %s', (one, other) => {
    expect(identifiersIn(one).isDisjointFrom(identifiersIn(other))).toBe(true);
  });

  it('finds everything in a sentence', () => {
    expect(
      found('11월 13일에 AAPL 10주를 $182.50에 샀고 005930은 8만1200원까지 3.5% 빠지면 BTC/KRW로'),
    ).toEqual(['11-13', 'AAPL', '10 shares', 'USD 182.5', '005930', 'KRW 81200', '3.5%', 'BTC/KRW']);
  });

  it('knows a date with its year also by its day, but not the other way round', () => {
    expect(identifiersIn('Nov 13').isSubsetOf(identifiersIn('on 2026-11-13'))).toBe(true);
    expect(identifiersIn('on 2026-11-13').isSubsetOf(identifiersIn('Nov 13'))).toBe(false);
  });

  it.each([
    'I DID NOT SELL the ETF for USD, PER and ROE are OK',
    'tell me about 3 of the 12 stocks in 2026, please',
    'hello, Apple and Samsung',
    '안녕하세요 삼성전자 어때요',
    '10주년 행사, 2주간',
    'COVID19 abc_DEF x86 A100',
    '',
  ])('finds nothing in %o', (words) => {
    expect(found(words)).toEqual([]);
  });

  everyRow([
    ['1,2,3', []],
    ['1.5,2.5,3.5', ['1.5', '2.5', '3.5']],
    ['AAPL,182.50', ['AAPL', '182.5']],
    ['AAPL/MSFT', ['AAPL', 'MSFT']],
    ['10-20%', ['10%', '20%']],
    ['100 조선, 5 of them', []],
    ['25bp, 2배, 0.5%p', ['25bp', '2x', '0.5 points']],
    ['0.1 BTC', ['BTC', '0.1']],
    ['BTC 0.1개', ['BTC', '0.1 shares']],
    ['삼백만원', ['KRW 3000000']],
    ['373220', ['373220']],
    ['BTC-KRW 100', ['BTC/KRW']],
    ['5 BN USD', ['USD 5000000000']],
    ['2026-13-45', []],
    ['May 2026', []],
    ['샀다.2026-11-13에 1,500원', ['2026-11-13', '11-13', 'KRW 1500']],
  ])('reads %s as %o', (words, expected) => {
    expect(found(words)).toEqual(expected);
  });

  it('keeps the sign in what it quotes, but not in what it compares', () => {
    expect(scanIdentifiers('AAPL -3.5% (+1.2%) 10-20%').map(({ raw }) => raw)).toEqual([
      'AAPL',
      '-3.5%',
      '+1.2%',
      '10-20%',
    ]);
    expect(found('-3.5%')).toEqual(['3.5%']);
  });

  it('finds in what it quotes alone the same as in the whole text', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'AAPL',
        '$182.50',
        '8만 1,200원',
        'Nov 13',
        '2026',
        '10주',
        '-3.5%',
        '005930',
        ' ',
        ', ',
        '원',
      ),
      fc.constantFrom(
        'BTC-',
        'KRW',
        '3억',
        '1,',
        '234',
        '.5',
        '%',
        '월',
        '일',
        '주',
        ' shares',
        'Dec',
        '2026-11-13',
      ),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const words = pieces.join('');
        const quoted = [...new Set(scanIdentifiers(words).map(({ raw }) => raw))].join('; ');
        expect(identifiersIn(quoted)).toEqual(identifiersIn(words));
      }),
      { numRuns: 500 },
    );
  });

  it.each(['1', '1,', '1,111,', '1.', 'A', 'A-', '$', '1억 ', 'Nov 1', '2026-', '1월', ' ', '8만', '₩'])(
    'takes time in proportion to the length of %o again and again',
    (unit) => {
      const words = unit.repeat(50_000 / unit.length);
      const startMs = cpuMs();
      scanIdentifiers(words);
      // The square of fifty thousand steps would take far longer, on any machine.
      expect(cpuMs() - startMs).toBeLessThan(3_000);
    },
  );
});
