import { metricNamed } from '#src/kernel/market/fact-metrics.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import type { AnswerCheck, CheckedNumber } from '../judge/verdict.ts';
import { groundingTexts } from '../texts.ts';
import { MARK } from '../facts/withdrawn.ts';

/** The numbers of an answer that nothing supports. */
export const missesIn = ({ numbers }: AnswerCheck): readonly CheckedNumber[] =>
  numbers.filter(({ verdict }) => verdict === 'unsupported');

/** Whether the model is asked to look at its answer again. */
export const asksForRepair = (check: AnswerCheck): boolean =>
  check.questions.length > 0 || check.claims.length > 0 || missesIn(check).length > 0;

const MAX_LISTED = 12;
const EVERY_MARKUP = /[*_~`[\]|\n<>]/gu;

const plain = (text: string): string => text.replaceAll(EVERY_MARKUP, '').trim();

const listed = (texts: readonly string[], locale: Locale): string => {
  const unique = [...new Set(texts)];
  const rest = unique.length - MAX_LISTED;
  return [
    ...unique.slice(0, MAX_LISTED),
    ...(rest > 0 ? [groundingTexts(locale).more({ count: rest })] : []),
  ].join(', ');
};

const CURRENCY = /^[A-Z]{3,5}$/;
const CENTS = 2;
const HANGUL = /[가-힣]/u;

/** What people of this language call the subject of a fact. */
const nameOf = ({ names = [], entity }: Fact, locale: Locale): string =>
  names.find((name) => HANGUL.test(name) === (locale === 'ko')) ?? names[0] ?? entity;

const NUMERIC = /^-?\d+(?:\.\d+)?$/;

const valueOf = ({ value, unit }: Fact, locale: Locale): string => {
  if (!NUMERIC.test(value)) return plain(value);
  const number = new Decimal(value);
  return CURRENCY.test(unit)
    ? formatFinancialNumber(number, {
        locale,
        currency: unit,
        ...(number.isInteger() ? {} : { minimumFractionDigits: CENTS }),
      })
    : `${formatFinancialNumber(number, { locale })}${unit === '%' ? '%' : ''}`;
};

/** Every mark goes behind its number, so that no character of the model is touched. */
const withMarks = (answer: string, numbers: readonly CheckedNumber[]): string => {
  const parts: string[] = [];
  let from = 0;
  for (const { end } of numbers.toSorted((a, b) => a.end - b.end)) {
    parts.push(answer.slice(from, end), MARK);
    from = end;
  }
  return [...parts, answer.slice(from)].join('');
};

/** Marks what nothing supports, and says below the answer what could not be confirmed and what was not done. */
export const markAnswer = (answer: string, check: AnswerCheck, locale: Locale): string => {
  const misses = missesIn(check);
  const t = groundingTexts(locale);
  const strangers = check.questions.flatMap(({ kind, facts: [known] }) =>
    kind === 'stranger' && known
      ? [
          t.marketSays({
            name: plain(
              `${nameOf(known.fact, locale)} ${metricNamed(known.fact.metric)?.words[locale][0] ?? ''}`,
            ),
            value: valueOf(known.fact, locale),
          }),
        ]
      : [],
  );
  const claimed = new Set(check.claims.map(({ effect }) => effect));
  // Beside what exactly was claimed, `Done!` says no more.
  if (claimed.size > 1) claimed.delete('changed');
  const notes = [
    ...(misses.length > 0
      ? [
          t.unconfirmed({
            list: listed(
              misses.map(({ text }) => plain(text)),
              locale,
            ),
          }),
        ]
      : []),
    ...new Set(strangers),
    ...(check.uncheckedCount > 0 ? [t.unchecked({ count: check.uncheckedCount })] : []),
    ...(claimed.size > 0 ? [t.notDone({ effects: [...claimed].map((effect) => t.done[effect]) })] : []),
  ];
  return notes.length === 0 ? answer : [withMarks(answer, misses), notes.join('\n')].join('\n\n');
};
