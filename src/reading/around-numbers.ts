/** What the words around a number say of it: that it is supposed, a rule, a result, a mean, a count. */

interface Range {
  readonly start: number;
  readonly end: number;
}

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
const ASSUMED_AFTER =
  /^(?:(?:으로|라고|이라고|로)?\s?(?:잡|가정|놓고|치면|친다|본다면|보면)|(?:이|가|까지|으로|로)?\s?(?:되면|된다면|이?라면|이면|오르면|내리면|떨어지면|빠지면|가면|간다면))/u;
const ASSUMED_BEFORE =
  /(?:assum\w{1,4}|suppos\w{1,4}|\bsay,?|imagine|if (?:it|the price|the rate)[\p{L}\s]{0,20})\s(?:an? |the )?(?:[\p{L}]{1,12} ){0,3}[₩$€£¥]?$/iu;
/** `보통 1.75%`, `typically 0.5%`. */
const CUSTOM = /보통|통상|일반적|대개|흔히|typical|usual|generally/iu;
const LOOK = 48;

const before = (text: string, sentence: Range, { start }: Range): string =>
  text.slice(Math.max(sentence.start, start - LOOK), start);
const after = (text: string, { end }: Range): string => text.slice(end, end + LOOK);

/** Whether a number of this sentence is assumed, whatever its digits. */
export const isAssumed = (text: string, sentence: Range, number: Range): boolean =>
  ASSUMED_AFTER.test(after(text, number)) || ASSUMED_BEFORE.test(before(text, sentence, number));

/** Whether it is a condition, or the sentence advises, offers or gives an example. */
export const isConditioned = (text: string, sentence: Range, number: Range): boolean =>
  CONDITION_AFTER.test(after(text, number)) ||
  CONDITION_BEFORE.test(before(text, sentence, number)) ||
  ADVICE.test(text.slice(sentence.start, sentence.end));

/** Whether a percentage is the rate of a tax. */
export const isTaxRate = (text: string, sentence: Range, number: Range): boolean =>
  TAX_BEFORE.test(before(text, sentence, number)) || TAX_AFTER.test(after(text, number));

/** Whether a sentence speaks of a custom, a rule, or an allowance in money. */
export const saysCustom = (sentence: string): boolean => CUSTOM.test(sentence);
export const saysRule = (sentence: string): boolean => RULE.test(sentence);
export const saysAllowance = (sentence: string): boolean => OF_TAX.test(sentence);

/** Of what is counted or weighed: no sum of money gives it. */
const COUNTED_UNIT =
  /^\s?(?:명|톤|배럴|온스|대(?!\p{L})|가구|개국|매장|(?:metric )?tonn?e?s|barrels|ounces|people|employees|customers|users|subscribers|stores|vehicles|cars|deliveries|matches|results)(?![a-z])/iu;
/** `100 Apple shares`. */
const COUNTED_AFTER = /^ (?:[\p{L}&.]{1,16} ){0,2}(?:shares?|units?|coins?)\b/iu;
/** Words that announce a result. */
const CALCULATED =
  /[=≈→]|합|차이|격차|총|평균|비율|비중|배수|환산|계산|남|더하|빼|곱|나누|대비|보다|약\s|정도|손익|수익|이익|손실|추가|상승 여력|괴리|sum|total|combined|together|average|mean|ratio|differ|gap|spread|versus|\bvs\b|than|worth|about|roughly|around|approx|≈|~|implies|equals?|works out|convert|leaves|remaining|upside|downside|gain|loss|profit|\b(?:up|down|from|below|above|under|off|ahead|behind|short)\b|outperform|\bbeat|\blag|band|range|폭|범위|구간|필요|모자|부족|need|내려|올라|떨어|하락|상승|높|낮|per (?:share|month|year|day)/iu;
const MEAN =
  /평균|중간|평단|average|\bmean\b|midpoint|midway|\bavg\b|a (?:month|day|year)\b|per (?:month|day|year)/iu;

/** Whether this follows a number that counts or weighs things; shares. */
export const isCountOfThings = (behind: string): boolean => COUNTED_UNIT.test(behind);
export const isCountOfShares = (behind: string): boolean => COUNTED_AFTER.test(behind);
export const saysResult = (words: string): boolean => CALCULATED.test(words);
export const saysMean = (words: string): boolean => MEAN.test(words);
