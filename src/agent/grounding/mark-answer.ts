import type { Locale } from '#src/kernel/locale.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/tool.ts';
import type { AnswerCheck, CheckedNumber } from './verdict.ts';
import { groundingMessages } from './messages.ts';

const isMiss = ({ verdict }: CheckedNumber): boolean =>
  verdict === 'contradicted' || verdict === 'unsupported';

/** The numbers of an answer that must be repaired or marked. */
export const missesIn = ({ numbers }: AnswerCheck): readonly CheckedNumber[] => numbers.filter(isMiss);

export const hasMisses = (check: AnswerCheck): boolean => check.numbers.some(isMiss);

const MAX_LISTED = 12;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?/;
const CURRENCY = /^[A-Z]{3,5}$/;
const MAX_DECIMALS = 8;
const CENT_DECIMALS = 2;

/** The value of a fact as people write it. */
const factText = ({ value, unit, metric }: Fact, locale: Locale): string => {
  // A plugin may write anything behind a date.
  if (!PLAIN_NUMBER.test(value)) return DATE.exec(value)?.[0].replace('T', ' ') ?? String(Number(value));
  const number = new Decimal(value);
  if (unit === '%') {
    const showSign = /change|gain|growth|return/iu.test(metric);
    return `${showSign && number.greaterThan(0) ? '+' : ''}${number.toFixed()}%`;
  }
  const isMoney = CURRENCY.test(unit);
  const places = number.decimalPlaces();
  // `$190.10`, not `$190.1`.
  const decimals = Math.min(isMoney && places === 1 ? CENT_DECIMALS : places, MAX_DECIMALS);
  const options = { locale, minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  if (isMoney) return formatFinancialNumber(number, { ...options, currency: unit });
  const suffix = unit === '%p' ? '%p' : unit === 'x' ? (locale === 'ko' ? '배' : 'x') : '';
  return `${formatFinancialNumber(number, options)}${suffix}`;
};

/** For the model: `삼성전자: price 102,300 KRW`, with what tells it apart from others of its kind. */
const factLine = (
  { entity, metric, value, unit, day, period, parameter, asOf }: Fact,
  tool: string,
): string =>
  [
    `${tool} says ${entity} ${metric}${parameter === undefined ? '' : ` (${parameter})`}`,
    ...(period === undefined ? [] : [`over ${period}`]),
    `${value} ${unit}`,
    `as of ${day ?? asOf}`,
  ].join(' ');

const HEADER = 'Your answer was not sent yet: some of its numbers do not match the results of the tools.';
const FOOTER =
  'Write the whole answer again. Correct these numbers, get them with a tool, or leave them out. Calculate with `calculate`. Do not mention this note.';

const DIGITS = /\d[\d,.]*/u;

/** The same number, so that only the direction can be wrong. */
const isOpposite = (text: string, value: string): boolean =>
  Number(DIGITS.exec(text)?.[0].replaceAll(',', '')) === Math.abs(Number(value));

/** Asks the model to correct the wrong numbers, with what the tools said. */
export const repairNote = (check: AnswerCheck): string => {
  const misses = missesIn(check);
  const lines = misses.slice(0, MAX_LISTED).map(({ text, known, verdict }) => {
    const isReversed = known !== undefined && isOpposite(text, known.fact.value);
    const said =
      known && verdict === 'contradicted'
        ? `${factLine(known.fact, known.tool)}${isReversed ? ': the direction in the answer is wrong' : ''}`
        : 'in no result';
    // The model trusts the note, so no name in a fact may end it.
    return `- ${text}: ${said}`.replaceAll(/[\n<>]/gu, ' ');
  });
  const rest = misses.length > MAX_LISTED ? [`- and ${misses.length - MAX_LISTED} more`] : [];
  return ['<context>', HEADER, ...lines, ...rest, FOOTER, '</context>'].join('\n');
};

const MARK = '⚠️';
/** Marks in the middle of these would break the markup. */
const MARKUP = /[*_~`[\]|\n]/u;

const listed = (texts: readonly string[], locale: Locale): string => {
  const unique = [...new Set(texts)];
  const rest = unique.length - MAX_LISTED;
  return [
    ...unique.slice(0, MAX_LISTED),
    ...(rest > 0 ? [groundingMessages(locale).more({ count: rest })] : []),
  ].join(', ');
};

/** Strikes contradicted numbers, marks unsupported ones, and says in one line what could not be confirmed. */
export const markAnswer = (answer: string, check: AnswerCheck, locale: Locale): string => {
  const misses = missesIn(check);
  if (misses.length === 0 && check.uncheckedCount === 0) return answer;
  const t = groundingMessages(locale);
  const corrected: string[] = [];
  const unconfirmed: string[] = [];
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, text, verdict, known } of misses) {
    const written = text.trim();
    parts.push(answer.slice(from, start));
    if (verdict === 'contradicted' && known) {
      const right = factText(known.fact, locale);
      parts.push(MARKUP.test(text) ? `${text} (→ ${right})` : `~~${text}~~ ${right}`);
      corrected.push(`${written.replaceAll(/[*_~`[\]|\n]/gu, '')} → ${right} (${known.tool})`);
    } else {
      parts.push(`${text}${MARK}`);
      unconfirmed.push(written.replaceAll(/[*_~`[\]|\n]/gu, ''));
    }
    from = end;
  }
  parts.push(answer.slice(from));
  const notes = [
    ...(corrected.length > 0 ? [t.corrected({ list: listed(corrected, locale) })] : []),
    ...(unconfirmed.length > 0 ? [t.unconfirmed({ list: listed(unconfirmed, locale) })] : []),
    ...(check.uncheckedCount > 0 ? [t.unchecked({ count: check.uncheckedCount })] : []),
  ];
  return [parts.join('').trimEnd(), notes.join('\n')].join('\n\n');
};

const STRUCK = /~~[^~\n]{1,80}~~/gu;
const MARKED = /(?<![\d.,])\d[\d.,]{0,40}[^\s\d⚠~]{0,12}(?: [^\s\d⚠~]{1,12}){0,2}⚠️/gu;
const LISTED = new RegExp(
  `(?:${(['ko', 'en'] as const)
    .flatMap((locale) => [groundingMessages(locale).corrected, groundingMessages(locale).unconfirmed])
    .map((write) => RegExp.escape(write({ list: '\n' }).split('\n')[0] ?? ''))
    .join('|')})[^⚠\n]*`,
  'gu',
);

/** A quoted answer without the numbers that were struck or marked in it: they must not support themselves. */
export const withoutWithdrawn = (quoted: string): string =>
  quoted.includes(MARK)
    ? quoted.replaceAll(LISTED, ' ').replaceAll(STRUCK, ' ').replaceAll(MARKED, ' ')
    : quoted;
