import type { Locale } from '#src/kernel/locale.ts';
import { grouped, type Piece, type Printed } from './printed.ts';

/** Prints a value in one way; undefined if nobody would write it so. */
export type Form = (value: number) => Printed | undefined;

type Affix = readonly [before: string, after: string];

const MAN = 1e4;
const EOK = 1e8;
const JO = 1e12;

const printed = (value: number, pieces: readonly Piece[], isApproximate = false): Printed => ({
  pieces,
  isNegative: value < 0,
  isApproximate,
});

/** Nobody writes out more digits of an amount. */
const MOST_WRITTEN_OUT = 1e10;

/** `102,300`, with so many decimals. */
export const plain =
  (decimals: number, [before, after]: Affix, isGrouped = true): Form =>
  (value) => {
    if (Math.abs(value) >= MOST_WRITTEN_OUT) return undefined;
    const digits = grouped(Math.abs(value), decimals);
    if (Number(digits.replaceAll(',', '')) === 0) return undefined;
    return printed(value, [
      before,
      { digits: isGrouped ? digits : digits.replaceAll(',', ''), scale: 1 },
      after,
    ]);
  };

/** `10.2만`, `$4.52 trillion`: at least one and less than ten thousand of the scale. */
const scaled =
  (scale: number, word: string, decimals: number, [before, after]: Affix, about = ''): Form =>
  (value) => {
    const size = Math.abs(value) / scale;
    if (size < 1 || size >= 10_000) return undefined;
    // So coarse that the last digit says little: nobody writes `1만` of 12,345.
    if (decimals === 0 && size < (about === '' ? 10 : 3)) return undefined;
    const digits = grouped(size, decimals);
    return printed(value, [about, before, { digits, scale }, { word }, after], about !== '');
  };

/** `10만 2,300`, `13조 2,000억`: exact to the smaller scale. */
const compound =
  (large: number, largeWord: string, small: number, smallWord: string, after: string): Form =>
  (value) => {
    const size = Math.round(Math.abs(value) / small) * small;
    const head = Math.floor(size / large);
    const rest = Math.round((size - head * large) / small);
    if (head < 1 || head >= 10_000 || rest === 0) return undefined;
    const tail: readonly Piece[] = smallWord === '' ? [] : [{ word: smallWord }];
    const restDigits = { digits: grouped(rest, 0), scale: small };
    return printed(value, [
      { digits: grouped(head, 0), scale: large },
      { word: largeWord },
      ' ',
      restDigits,
      ...tail,
      after,
    ]);
  };

/** `약 10만`: two significant digits. */
const rough =
  (about: string, significant: number, [before, after]: Affix): Form =>
  (value) => {
    const size = Math.abs(value);
    if (size < 100 || size >= MOST_WRITTEN_OUT) return undefined;
    const step = 10 ** (Math.floor(Math.log10(size)) - significant + 1);
    if (step < 1) return undefined;
    const digits = grouped(Math.round(size / step) * step, 0);
    return printed(value, [about, before, { digits, scale: 1 }, after], true);
  };

const largeKorean = (after: string): readonly Form[] => [
  scaled(JO, '조', 0, ['', after]),
  scaled(JO, '조', 1, ['', after]),
  scaled(JO, '조', 0, ['', after], '약 '),
  scaled(EOK, '억', 0, ['', after]),
  compound(JO, '조', EOK, '억', after),
];

const smallKorean = (after: string): readonly Form[] => [
  scaled(MAN, '만', 1, ['', after]),
  scaled(MAN, '만', 0, ['', after], '약 '),
  compound(EOK, '억', MAN, '만', after),
];

const largeEnglish = (before: string, after = ''): readonly Form[] =>
  (
    [
      [1e12, ' trillion', 2],
      [1e12, 'T', 2],
      [1e12, ' trillion', 1],
      [1e9, ' billion', 1],
      [1e9, 'B', 1],
      [1e6, ' million', 2],
      [1e6, 'M', 1],
    ] as const
  ).map(([scale, word, decimals]) => scaled(scale, word, decimals, [before, after]));

const WHOLE_FROM = 1e7;

const wonForms = (locale: Locale): readonly Form[] =>
  locale === 'ko'
    ? [
        plain(0, ['', '원']),
        plain(0, ['', '원']),
        plain(0, ['', ' 원']),
        plain(0, ['', '원'], false),
        plain(0, ['₩', '']),
        plain(0, ['', ' KRW']),
        compound(MAN, '만', 1, '', '원'),
        rough('약 ', 3, ['', '원']),
        ...smallKorean(' 원'),
        ...smallKorean('원'),
        ...largeKorean(' 원'),
        ...largeKorean('원'),
      ]
    : [
        plain(0, ['₩', '']),
        plain(0, ['₩', '']),
        plain(0, ['KRW ', '']),
        plain(0, ['', ' won']),
        plain(0, ['', ' KRW']),
        rough('about ', 3, ['₩', '']),
        ...largeEnglish('₩'),
        ...largeEnglish('KRW '),
        ...largeEnglish('', ' won'),
      ];

const dollarForms = (locale: Locale, decimals: number): readonly Form[] =>
  locale === 'ko'
    ? [
        plain(decimals, ['', '달러']),
        plain(decimals, ['$', '']),
        plain(decimals, ['', ' 달러']),
        plain(decimals, ['US$', '']),
        rough('약 ', 3, ['', '달러']),
        ...largeKorean(' 달러'),
        ...largeKorean('달러'),
      ]
    : [
        plain(decimals, ['$', '']),
        plain(decimals, ['$', '']),
        plain(decimals, ['USD ', '']),
        plain(decimals, ['', ' USD']),
        plain(decimals, ['US$', '']),
        rough('about ', 3, ['$', '']),
        rough('roughly ', 3, ['$', '']),
        ...largeEnglish('$'),
        ...largeEnglish('USD '),
      ];

const pointForms = (locale: Locale): readonly Form[] =>
  locale === 'ko'
    ? [plain(2, ['', '포인트']), plain(2, ['', '']), plain(2, ['', 'pt'])]
    : [plain(2, ['', '']), plain(2, ['', ' points'])];

const percentForms = (locale: Locale): readonly Form[] =>
  locale === 'ko'
    ? [plain(2, ['', '%']), plain(2, ['', '%']), plain(1, ['', '%']), plain(2, ['', '퍼센트'])]
    : [plain(2, ['', '%']), plain(2, ['', '%']), plain(1, ['', '%']), plain(2, ['', ' percent'])];

const countForms = (locale: Locale, word: Affix): readonly Form[] => {
  const [, after] = word;
  return locale === 'ko'
    ? [
        plain(0, ['', after]),
        compound(MAN, '만', 1, '', after),
        ...(after === ''
          ? []
          : [scaled(MAN, '만', 0, ['', ` ${after}`]), scaled(MAN, '만', 0, ['', ` ${after}`], '약 ')]),
        ...(after === '' ? [] : [scaled(EOK, '억', 1, ['', ` ${after}`])]),
      ]
    : [plain(0, word), ...largeEnglish('', after), rough('about ', 3, word)];
};

/** Where the value would be printed as less than it says: `₩0` of 0.32. */
const priceDecimals = (value: number): number => (Math.abs(value) < 1 ? 4 : 2);

/** All ways to print a value of this unit. */
export const formsOf = (unit: string, locale: Locale, value: number): readonly Form[] => {
  switch (unit) {
    case 'KRW':
      return Math.abs(value) < 10_000 && !Number.isInteger(value)
        ? [plain(2, ['', locale === 'ko' ? '원' : ' won']), plain(2, ['₩', ''])]
        : wonForms(locale);
    case 'USD':
      // Cents of large sums are left out.
      return dollarForms(locale, Math.abs(value) >= WHOLE_FROM ? 0 : priceDecimals(value));
    case 'rate':
      return [plain(4, ['', '']), plain(4, locale === 'ko' ? ['', '달러'] : ['$', ''])];
    case 'EUR':
      return locale === 'ko'
        ? [plain(0, ['', '유로']), plain(2, ['€', ''])]
        : [plain(2, ['€', '']), plain(0, ['', ' euros'])];
    case 'JPY':
      return locale === 'ko'
        ? [plain(0, ['', '엔']), plain(0, ['¥', ''])]
        : [plain(0, ['¥', '']), plain(0, ['', ' yen'])];
    case 'points':
      return pointForms(locale);
    case '%':
      return percentForms(locale);
    case 'x':
      return locale === 'ko'
        ? [plain(2, ['', '배']), plain(1, ['', '배']), plain(2, ['', 'x'])]
        : [plain(2, ['', 'x']), plain(1, ['', 'x']), plain(2, ['', ' times'])];
    case 'shares':
      return countForms(locale, locale === 'ko' ? ['', '주'] : ['', ' shares']);
    case 'number':
      return [plain(Number.isInteger(value) ? 0 : 2, ['', ''])];
    default:
      return [plain(2, ['', '']), plain(2, ['', '']), plain(1, ['', ''])];
  }
};
