import type {
  ExplainedAnswer,
  FactSource,
  NumberSource,
  SourceOperand,
} from '#src/kernel/agent/answer-sources.ts';
import { metricNamed } from '#src/kernel/market/fact-metrics.ts';
import { type Locale, localized } from '#src/kernel/locale.ts';
import { writeMoment } from '#src/kernel/time.ts';
import { Decimal, formatFinancialNumber } from '#src/kernel/money.ts';
import type { Fact } from '#src/kernel/market/fact.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { writtenMoneyText } from '#src/markets/answers/money-text.ts';
import { inMarkdown, untrustedLine } from '#src/markets/answers/untrusted-text.ts';
import { asCode } from '#commands/shared/labels.ts';
import { whyTexts } from './why-texts.ts';

/** What people call the sources that are parts of the program. */
const factSourcesEn = {
  sample: 'sample data',
  ledger: 'transaction records',
  calculator: 'calculator',
  importedFile: 'imported file',
  calendar: 'exchange calendar',
  alert: 'alert settings',
};

const factSourcesKo: typeof factSourcesEn = {
  sample: '샘플 데이터',
  ledger: '거래 기록',
  calculator: '계산기',
  importedFile: '가져온 파일',
  calendar: '거래소 달력',
  alert: '알림 설정',
};

const texts = localized({ en: factSourcesEn, ko: factSourcesKo });

const OWN: readonly (readonly [source: RegExp, name: keyof typeof factSourcesEn])[] = [
  [/^ledger$/, 'ledger'],
  [/^calculator$/, 'calculator'],
  [/^imported file$/, 'importedFile'],
  [/^exchange calendar /, 'calendar'],
  [/^alert /, 'alert'],
];

/** The source of a fact in the words of people: `Yahoo Finance`, `거래 기록 + Yahoo Finance`. Empty if it is unknown. */
const factSourceName = ({ source, isSample }: Pick<Fact, 'source' | 'isSample'>, locale: Locale): string => {
  const t = texts(locale);
  // The name of a made-up source says no more than that.
  if (isSample) return t.sample;
  return source
    .split(' + ')
    .map((part) => {
      const own = OWN.find(([pattern]) => pattern.test(part));
      return own ? t[own[1]] : part;
    })
    .join(' + ');
};

interface Reader {
  readonly locale: Locale;
  readonly timeZone: string;
}

/** Longer lists would bury what matters. */
const MAX_NUMBERS = 25;
const MAX_OPERANDS = 6;
const MAX_NAME_CHARS = 60;
const MAX_FORMULA_CHARS = 160;
const MAX_DIGITS = 6;

const HANGUL = /\p{Script=Hangul}/u;
const PLAIN_NUMBER = /^-?\d{1,40}(?:\.\d{1,40})?$/;
const PERIOD = /^(\d{1,4})(d|wk|mo|y)$/;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}/;
/** Units that say nothing to a person. */
const SILENT_UNITS: ReadonlySet<string> = new Set([
  '',
  'units',
  'number',
  'ratio',
  'count',
  'points',
  'text',
  'date',
  '1',
]);

/** Text of tools, plugins and models: short, on one line, without markup. */
const plain = (text: string): string => inMarkdown(untrustedLine(text, MAX_NAME_CHARS));

/** A formula on one line, as it was written. */
const formulaText = (formula: string): string => asCode(untrustedLine(formula, MAX_FORMULA_CHARS));

/** The name in the language of the reader, if it has one. */
const nameOf = ({ fact, names }: FactSource, locale: Locale): string =>
  names.find((name) => HANGUL.test(name) === (locale === 'ko')) ?? names[0] ?? fact.entity;

const periodText = (period: string, locale: Locale): string => {
  const t = whyTexts(locale);
  if (period === 'ytd') return t.ytd();
  if (period === 'max') return t.max();
  if (ISO_DAY.test(period)) return t.since({ day: period });
  const [, count, unit] = PERIOD.exec(period) ?? [];
  const write = unit === undefined ? undefined : t.period[unit as keyof typeof t.period];
  return write ? write({ count: Number(count) }) : period;
};

/** `삼성전자 RSI (14)`, `삼성전자 종가 (2026-11-10)`. */
const whatOf = (source: FactSource, locale: Locale): string => {
  const { metric, label, day, period, parameter } = source.fact;
  const [word = label ?? metric] = metricNamed(metric)?.words[locale] ?? [];
  const which = [
    parameter,
    period === undefined ? undefined : periodText(period, locale),
    day?.replace('T', ' '),
  ]
    .filter((each) => each !== undefined && each !== '')
    .map((each) => plain(each ?? ''));
  const what = [nameOf(source, locale), word]
    .map(plain)
    .filter((each) => each !== '')
    .join(' ');
  return which.length > 0 ? `${what} (${which.join(', ')})` : what;
};

/** The value of a fact, with its unit. */
const factValueText = ({ value, unit, metric }: Fact, locale: Locale): string => {
  if (!PLAIN_NUMBER.test(value)) return plain(value);
  const number = new Decimal(value);
  if (currencyNamed(unit)) return writtenMoneyText(number, unit, locale);
  const showSign = metricNamed(metric)?.isSigned === true;
  const written = formatFinancialNumber(number, { locale, showSign, maximumFractionDigits: MAX_DIGITS });
  if (unit === '%') return `${written}%`;
  if (unit === 'x') return whyTexts(locale).times({ number: written });
  return SILENT_UNITS.has(unit) ? written : `${written} ${plain(unit)}`;
};

/** What a fact is, with its value. */
const valueText = (source: FactSource, locale: Locale): string =>
  `${whatOf(source, locale)} ${factValueText(source.fact, locale)}`;

/** The moment of a fact, in the zone of the reader. A plugin may have written anything. */
const momentText = (asOf: string, timeZone: string): readonly string[] => {
  try {
    return [writeMoment(Temporal.Instant.from(asOf), timeZone)];
  } catch {
    return [];
  }
};

/** Tool, time and source. */
const originOf = ({ fact, tool }: FactSource, { locale, timeZone }: Reader): readonly string[] => [
  ...(tool === '' ? [] : [asCode(tool)]),
  ...momentText(fact.asOf, timeZone),
  ...[plain(factSourceName(fact, locale))].filter((each) => each !== ''),
];

const joined = (parts: readonly string[]): string => parts.join(' · ');

const operandLines = (operands: readonly SourceOperand[], reader: Reader): readonly string[] =>
  operands
    .flatMap(({ source }) => (source ? [source] : []))
    .slice(0, MAX_OPERANDS)
    .map((source) => `  - ${joined([valueText(source, reader.locale), ...originOf(source, reader)])}`);

const describe = (number: NumberSource, isOwn: boolean, reader: Reader): string => {
  const { locale } = reader;
  const t = whyTexts(locale);
  switch (number.kind) {
    case 'fact':
      return joined([whatOf(number.source, locale), ...originOf(number.source, reader)]);
    case 'calculated': {
      const { formula, source, operands } = number;
      const how = formula === undefined ? t.derived() : t.calculated({ formula: formulaText(formula) });
      // Time and source of a calculation say nothing: those of its operands do.
      const origin = source && source.tool !== '' ? [asCode(source.tool)] : [];
      return [joined([how, ...origin]), ...operandLines(operands, reader)].join('\n');
    }
    case 'asked':
      return isOwn ? t.ownNumber() : t.askersNumber();
    case 'answered':
      return t.answered();
    case 'read':
      return t.read();
    case 'private':
      return t.private();
    case 'unknown':
      return t.unknown();
  }
  return number satisfies never;
};

/** All numbers of an answer, one line each. */
export const explanationText = (
  { answeredAt, isOwn, numbers, exemptCount, uncheckedCount }: ExplainedAnswer,
  reader: Reader,
): string => {
  const t = whyTexts(reader.locale);
  if (numbers.length === 0 && uncheckedCount === 0) return t.noNumbers();
  const lines = numbers
    .slice(0, MAX_NUMBERS)
    .map((number) => `- **${plain(number.text)}** — ${describe(number, isOwn, reader)}`);
  const left = numbers.length - lines.length;
  const notes = [
    ...(uncheckedCount > 0 ? [t.unchecked({ count: uncheckedCount })] : []),
    ...(exemptCount > 0 ? [t.exempt({ count: exemptCount })] : []),
  ];
  return [
    t.title({ time: writeMoment(answeredAt, reader.timeZone) }),
    [...lines, ...(left > 0 ? [t.more({ count: left })] : [])].join('\n'),
    notes.join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

/** The facts that the text shows, so that sample data is marked below it. */
export const shownFacts = ({ numbers }: Pick<ExplainedAnswer, 'numbers'>): readonly Fact[] =>
  numbers.slice(0, MAX_NUMBERS).flatMap((number) => {
    const own = 'source' in number && number.source ? [number.source.fact] : [];
    const operands =
      number.kind === 'calculated' ? number.operands.flatMap(({ source }) => source?.fact ?? []) : [];
    return [...own, ...operands];
  });
