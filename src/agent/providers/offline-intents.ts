/** What the offline model makes of a message. */
export type Intent =
  | { readonly kind: 'greeting' | 'thanks' | 'which' | 'unknown' }
  | { readonly kind: 'quote'; readonly names: readonly string[] };

const GREETING =
  /^(하이|반가|hello|hi|hey|help|good (morning|afternoon|evening))(?!\p{L})|^안녕|^도움말|what can you do|뭐 ?할 수/iu;
const THANKS = /(고마워|고맙|감사|thank you|thanks)/iu;
const ASKS_PRICE =
  /(얼마|시세|주가|가격|현재가|어때|어떄|올랐|내렸|떨어졌|환율|종가|price|quote|how much|how(?:'s| is| are| was| did)|trading|worth|doing|cost|stock|share)/iu;

const STOP_WORDS = new Set(
  (
    'a an and are at be can check cost current currently did do does doing for get give go going has have how ' +
    "how's i in is it its let look latest market me much my now of on one or please price prices quote quotes " +
    'right share shares show stand stock stocks tell than that the their this to today trade trading up value ' +
    "versus vs was we what what's whats when where which who why with worth would you your yesterday " +
    '그 그리고 그럼 그거 지금 오늘 어제 현재 현재가 요즘 얼마 얼마야 얼마예요 얼마에요 얼마인가요 얼마죠 얼마니 얼만가요 ' +
    '얼마인지 주가 주식 시세 가격 종가 어때 어때요 어떄 어떤가요 알려줘 알려주세요 알려 말해줘 보여줘 보여주세요 조회 ' +
    '조회해줘 확인 확인해줘 좀 혹시 대해 대한 해줘 주세요 줘 이랑 하고 및 몇 원 달러로 얼마나 올랐어 올랐나 내렸어 떨어졌어 비교 비교해줘'
  ).split(' '),
);

/** Particles that Korean glues to a name; the name itself keeps at least two syllables. */
const PARTICLE = /(?<=[\p{L}\p{N}]{2})(에서|에는|이랑|하고|은|는|이|가|을|를|의|도|랑|과|와|만|에|로)$/u;
const HANGUL = /\p{Script=Hangul}/u;

const bareName = (token: string): string => {
  const plain = token.replace(/^[^\p{L}\p{N}^$]+|[^\p{L}\p{N}]+$/gu, '').replace(/['’]s$/u, '');
  return HANGUL.test(plain) ? plain.replace(PARTICLE, '') : plain;
};

const isTicker = (token: string): boolean => /^\$?[A-Z]{2,5}$/.test(token);

/** Names in the text: words of a Latin name stay together, tickers and Korean words stand alone. */
const namesIn = (text: string): readonly string[] => {
  const names: string[] = [];
  let phrase: string[] = [];
  const close = (): void => {
    if (phrase.length > 0) names.push(phrase.join(' '));
    phrase = [];
  };
  for (const raw of text.split(/\s+|(?<=[,;·])/u)) {
    const name = bareName(raw);
    const isBreak = name === '' || STOP_WORDS.has(name.toLowerCase()) || STOP_WORDS.has(raw.toLowerCase());
    if (isBreak) close();
    else if (HANGUL.test(name)) {
      // `SK 하이닉스` is one name; `AAPL 삼성전자` is two, but a search for both words finds neither.
      phrase =
        phrase.length === 1 && /^[A-Z]{2}$/.test(phrase[0] ?? '')
          ? [`${phrase[0]}${name}`]
          : (close(), [name]);
      close();
    } else if (isTicker(name) && phrase.every(isTicker)) {
      if (name.length > 2) close();
      phrase.push(name);
      if (name.length > 2) close();
    } else phrase.push(name);
    if (/[,;·]$/u.test(raw)) close();
  }
  close();
  return [...new Set(names)].slice(0, 10);
};

/** Reads simple questions about prices, in Korean and English. Anything else is `unknown`, never a guess. */
export const readIntent = (text: string): Intent => {
  const trimmed = text.trim();
  const asksPrice = ASKS_PRICE.test(trimmed);
  if (!asksPrice && GREETING.test(trimmed)) return { kind: 'greeting' };
  if (!asksPrice && THANKS.test(trimmed)) return { kind: 'thanks' };
  const names = namesIn(trimmed.slice(0, 500));
  if (asksPrice) return names.length > 0 ? { kind: 'quote', names } : { kind: 'which' };
  // A bare name or two, as people type into a search box.
  const isBareName =
    names.length > 0 && names.length <= 3 && trimmed.length <= 40 && !/[?!.]$/u.test(trimmed);
  return isBareName && trimmed.split(/\s+/u).length <= 3 ? { kind: 'quote', names } : { kind: 'unknown' };
};
