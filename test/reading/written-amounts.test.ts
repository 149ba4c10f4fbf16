import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '#src/kernel/money.ts';
import { type Amount, type AmountReading, amountsIn, readAmount } from '#src/reading/amounts.ts';
import { anyText } from '#test/support/any-text.ts';

/** A way to write a number, and the value that is written. */
interface Written {
  readonly text: string;
  readonly value: Decimal;
}

const written = (text: string, value: Decimal.Value): Written => ({ text, value: new Decimal(value) });

const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
const fullWidth = (text: string): string =>
  text.replaceAll(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

const SINO = ['', '일', '이', '삼', '사', '오', '육', '칠', '팔', '구'];
const SMALL = ['', '십', '백', '천'];
const LARGE = ['', '만', '억', '조'];

/** Sections of four digits, the largest first, with the name of what they count. */
const sectionsOf = (value: number): readonly (readonly [section: number, unit: string])[] => {
  const sections = [];
  for (let rest = value, step = 0; rest > 0; rest = Math.floor(rest / 10_000), step += 1)
    sections.unshift([rest % 10_000, LARGE[step] ?? ''] as const);
  return sections.filter(([section]) => section > 0);
};

/** `1억 2,345만 6,789`. */
const inSections = (value: number, gap: string, digits: (section: number) => string): string =>
  sectionsOf(value)
    .map(([section, unit]) => `${digits(section)}${unit}`)
    .join(gap);

/** `천이백삼`; of ten, hundred and thousand one is not said. */
const spelledSection = (section: number): string =>
  Array.from(String(section))
    .map((digit, index, all) => {
      const scale = SMALL[all.length - 1 - index] ?? '';
      if (digit === '0') return '';
      return digit === '1' && scale !== '' ? scale : `${SINO[Number(digit)] ?? ''}${scale}`;
    })
    .join('');

/** `3천4백`, as people mix digits and words. */
const mixedSection = (section: number): string => {
  const parts = Array.from(String(section)).map((digit, index, all) =>
    digit === '0' ? '' : `${digit}${SMALL[all.length - 1 - index] ?? ''}`,
  );
  return parts.join('');
};

const NATIVE_TENS = ['', '열', '스물', '서른', '마흔', '쉰', '예순', '일흔', '여든', '아흔'];
const NATIVE_ONES = ['', '한', '두', '세', '네', '다섯', '여섯', '일곱', '여덟', '아홉'];
const native = (value: number): string =>
  value === 20 ? '스무' : `${NATIVE_TENS[Math.floor(value / 10)] ?? ''}${NATIVE_ONES[value % 10] ?? ''}`;

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ENGLISH_SCALES = ['', ' thousand', ' million', ' billion', ' trillion'];

const belowHundred = (value: number, hyphen: string): string =>
  value < 20
    ? (ONES[value] ?? '')
    : `${TENS[Math.floor(value / 10)] ?? ''}${value % 10 === 0 ? '' : `${hyphen}${ONES[value % 10] ?? ''}`}`;
const belowThousand = (value: number, hyphen: string, and: string): string => {
  if (value < 100) return belowHundred(value, hyphen);
  const rest = value % 100 === 0 ? '' : `${and}${belowHundred(value % 100, hyphen)}`;
  return `${ONES[Math.floor(value / 100)] ?? ''} hundred${rest}`;
};
const english = (value: number, hyphen: string, and: string): string => {
  if (value === 0) return 'zero';
  const parts: string[] = [];
  for (let rest = value, step = 0; rest > 0; rest = Math.floor(rest / 1_000), step += 1)
    if (rest % 1_000 > 0)
      parts.unshift(`${belowThousand(rest % 1_000, hyphen, and)}${ENGLISH_SCALES[step] ?? ''}`);
  return parts.join(' ');
};

const whole = fc.oneof(
  fc.integer({ min: 1, max: 999 }),
  fc.integer({ min: 1, max: 9_999_999 }),
  fc.integer({ min: 1, max: 9_999_999_999_999 }),
);
const cents = fc.integer({ min: 0, max: 99 });
const tenths = fc.integer({ min: 1, max: 9_999 }).map((value) => new Decimal(value).dividedBy(10));

const POWERS: Readonly<Record<string, number>> = {
  k: 3,
  K: 3,
  bn: 9,
  mn: 6,
  ' thousand': 3,
  ' mil': 6,
  ' million': 6,
  ' billion': 9,
  ' trillion': 12,
};
const KOREAN_POWERS: Readonly<Record<string, number>> = { 만: 4, 억: 8, 조: 12, 천만: 7, 백만: 6 };

const scaled = (powers: Readonly<Record<string, number>>): fc.Arbitrary<Written> =>
  fc
    .tuple(tenths, fc.constantFrom(...Object.keys(powers)))
    .map(([value, scale]) => written(`${value.toFixed()}${scale}`, value.times(`1e${powers[scale] ?? 0}`)));

/** Ways that are clear without a unit. `1억 5000` and `2억5` are not: their last section has to have its 만. */
const number: fc.Arbitrary<Written> = fc.oneof(
  whole.map((value) => written(String(value), value)),
  whole.map((value) => written(grouped(value), value)),
  fc.tuple(whole, cents).map(([value, cent]) => {
    const fraction = String(cent).padStart(2, '0');
    return written(`${grouped(value)}.${fraction}`, `${value}.${fraction}`);
  }),
  whole.map((value) => written(fullWidth(grouped(value)), value)),
  scaled(POWERS),
  scaled(KOREAN_POWERS),
  fc
    .tuple(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.constantFrom('', ' '),
      fc.constantFrom(String, grouped, mixedSection),
    )
    .map(([value, gap, digits]) => {
      const clear = value * 10_000;
      return written(inSections(clear, gap, digits), clear);
    }),
  fc
    .tuple(
      fc.integer({ min: 1, max: 9_999 }),
      fc.integer({ min: 100, max: 9_999 }),
      fc.constantFrom('', ' '),
      fc.constantFrom(String, grouped, mixedSection),
    )
    .filter(([, low, , digits]) => digits !== mixedSection || low % 10 === 0)
    .map(([high, low, gap, digits]) => {
      const value = high * 10_000 + low;
      return written(inSections(value, gap, digits), value);
    }),
);

/** Number words need a unit or more of them. */
const words: fc.Arbitrary<Written> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 10_000, max: 99_999_999 }), fc.constantFrom('', ' '))
    .map(([value, gap]) => written(inSections(value * 10_000, gap, spelledSection), value * 10_000)),
  fc
    .integer({ min: 11, max: 99_999_999 })
    .map((value) => written(inSections(value, '', spelledSection), value)),
  fc
    .tuple(
      fc.integer({ min: 0, max: 9_999_999_999_999 }),
      fc.constantFrom('-', ' '),
      fc.constantFrom(' ', ' and '),
    )
    .map(([value, hyphen, and]) => written(english(value, hyphen, and), value)),
);

type Kind = Partial<Pick<Amount, 'unit' | 'currency' | 'isCoin' | 'basis'>>;
interface Unit {
  readonly before?: string;
  readonly after?: string;
  readonly kind: Kind;
}

const money = (currency: string): Kind => ({ unit: 'money', currency });
const BEHIND: readonly Unit[] = [
  { after: '원', kind: money('KRW') },
  { after: ' 원', kind: money('KRW') },
  { after: ' won', kind: money('KRW') },
  { after: ' KRW', kind: money('KRW') },
  { after: '달러', kind: money('USD') },
  { after: ' dollars', kind: money('USD') },
  { after: ' USD', kind: money('USD') },
  { after: '엔', kind: money('JPY') },
  { after: ' 위안', kind: money('CNY') },
  { after: ' 홍콩 달러', kind: money('HKD') },
  { after: ' hong kong dollars', kind: money('HKD') },
  { after: '유로', kind: money('EUR') },
  { after: '동', kind: money('VND') },
  { after: ' BTC', kind: { ...money('BTC'), isCoin: true } },
  { after: '%', kind: { unit: 'percent' } },
  { after: '퍼센트', kind: { unit: 'percent' } },
  { after: ' 프로', kind: { unit: 'percent' } },
  { after: ' percent', kind: { unit: 'percent' } },
  { after: '배', kind: { unit: 'times' } },
  { after: '포인트', kind: { unit: 'points' } },
  { after: ' bp', kind: { unit: 'basis-points' } },
  { after: '주', kind: { unit: 'pieces' } },
  { after: ' shares', kind: { unit: 'pieces' } },
  { after: '개', kind: { unit: 'pieces' } },
  { after: '원어치', kind: { ...money('KRW'), basis: 'total' } },
  { after: '달러씩', kind: { ...money('USD'), basis: 'each' } },
  { after: ' dollars each', kind: { ...money('USD'), basis: 'each' } },
];
const AROUND: readonly Unit[] = [
  { kind: { unit: 'none' } },
  { before: '$', kind: money('USD') },
  { before: 'US$', kind: money('USD') },
  { before: 'USD ', kind: money('USD') },
  { before: '₩', kind: money('KRW') },
  { before: '€', kind: money('EUR') },
  { before: 'HK$', kind: money('HKD') },
  { before: '평단 ', kind: { unit: 'none', basis: 'each' } },
  { before: '총 ', kind: { unit: 'none', basis: 'total' } },
  { before: '총 ', after: '원', kind: { ...money('KRW'), basis: 'total' } },
  { before: 'avg $', kind: { ...money('USD'), basis: 'each' } },
  ...BEHIND,
];

interface WrittenAmount {
  readonly text: string;
  readonly value: Decimal;
  readonly kind: Kind;
}

/** Nobody glues Korean to English words. */
const isClear = ({ text }: Written, { after = '' }: Unit): boolean =>
  !(/^[a-z]/u.test(text) && /^\p{Script=Hangul}/u.test(after));

const amount: fc.Arbitrary<WrittenAmount> = fc
  .oneof(
    fc.tuple(number, fc.constantFrom(...AROUND)),
    fc.tuple(words, fc.constantFrom(...BEHIND)),
    fc.tuple(
      fc.integer({ min: 1, max: 99 }).map((value) => written(native(value), value)),
      fc.constantFrom<Unit>(
        { after: ' 주', kind: { unit: 'pieces' } },
        { after: '주', kind: { unit: 'pieces' } },
        { after: ' 개', kind: { unit: 'pieces' } },
        { after: '배', kind: { unit: 'times' } },
      ),
    ),
  )
  .filter(([one, unit]) => isClear(one, unit))
  .map(([{ text, value }, { before = '', after = '', kind }]) => ({
    text: `${before}${text}${after}`,
    value,
    kind,
  }));

const shown = ({ value: { value, unit, currency, isCoin, basis }, start, end }: AmountReading): unknown => ({
  value: value.toFixed(),
  unit,
  currency,
  isCoin,
  basis,
  start,
  end,
});

const expected = ({ text, value, kind }: WrittenAmount, start: number): unknown => ({
  value: value.toFixed(),
  unit: kind.unit,
  currency: kind.currency,
  isCoin: kind.isCoin,
  basis: kind.basis,
  start,
  end: start + text.length,
});

const BEFORE = ['', '삼성전자 ', 'bought ', '어제 샀는데, ', 'AAPL: ', '(', '"', 'it was ', '비트코인 '];
const AFTER = ['', ' 샀어', ', thanks', '. 그리고', ')', '"', ' 매수', '!', '\n다음'];

describe('a generated amount', () => {
  it('is read back with value, unit, currency, basis and position, alone and in a sentence', () => {
    fc.assert(
      fc.property(amount, fc.constantFrom(...BEFORE), fc.constantFrom(...AFTER), (one, before, after) => {
        const text = `${before}${one.text}${after}`;
        expect({ text, read: amountsIn(text).map(shown) }).toEqual({
          text,
          read: [expected(one, before.length)],
        });
      }),
      { numRuns: 1_000 },
    );
  });

  it('is read as a whole text', () => {
    fc.assert(
      fc.property(amount, (one) => {
        const read = readAmount(one.text);
        expect({ text: one.text, read: read && shown(read) }).toEqual({
          text: one.text,
          read: expected(one, 0),
        });
      }),
      { numRuns: 1_000 },
    );
  });
});

const fragment = fc.oneof(
  fc.constantFrom(
    ...'1 12 005930 1.5 1,000 , . - + ~ ( ) % $ ₩ 원 주 만 억 천 조 십 일 이 한 두 열 배 개 k m bn a half million one five hundred 약 총 평단 씩 어치 avg @ / : BTC USD 년 월'.split(
      ' ',
    ),
  ),
  fc.constant(' '),
  anyText({ maxLength: 3 }),
);

describe('any text', () => {
  it('never throws, and its amounts are ordered, disjoint and at their positions', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 14 }), (fragments) => {
        const text = fragments.join('');
        readAmount(text);
        let from = 0;
        for (const { start, end, value } of amountsIn(text)) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(value.value.isFinite()).toBe(true);
          from = end;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('reads the same whatever surrounds it', () => {
    fc.assert(
      fc.property(
        fc.array(fragment, { maxLength: 8 }),
        fc.constantFrom(['hello; ', ' ; bye'], ['안녕\n', '\n잘가'], ['!! ', ' !!']),
        (fragments, [before = '', after = '']) => {
          const text = fragments.join('');
          const inside = amountsIn(`${before};\n${text}\n;${after}`);
          const offset = before.length + 2;
          const alone = amountsIn(`\n${text}\n`);
          expect(inside.map(shown)).toEqual(
            alone.map((reading) =>
              shown({ ...reading, start: reading.start + offset - 1, end: reading.end + offset - 1 }),
            ),
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
