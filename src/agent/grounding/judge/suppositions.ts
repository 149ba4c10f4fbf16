import type { TextRange } from '../read/layout.ts';
import { type Figure, significantDigits } from '../read/figures.ts';

/** `10% 더 떨어지면`, `100만 원을 넣는다면`: what is supposed stands before the ending. */
const CONDITION_AFTER = /^[^,.\n]{0,24}?(?:(?<![측화반표장국방단전후정])면|경우|다가|기로|려고)(?=[\s,])/u;
/** `if it falls 10%`, `a stop at 7% below`. */
const CONDITION_BEFORE =
  /(?:\bif\b|suppos|assum|imagine|hypothetic|\bevery\b|\beach\b|\bsay\b|for every|at least|more than|as much as)[^,.;\n]{0,48}$/iu;
/** A sentence that advises, offers or gives an example. */
const ADVICE =
  /만약|만일|가정|가령|시나리오|예를 들|예컨대|예시|목표|손절|익절|분할|권장|추천|고려|제안|할까요|드릴까요|원하시면|말씀해|for (?:example|instance)|e\.g\.|\blet me know\b|\bwant(?: me)?\b|consider|recommend|suggest|\btarget|stop[- ]loss|\bset (?:an?|it|up)\b|rule of thumb|scenario/iu;
/** A sentence of a rule, a custom, a limit or a scale. */
const RULE =
  /보통|일반적|통상|대개|흔히|대체로|법칙|원칙|과매수|과매도|중립|세율|공제|한도|거래세|원천\s?징수|소득세|비과세|해석|간주|typical|usual|generally|rule|historically|\btax|withh(?:eld|old)|insur|considered|overbought|oversold|neutral|deduct|allowance|exempt|bracket|threshold/iu;
/** Of an allowance or a limit in money. */
const OF_TAX = /세율|공제|한도|소득세|비과세|예금자|\btax|deduct|allowance|exempt|insur/iu;
/** `양도소득세율 22%`, `withholding of 15.4%`: a rate of a tax, whatever its digits. */
const TAX_BEFORE =
  /(?:세율|소득세|거래세|세금|원천\s?징수|\btax(?:ed)?(?: rate)?|withholding|withheld)[^,.\n\d]{0,12}$/iu;
/** `22%의 양도소득세`, `15% withholding`. */
const TAX_AFTER =
  /^(?:의|인|가|를)?\s?(?:[\p{L}]{1,12}\s)?(?:양도|배당|소득|거래|원천|지방|종합|세금|세율|(?:withholding|capital gains|dividend|income|long-term|state|federal|transaction)?\s?tax|withh)/iu;
/** `환율을 1,460원으로 잡으면`, `assuming a rate of 1,460`. */
const ASSUMED_AFTER = /^(?:으로|라고|이라고|로)?\s?(?:잡|가정|놓고|치면|친다|본다면|보면)/u;
const ASSUMED_BEFORE =
  /(?:assum\w{1,4}|suppos\w{1,4}|\bsay,?|imagine|if (?:it|the price|the rate)[\p{L}\s]{0,20})\s(?:an? |the )?(?:[\p{L}]{1,12} ){0,3}[₩$€£¥]?$/iu;
const LOOK = 48;
const ROUND_DIGITS = 2;
/** `보통 1.75%`, `typically 0.5%`. */
const CUSTOM = /보통|통상|일반적|대개|흔히|typical|usual|generally/iu;
const CUSTOM_DIGITS = 3;

/** Whether the sentence supposes the number, so that nobody could look it up. */
export const isSupposed = (text: string, sentence: TextRange, figure: Figure): boolean => {
  const { start, end } = figure;
  if (ASSUMED_AFTER.test(text.slice(end, end + LOOK))) return true;
  if (ASSUMED_BEFORE.test(text.slice(Math.max(sentence.start, start - LOOK), start))) return true;
  if (significantDigits(figure) > ROUND_DIGITS) return false;
  return (
    CONDITION_AFTER.test(text.slice(end, end + LOOK)) ||
    CONDITION_BEFORE.test(text.slice(Math.max(sentence.start, start - LOOK), start)) ||
    ADVICE.test(text.slice(sentence.start, sentence.end))
  );
};

/** Whether it is of a rule or a custom: a tax rate, a level of an indicator. */
export const isOfRule = (text: string, sentence: TextRange, figure: Figure): boolean => {
  const { start, end, kind } = figure;
  if (
    kind === 'percent' &&
    (TAX_BEFORE.test(text.slice(Math.max(sentence.start, start - LOOK), start)) ||
      TAX_AFTER.test(text.slice(end, end + LOOK)))
  )
    return true;
  const written = text.slice(sentence.start, sentence.end);
  if (kind === 'percent' && significantDigits(figure) <= CUSTOM_DIGITS && CUSTOM.test(written)) return true;
  const rule = kind === 'money' ? OF_TAX : RULE;
  return significantDigits(figure) <= ROUND_DIGITS && rule.test(written);
};
