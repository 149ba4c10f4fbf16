import { characterTest, isLetter } from './characters.ts';
import { endAt } from './reading.ts';

/** The words around an amount that make it approximate. */

const ABOUT_BEFORE =
  /(?:약|대략|거의|얼추|한|(?<!\d\s?)[~≈]|about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?)\s?[$₩€£¥]?$/iu;
const isSign = characterTest(/[$₩€£¥]/u);
const isBlank = characterTest(/\s/u);
/** Last characters of these words. */
const isAboutEnd = characterTest(/[약략의추한~≈tdyxea.]/iu);
const ABOUT_AFTER =
  /\s?(?:쯤|정도|가량|남짓|안팎|내외|or so|ish|~(?!\s?\d))|대(?=$|[^\p{L}]|[에로를가의])/iuy;
/** First characters of these words. */
const isAboutStart = characterTest(/[쯤정가남안내oi~대]/iu);
/** Longer than any of these words with a currency sign. */
const MAX_ABOUT = 16;

const isAboutBefore = (text: string, start: number): boolean => {
  let end = start;
  if (isSign(text.charCodeAt(end - 1))) end -= 1;
  if (isBlank(text.charCodeAt(end - 1))) end -= 1;
  if (!isAboutEnd(text.charCodeAt(end - 1))) return false;
  const before = text.slice(Math.max(0, start - MAX_ABOUT), start);
  const word = ABOUT_BEFORE.exec(before);
  return word !== null && !isLetter(before.charCodeAt(word.index - 1));
};

const isAboutAfter = (text: string, end: number): boolean => {
  const first = isBlank(text.charCodeAt(end)) ? end + 1 : end;
  return isAboutStart(text.charCodeAt(first)) && endAt(ABOUT_AFTER, text, end) !== undefined;
};

/** True for `약 3만원`, `about $200` and `3만원쯤`. */
export const isAbout = (text: string, start: number, end: number): boolean =>
  isAboutBefore(text, start) || isAboutAfter(text, end);
