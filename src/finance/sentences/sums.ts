import { type Call, call } from './call.ts';

const MAX_LENGTH = 200;

const ASKS = /^(?:what(?:'s| is)|how much is|calculate|compute|calc|계산(?:해\s?(?:줘|주세요))?:?)\s+/iu;
/** From the end on, one after the other: 은 얼마야? */
const ENDINGS = [
  /(?<![\s?=.!])[\s?=.!]+$/u,
  /(?<!\s)\s*(?:(?:얼마|몇|뭐)\p{L}{0,20}|계산\s?(?:해\s?\p{L}{0,20})?|알려\s?\p{L}{0,20})$/u,
  /(?<!\s)\s*(?:=|은|는|이|을|를)$/u,
];
const SUM = /^(?:[\d\s.,+\-*/^%×÷()−만억조]|sqrt|abs|min|max|round|ln|log10|exp)+$/iu;
/** Not a date, a phone number, `24/7` or `50-50`: those have a tight hyphen or slash and nothing else. */
const IS_SUM =
  /[\d)%만억조]\s*[+*×÷^]\s*[\d(\-−]|[\d)%]\s+[-−/]\s+[\d(]|[\d)]\s*[-−/+*]\s*\(|(?:sqrt|abs|min|max|round|ln|log10|exp)\s*\(/iu;
const TIGHT = /[\d)%]\s*[-−/]\s*[\d(]/u;
const NUMBERS = String.raw`[\d.,]+`;
const PERCENT_OF = new RegExp(`^(${NUMBERS})\\s*(?:%|percent)\\s+of\\s+(${NUMBERS})$`, 'iu');
const OF_PERCENT = new RegExp(`^(${NUMBERS})\\s?의\\s*(${NUMBERS})\\s?(?:%|퍼센트|프로)$`, 'u');

/** A sum and nothing else: `12*(3+4)`, `what is 15% of 240`, 240의 15%. */
export const readSum = (text: string): Call | null => {
  if (text.length > MAX_LENGTH || !/\d/u.test(text)) return null;
  const asked = text.replace(ASKS, '');
  const sum = ENDINGS.reduce((rest, ending) => rest.replace(ending, ''), asked).trim();
  const isAsked = asked !== text || /얼마|몇|계산|=\s*\??$/u.test(text);
  const [, rate, whole] = PERCENT_OF.exec(sum) ?? [];
  if (rate !== undefined) return call('calculate', { expression: `${rate}% of ${whole}` });
  const [, base, part] = OF_PERCENT.exec(sum) ?? [];
  if (base !== undefined) return call('calculate', { expression: `${part}% of ${base}` });
  const isSum = SUM.test(sum) && (IS_SUM.test(sum) || (isAsked && TIGHT.test(sum)));
  return isSum ? call('calculate', { expression: sum }) : null;
};
