import type { SentenceHint, SentenceReading } from '#src/kernel/sentence.ts';

/** By which words something near is known, the most telling first. */
const NEAR: readonly (readonly [hint: SentenceHint, pattern: RegExp])[] = [
  ['briefing', /브리핑|\bbriefing/iu],
  ['alert', /알림|\balerts?\b|\bnotify\b|(?:오르|내리|떨어지|넘으|되)면/iu],
  ['watchlist', /관심|[워와]치|\bwatch ?list/iu],
  ['earnings', /실적|어닝|\bearnings\b|\bresults\b/iu],
  [
    'figures',
    /배당|재무|시총|per|pbr|roe|eps|매출|이익|\b(?:dividends?|p\/e|revenue|valuation|profit|ceo|ipo)\b/iu,
  ],
  ['trade', /샀|팔았|매수|매도|사\s?줘|팔아\s?줘|\b(?:bought|sold|buy|sell)\b/iu],
  [
    'portfolio',
    /포트폴리오|포폴|보유|계좌|잔고|손익|수익|벌었|잃었|\b(?:portfolio|holdings|account|profit|made|lost)\b/iu,
  ],
  ['news', /왜|이유|뉴스|소식|\b(?:why|news|happened|reason)\b/iu],
  ['compare', /비교|둘\s?중|\b(?:compare|versus|vs|better)\b/iu],
  ['history', /작년|지난|예전|과거|전에|어제|\b(?:last|ago|was|were|since|history|yesterday)\b/iu],
  ['chart', /차트|그래프|그림|추세|\b(?:chart|graph|trend|picture)\b/iu],
  ['convert', /환율|달러|원화|엔화|유로|환전|\b(?:dollars?|won|yen|euros?|currency|exchange)\b/iu],
  ['calculate', /계산|더하|빼|곱하|나누|퍼센트|복리|이자|%|\b(?:calculate|percent|interest|plus|minus)\b/iu],
  ['hours', /개장|휴장|마감|장\s?시간|열려|닫|\b(?:open|close[ds]?|hours|holiday)\b/iu],
  ['time', /몇\s?시|시간|날짜|요일|\b(?:time|date|clock)\b/iu],
  ['crypto', /코인|비트|이더|암호|\b(?:crypto|bitcoin|coins?)\b/iu],
  ['market', /시장|증시|장세|코스피|나스닥|주식|종목|\b(?:markets?|stocks?|index)\b/iu],
];
const WITH_NAME: readonly SentenceHint[] = ['quote', 'chart', 'news'];
const WITHOUT: readonly SentenceHint[] = ['quote', 'market', 'portfolio'];

/** Who asks what to do with it is shown what is known about it; only a company has figures. */
export const factsAbout = (
  names: readonly string[],
  isCompany: (name: string) => boolean,
): Pick<SentenceReading, 'about' | 'near'> => {
  const [about] = names;
  if (about === undefined) return { near: ['market', 'quote', 'compare'] };
  return { about, near: isCompany(about) ? ['news', 'figures', 'chart'] : ['quote', 'chart', 'history'] };
};

/** An index, a coin or a fund has none of them: `코스피 PER` is no example to follow. */
const OF_COMPANIES: ReadonlySet<SentenceHint> = new Set(['figures', 'earnings']);

/** What can be done that is nearest to the words of a message, with the name that stands in it. */
export const hintsFor = (
  text: string,
  names: readonly string[],
  isCompany: (name: string) => boolean,
): Pick<SentenceReading, 'about' | 'near'> => {
  const [about] = names;
  const near = NEAR.filter(([, pattern]) => pattern.test(text))
    .map(([hint]) => hint)
    .filter((hint) => about === undefined || !OF_COMPANIES.has(hint) || isCompany(about));
  const usual = about === undefined ? WITHOUT : WITH_NAME;
  return { ...(about !== undefined && { about }), near: [...new Set([...near, ...usual])] };
};
