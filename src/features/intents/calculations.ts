import { amountsIn, type AmountReading } from '#src/reading/amounts.ts';
import { withoutReadings } from '#src/reading/reading.ts';
import { spansIn } from '#src/reading/spans.ts';
import { evaluate } from '#src/features/calculate/evaluate.ts';
import { type Call, call } from './intent.ts';

const MAX_LENGTH = 200;

const ASKS = /^(?:what(?:'s| is)|how much is|calculate|compute|calc|계산(?:해\s?(?:줘|주세요))?:?)\s+/iu;
/** Removed from the end, one after the other: 은 얼마야? */
const ENDINGS = [
  /(?<![\s?=.!])[\s?=.!]+$/u,
  /(?<!\s)\s*(?:(?:얼마|몇|뭐)\p{L}{0,20}|계산\s?(?:해\s?\p{L}{0,20})?|알려\s?\p{L}{0,20})$/u,
  /(?<!\s)\s*(?:=|은|는|이|을|를)$/u,
];
/** Excludes dates, phone numbers, `24/7` and `50-50`, which have only a hyphen or slash without blanks. */
const IS_SUM =
  /[\d)%만억조원]\s*[+*×÷^]\s*[\d(\-−]|[\d)%]\s+[-−/]\s+[\d(]|[\d)]\s*[-−/+*]\s*\(|[\d)]\s*[-−]\s*[\d.]+\)|(?:sqrt|abs|min|max|round|ln|log10|exp|pct)\s*\(|\d\S{0,9}\s(?:plus|minus|times|더하기|빼기|곱하기|나누기)\s\d|(?:%|percent|퍼센트|프로)\s+of\s|\d\S{0,12}\s?의\s*\d[\d.]*\s?(?:%|퍼센트|프로)/iu;
const PERCENT_OF_SOMETHING =
  /^\p{Script=Hangul}{1,6}\s(\d[^\s의]{0,15}의\s?\d[\d.]{0,6}\s?(?:%|퍼센트|프로))$/u;
const TIGHT = /[\d)%]\s*[-−/]\s*[\d(]/u;

/** Operators as verbs behind two amounts. */
const VERBS: readonly (readonly [operator: string, pattern: RegExp])[] = [
  ['/', /(?:으로|로)\s?나누\p{L}{0,9}|\bdivided by\b/iu],
  ['*', /곱하\p{L}{0,9}|\bmultiplied by\b/iu],
  ['-', /에서.{1,20}(?:빼|뺀|깎)\p{L}{0,9}/u],
  ['+', /에.{1,20}(?:더하|더한|보태)\p{L}{0,9}/u],
  ['*', /짜리/u],
];
const BESIDE =
  /나누\p{L}{0,9}|곱하\p{L}{0,9}|[빼뺀깎]\p{L}{0,9}|더하\p{L}{0,9}|더한|보태\p{L}{0,9}|짜리|divided by|multiplied by|얼마\p{L}{0,9}|몇\p{L}{0,9}|계산\p{L}{0,9}|되\p{L}{0,9}|돼\p{L}{0,9}|알려\s?\p{L}{0,9}|what(?:'s| is)|how much is|(?<!\p{L})(?:으로|로|에서|에|을|를|은|는|면|이면|의|그럼|총)(?!\p{L})/giu;
const EMPTY = /^[\s?!.,~=]*$/u;

const textOf = (text: string, { start, end }: AmountReading): string =>
  text.slice(start, end).replace(/씩$/u, '').trim();

const readByVerb = (text: string): Call | null => {
  const operator = VERBS.find(([, pattern]) => pattern.test(text))?.[0];
  const amounts = amountsIn(text);
  const [left, right] = amounts;
  if (operator === undefined || !left || !right || amounts.length !== 2) return null;
  if (!EMPTY.test(withoutReadings(text, amounts).replaceAll(BESIDE, ''))) return null;
  return sumOf(`${textOf(text, left)} ${operator} ${textOf(text, right)}`);
};

const COMPOUND = /복리|\bcompound/iu;
const MONTHLY = /매[달월]|한\s?달에|월\s?\d|\b(?:monthly|every month|(?:a|per) month)\b/iu;
const SAVES = /모으|적립|저축|넣으|\bsav(?:e|ing)/iu;

/** Compound interest: `연 5% 복리로 1000만원 10년`, `매달 50만원씩 연 4%로 5년`. Null if rate, amount or span is missing. */
const readGrowth = (text: string): Call | null => {
  if (!COMPOUND.test(text) && !SAVES.test(text)) return null;
  const spans = spansIn(text).filter(({ value }) => value.years + value.months > 0);
  const [span] = spans;
  const amounts = amountsIn(withoutReadings(text, spans));
  const rate = amounts.find(({ value }) => value.unit === 'percent');
  const [money, ...more] = amounts.filter((each) => each !== rate);
  if (!span || spans.length > 1 || !rate || !money || more.length > 0) return null;
  const { years, months } = span.value;
  const allMonths = years * 12 + months;
  const sum = textOf(text, money);
  if (MONTHLY.test(text)) {
    const monthly = `${rate.value.value.dividedBy(100).toFixed()}/12`;
    return sumOf(`${sum} * ((1 + ${monthly})^${allMonths} - 1) / (${monthly})`);
  }
  const exponent = allMonths % 12 === 0 ? `${allMonths / 12}` : `(${allMonths}/12)`;
  return COMPOUND.test(text) ? sumOf(`${sum} * (1 + ${rate.value.value.toFixed()}%)^${exponent}`) : null;
};

const sumOf = (expression: string): Call | null =>
  evaluate(expression).status === 'ok' ? call('calculate', { expression }) : null;

/** A calculation and nothing else: `12*(3+4)`, `what is 15% of 240`, `10만원의 15%는?`, compound interest. */
export const readCalculation = (text: string): Call | null => {
  if (text.length > MAX_LENGTH || !/\d|[만천백억]/u.test(text)) return null;
  const asked = text.replace(ASKS, '');
  const sum = ENDINGS.reduce((rest, ending) => rest.replace(ending, ''), asked).trim();
  const isAsked = asked !== text || /얼마|몇|계산|=\s*\??$/u.test(text);
  // A percentage may be of something named: 월급 300만원의 10%.
  const part = PERCENT_OF_SOMETHING.exec(sum)?.[1];
  const isSum = IS_SUM.test(sum) || (isAsked && TIGHT.test(sum));
  return (
    (isSum ? (sumOf(sum) ?? (part === undefined ? null : sumOf(part))) : null) ??
    readGrowth(text) ??
    readByVerb(text)
  );
};
