import type { TextRange } from '../read/layout.ts';
import { opennessOf, type WrittenRange } from './written.ts';

/** Words that announce a result. */
const CALCULATED =
  /[=≈→]|합|차이|격차|총|평균|비율|비중|배수|환산|계산|남|더하|빼|곱|나누|대비|보다|약\s|정도|손익|수익|이익|손실|추가|상승 여력|괴리|sum|total|combined|together|average|mean|ratio|differ|gap|spread|versus|\bvs\b|than|worth|about|roughly|around|approx|≈|~|implies|equals?|works out|convert|leaves|remaining|upside|downside|gain|loss|profit|\b(?:up|down|from|below|above|under|off|ahead|behind|short)\b|outperform|\bbeat|\blag|band|range|폭|범위|구간|필요|모자|부족|need|내려|올라|떨어|하락|상승|높|낮|per (?:share|month|year|day)/iu;
const CUED = 4;
/** A number with two digits follows from others more often than it is made up. */
const COARSE = 0.008;
const COARSE_FACTOR = 6;
const MEAN =
  /평균|중간|평단|average|\bmean\b|midpoint|midway|\bavg\b|a (?:month|day|year)\b|per (?:month|day|year)/iu;
const CUE_BEFORE = 60;
const CUE_AFTER = 40;

/** How much more likely the words around a number make it that it was calculated. */
export const cueAt = (
  text: string,
  { figure, ranges }: { readonly figure: TextRange; readonly ranges: readonly WrittenRange[] },
  sentence: TextRange,
  isInTable: boolean,
): number => {
  const around = text.slice(
    Math.max(sentence.start, figure.start - CUE_BEFORE),
    Math.min(sentence.end, figure.end + CUE_AFTER),
  );
  return (
    (isInTable || CALCULATED.test(around) ? CUED : 1) * (opennessOf(ranges) >= COARSE ? COARSE_FACTOR : 1)
  );
};

/** Whether the words around a number speak of an average; of the whole text, if there is none. */
export const speaksOfMean = (
  text: string,
  line: TextRange = { start: 0, end: text.length },
  figure = line,
): boolean => MEAN.test(text.slice(Math.max(line.start, figure.start - CUE_BEFORE), figure.end + CUE_AFTER));
