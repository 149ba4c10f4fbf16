import type { SentenceCall } from '#src/kernel/agent/sentence.ts';
import { findNames } from '#src/reading/names.ts';
import { readListChoice } from '#src/reading/ordinals.ts';
import { readPlanArgs } from '#src/features/portfolio/rebalance/read-plan-args.ts';
import { BRIEFING_TOPICS } from './briefing.ts';
import { type Call, call, type Intent } from './intent.ts';
import { instrumentNamed, isSure, type Lookup } from './lookup.ts';
import type { Said, Topic } from './topics.ts';
import { asking, ID, wordsOf } from './vocabulary.ts';

/** Marks something as the person's own. */
const MINE = /(?<!\p{L})(?:내|제|나의|저의)(?!\p{L})|\b(?:my|our|mine|i|we)\b/iu;
const ASKS_MEANING =
  /뭐야|뭔가요|뭐예요|무엇|무슨\s?뜻|뜻|의미|설명|란\s|이란|\bwhat(?:'s| is| are| does)|\bmean|\bexplain|\bdefin/iu;
/** Asks what a term means, and not about account data. */
const isGeneral = (text: string): boolean => ASKS_MEANING.test(text) && !MINE.test(text);

const MINE_KO = String.raw`(?:내|제|나의|저의)\s?`;
const MINE_EN = '(?:my|our)';
const PORTFOLIO_KO = String.raw`(?:${MINE_KO})?(?:전체\s?)?(?:포트폴리오|포폴|보유\s?종목|보유\s?주식)|${MINE_KO}(?:총\s?)?(?:잔고|수익률|수익|손익|평가\s?손익|평가\s?금액|주식|종목|자산|계좌|투자)`;
const PORTFOLIO_EN = String.raw`(?:${MINE_EN} |the )?(?:(?:stock |investment )?portfolio|holdings)|${MINE_EN} (?:stocks|shares|positions?|investments?|gains?|losses|profits?|returns?|p&l|pnl)|(?:what )?(?:stocks |shares )?do i (?:own|hold)|what i (?:own|hold)`;
/** `오늘 얼마 벌었어?`, `how much did I make today?`, `수익률 어때?`: these can only be about the person's own gain. */
const GAINED =
  /얼마나?\s?(?:벌|잃|날렸|먹었|손해|수익)|(?:벌었|잃었|손해\s?봤)(?:어|나|지|니|을까)|^(?:오늘\s?)?(?:내\s?)?(?:수익률?|손익|평가\s?손익)\s?(?:은|는|이|가)?\s?(?:좀\s?)?(?:어때|어떻|얼마|알려|보여|확인|\?|$)|\b(?:how much|what) (?:did|have|do) (?:i|we) (?:make|made|earn|earned|gain|gained|lose|lost)\b|\bam i (?:up|down|winning|losing|in profit|in the (?:red|green))\b/iu;
/** Imagined trades are in no portfolio. */
const IMAGINED =
  /(?:샀|팔았|투자했|넣었|들고\s?있었|샀었)(?:으면|다면|더라면)|\bif (?:i|we)(?:'d| had)?\b|\bwould (?:i|we) have\b/iu;
/** Verbs of `delete my last entry`, `아까 그거 취소해줘`, `방금 기록한 거 지워줘`, `undo`. */
const UNDOES = /취소|삭제|지워|되돌|없애|초기화|\b(?:undo|take back|delete|remove|cancel|erase|wipe)\b/iu;
const UNDONE =
  /방금|아까|마지막|최근|기록|거래|매수|매도|입력|\b(?:entr(?:y|ies)|trades?|transactions?|records?|purchases?|sales?)\b|^undo(?: (?:it|that))?[.!]?$/iu;
const OTHER_THINGS =
  /알림|관심|워치|브리핑|대화|채팅|\b(?:alerts?|watch ?list|briefings?|chat|conversation)\b/iu;
const NUMBER = /(?:#\s?|\bentry\s|\bnumber\s)(?<number>\d{1,9})|(?<before>\d{1,9})\s?번(?!째)/giu;
/** The words around the position of an entry: `두번째 거래 지워줘`. */
const AROUND_PLACE =
  /(?:방금|아까|최근|기록한?|거래|매수|매도|입력한?|내역|취소|삭제|지워|되돌려|없애|초기화)\p{L}{0,5}|\b(?:undo|take back|delete|remove|cancel|erase|my|entr(?:y|ies)|trades?|transactions?|records?|purchases?|sales?)\b/giu;
const EVERYTHING = /모든|모두|전부|전체|(?<!\p{L})(?:싹|다)(?!\p{L})|\b(?:all|every|everything)\b/iu;
const ONLY_EVERYTHING =
  /^(?:please )?(?:delete|remove|erase|wipe|undo|cancel) (?:everything|it all)[.!]?$|^(?:전부|모두|싹 ?다|다)\s?(?:삭제|지워|취소|되돌려)\p{L}{0,4}[.!]?$/iu;
/** More entries than anybody has, so that `마지막` reads as the last one. */
const MANY_ENTRIES = 1_000_000;

/** The entry that is meant: a number from 1, undefined for the last one, or `several`. */
const entryIn = (text: string): number | 'several' | undefined => {
  const numbers = Array.from(text.matchAll(NUMBER), ({ groups }) => groups?.['number'] ?? groups?.['before']);
  if (numbers.length > 0) return numbers.length > 1 ? 'several' : Number(numbers[0]);
  const place = readListChoice(text.replaceAll(AROUND_PLACE, ' '), MANY_ENTRIES);
  if (place?.kind === 'unclear') return 'several';
  return place && place.index < MANY_ENTRIES - 1 ? place.index + 1 : undefined;
};

/**
 * A request to undo an entry. With a name, the last entry is undone only if it was just recorded for that name; else the
 * person is asked which one (`undo-which`). Several entries are undone one by one (`undo-all`).
 */
const readUndo = (text: string, lookup: Lookup, last: readonly string[]): Intent | null => {
  if (ONLY_EVERYTHING.test(text)) return { kind: 'undo-all' };
  if (!UNDOES.test(text) || !UNDONE.test(text) || OTHER_THINGS.test(text)) return null;
  const entry = entryIn(text);
  if (entry === 'several' || (entry === undefined && EVERYTHING.test(text))) return { kind: 'undo-all' };
  const named = findNames(text.replaceAll(AROUND_PLACE, ' '), lookup.nameIn).find(
    (name) => isSure(name) || name.kind === 'unsure',
  );
  const symbolOf = (name: string): string | undefined => instrumentNamed(name, lookup.symbols)?.symbol;
  const symbol = named && symbolOf(named.text);
  const isJustRecorded = symbol !== undefined && last.some((name) => symbolOf(name) === symbol);
  if (entry === undefined && named && !isJustRecorded) return { kind: 'undo-which' };
  return call('undo_transaction', { number: entry });
};

const TAKES_BACK =
  /^(?:아|어|앗|잠깐|아니)?[,.!]?\s?(?:그거\s?|방금\s?(?:거|꺼|것)?\s?|이거\s?)?(?:취소|되돌려|되돌리|철회)\p{L}{0,4}[.!]?$|^(?:oh |no,? |wait,? )?(?:please )?(?:undo|cancel|take back|revert)(?: (?:it|that|this))?(?: please)?[.!]?$/iu;

/** `취소해줘` right after an entry was recorded. */
export const readTakeBack = (text: string, calls: readonly SentenceCall[]): readonly Call[] =>
  TAKES_BACK.test(text) && calls.at(-1)?.tool === 'record_transaction' ? [call('undo_transaction', {})] : [];

/** Asks about holdings, not prices: `내 평단 얼마야`, `삼전 몇 주 있어`, `현금 얼마 남았어`. */
const HELD = [
  /(?:평단가?|평균\s?(?:매입\s?)?단가|매입가|매수가)(?:[은는이가])?\s?(?:좀\s?)?(?:얼마|어떻|어때|몇|알려|보여|확인|뭐|[?？]|$)|(?:내|제)\s(?:\S{1,20}\s){0,2}(?:평단가?|매입가|매수가)/u,
  /몇\s?[주개]\s?(?:나\s?|정도\s?)?(?:있|들고|갖고|가지고|보유|남았|샀|모았)/u,
  /(?<!(?:통장|은행)\s?)(?:현금|예수금|잔액|잔고)\s?(?:[은는이가]\s?)?(?:좀\s?)?(?:얼마|남|있|보여|알려|확인|[?？]|$)/u,
  /\bmy (?:\S{1,20} ){0,3}(?:average(?: (?:price|cost))?|avg|cost basis)\b|\b(?:average|avg) (?:price|cost) (?:do|did) i\b|\bhow (?:many|much) (?:\S{1,20} ){0,5}(?:do|did) i (?:still )?(?:have|own|hold|buy)\b|\b(?:how much|my|any) cash\b/iu,
];
const ENTRIES =
  /(?:거래|매매|기록|매수|매도)\s?(?:내역|이력|기록|목록|히스토리)|\bmy (?:\S{1,20} )?(?:transactions?|trades|entries|trade history|trading history|transaction history|purchases|sales)\b|\b(?:transaction|trade|trading) history\b/iu;

/** A question about holdings or entries. No tool shows single entries, so a sentence says how to see them. */
const readHeld = (text: string): Call | null => {
  if (isGeneral(text) || IMAGINED.test(text)) return null;
  if (ENTRIES.test(text)) return { ...call('get_portfolio', {}), beside: 'entries' };
  return HELD.some((pattern) => pattern.test(text)) ? call('get_portfolio', {}) : null;
};

/** Requests about the person's entries, which would else read as a wish for advice: `하이닉스 매수 취소해줘`. */
export const readMine = (text: string, lookup: Lookup, last: readonly string[]): Intent | null =>
  readUndo(text, lookup, last) ?? readHeld(text);

const RATIOS_KO = String.raw`샤프\s?(?:비율|지수)|소르티노\s?(?:비율|지수)?|최대\s?낙폭|mdd`;
const RATIOS_EN = 'sharpe(?: ratio)?|sortino(?: ratio)?|max(?:imum)? drawdown|mdd|xirr|twr';
const ANALYSIS_KO = String.raw`분석|진단|점검|리스크|위험도?|변동성|베타|분산|상관\s?관계|집중도|성과|var`;
const ANALYSIS_EN =
  'analy[sz]e|analysis|analytics|risks?|risky|volatility|volatile|beta|diversified|diversification|correlations?|concentration|performance|performed?|performing|var|value at risk';
const BENCHMARK_KO = String.raw`코스피|시장|지수`;
const BENCHMARK_EN = String.raw`s&p\s?500|kospi|the market|beat|beating|compared? (?:to|with)|against|vs`;
const PICTURE_KO = '차트|그래프|그림';
const PICTURE_EN = 'chart|graph|draw|plot|picture|pie';

const RANGES: ReadonlySet<string | undefined> = new Set(['3mo', '6mo', 'ytd', '1y', '2y']);
const benchmarkIn = (text: string): 'kospi' | 'sp500' | undefined => {
  if (/코스피|\bkospi\b/iu.test(text)) return 'kospi';
  return /s&p/iu.test(text) ? 'sp500' : undefined;
};

const PORTFOLIO = asking(PORTFOLIO_KO, PORTFOLIO_EN);
const RATIOS = asking(RATIOS_KO, RATIOS_EN);
const ANALYSIS = asking(`${RATIOS_KO}|${ANALYSIS_KO}`, `${RATIOS_EN}|${ANALYSIS_EN}`);
const asksAnalysis = ({ text, range }: Said): boolean => {
  if (isGeneral(text) || (range !== undefined && !RANGES.has(range))) return false;
  return RATIOS.test(text) || (PORTFOLIO.test(text) && (ANALYSIS.test(text) || range !== undefined));
};

const TAX_KO = String.raw`양도\s?(?:소득)?세|금융\s?소득\s?(?:종합\s?과세)?|세금|세액|거래세|원천\s?징수`;
const TAX_EN = 'tax(?:es|able)?|capital gains(?: tax)?|tax report|tax return';
const TAX = asking(TAX_KO, TAX_EN);
/** Marks a question as one about the person's own taxes. */
const OWN_TAX =
  /해외\s?주식|미국\s?주식|주식\s?(?:판|매도)|얼마\s?(?:나|내|정도)|내야|신고|계산|정리|보고서|(?<!\d)(?:19|20)\d\d|올해|작년|지난해|금년|\b(?:how much|report|owe|pay|declare|this year|last year|for (?:19|20)\d\d)\b/iu;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/u;
const LAST_YEAR = /작년|지난해|\blast year\b/iu;
const THIS_YEAR = /올해|금년|\bthis year\b/iu;
const taxYear = ({ whole, text, today }: Said): number | undefined => {
  const said = whole ?? text;
  const year = YEAR.exec(said)?.[0];
  if (year !== undefined) return Number(year);
  if (LAST_YEAR.test(said)) return today && today.year - 1;
  return THIS_YEAR.test(said) ? today?.year : undefined;
};

const REBALANCE_KO = String.raw`리밸런(?:싱|스)|(?:목표\s?)?비중\p{L}{0,2}\s?(?:조정|조절|맞추|맞춰|맞출)\p{L}{0,20}`;
const REBALANCE_EN = 'rebalanc(?:e|ed|ing)';
const REBALANCE = asking(REBALANCE_KO, REBALANCE_EN);
const AROUND_WEIGHTS = wordsOf(
  `${PORTFOLIO_KO}|${REBALANCE_KO}|내|제|좀|지금|어떻게|하려면|하고\\s?싶\\p{L}{0,6}|얼마나|사야|팔아야`,
  `${PORTFOLIO_EN}|${REBALANCE_EN}|please|how|do|should|would|can|could|i|me|my|you|need|trades?`,
);
/** `애플 40 삼성전자 60으로 리밸런싱해줘`, `rebalance with $500 of new money`. */
const rebalanceInput = (text: string): Readonly<Record<string, unknown>> => {
  const { targets, newMoney, band, canSell } = readPlanArgs(text.replaceAll(AROUND_WEIGHTS, ' '));
  return {
    targets:
      targets.length > 0
        ? targets.map(({ name, percent }) => ({ name, percent: percent.toNumber() }))
        : undefined,
    new_money: newMoney && [newMoney.amount.toFixed(), newMoney.currency ?? ''].join(' ').trim(),
    band: band?.toNumber(),
    allow_sales: canSell || undefined,
  };
};

const ACTIONS =
  /배당|(?:액면\s?)?분할|병합|\b(?:dividends?|(?:stock |reverse )?splits?|corporate actions?)\b/iu;
/** `빠진 배당`, `분할 반영 안 된 거`, `any dividends not recorded`. */
const UNRECORDED =
  /빠진|빠졌|빠뜨|누락|놓친|놓쳤|(?:반영|기록|입력)\p{L}{0,2}\s?(?:안|못)\s?(?:된|됐|되|한|했)|(?:반영|기록|입력)\p{L}{0,2}\s?(?:됐|되었|되어|되지|하지)|안\s?(?:적은|적었|넣은|넣었)|\b(?:missing|unrecorded|not (?:yet )?recorded|left out)\b|\b(?:did|have) i (?:forget|forgotten|miss(?:ed)?)\b|(?:n't|\bnot) (?:yet )?record(?:ed)?\b/iu;
/** Questions about prices are not about entries. */
const OF_PRICES = /주가|가격|시세|배당락|\bprices?\b/iu;

const WATCH_KO = String.raw`(?:${MINE_KO})?(?:관심\s?(?:종목|목록|리스트)|[워와]치\s?리스트)(?:에서|에다)?`;
const WATCH_EN = String.raw`(?:(?:my|our|the) )?watch\s?list`;
const WATCH = asking(WATCH_KO, WATCH_EN);
const ADDS_KO = String.raw`추가\p{L}{0,20}|넣어\p{L}{0,20}|등록\p{L}{0,20}|담아\p{L}{0,20}`;
const ADDS_EN = 'add|put|include';
const REMOVES_KO = String.raw`삭제\p{L}{0,20}|제거\p{L}{0,20}|빼\p{L}{0,20}|지워\p{L}{0,20}|지우\p{L}{0,20}|없애\p{L}{0,20}|취소\p{L}{0,20}|해제\p{L}{0,20}|꺼\p{L}{0,20}|끄\p{L}{0,20}`;
const REMOVES_EN = 'remove|delete|drop|take|off|cancel|turn off|clear|stop';
const ADDS = asking(ADDS_KO, ADDS_EN);
const REMOVES = asking(REMOVES_KO, REMOVES_EN);
const ALL_KO = '전부|모두|모든|전체|싹|다';
const ALL = asking(ALL_KO, 'all|every|everything');

const ALERTS_KO = String.raw`(?:${MINE_KO})?(?:설정(?:된|한)\s?|걸어\s?(?:둔|놓은)\s?|가격\s?)?알림`;
const ALERTS_EN = String.raw`(?:(?:my|the|any|active|of) ){0,3}(?:price )?alerts?`;
const ALERTS = asking(ALERTS_KO, ALERTS_EN);
const LISTS_KO = String.raw`목록|리스트|현황|내역|뭐|몇\s?개|있\p{L}{0,20}`;
const LISTS = asking(`${LISTS_KO}|보여|확인|알려`, 'list|show|which|what|active|see|view|do i have|have i');

const NO_INPUT = (): Readonly<Record<string, unknown>> => ({});
const MAX_WATCHED = 20;

/** Questions about account data; the first match wins. */
export const PERSONAL_TOPICS: readonly Topic[] = [
  {
    tool: 'plan_rebalance',
    asks: ({ text }) => REBALANCE.test(text) && !isGeneral(text),
    input: (_names, { whole, text }) => rebalanceInput(whole ?? text),
  },
  {
    tool: 'get_tax_report',
    asks: ({ text, whole = text }) =>
      TAX.test(whole) &&
      (MINE.test(whole) || OWN_TAX.test(whole)) &&
      !isGeneral(whole) &&
      !IMAGINED.test(whole),
    input: (_names, said) => ({ year: taxYear(said) }),
  },
  {
    tool: 'get_portfolio',
    asks: ({ text, whole = text }) =>
      ACTIONS.test(whole) && UNRECORDED.test(whole) && !OF_PRICES.test(whole) && !isGeneral(whole),
    input: () => ({ view: 'actions' }),
  },
  {
    tool: 'get_portfolio',
    asks: ({ text }) => GAINED.test(text) && !isGeneral(text) && !IMAGINED.test(text),
    input: NO_INPUT,
  },
  {
    tool: 'analyze_portfolio',
    asks: asksAnalysis,
    words: wordsOf(
      `${PORTFOLIO_KO}|${RATIOS_KO}|${ANALYSIS_KO}|${BENCHMARK_KO}|${PICTURE_KO}|대비|얼마나|수익률|계산|내|제`,
      `${PORTFOLIO_EN}|${RATIOS_EN}|${ANALYSIS_EN}|${BENCHMARK_EN}|${PICTURE_EN}|calculate|well|over|time`,
    ),
    input: (_names, { text, range }) => ({ range, benchmark: benchmarkIn(text) }),
  },
  {
    tool: 'get_portfolio',
    asks: ({ text, range }) => range === undefined && PORTFOLIO.test(text) && !isGeneral(text),
    words: wordsOf(
      `${PORTFOLIO_KO}|${PICTURE_KO}|구성|비중|현황|상태|요약|평가\\s?금액|평가액|수익률|수익|손익|총|합계|전체|뭐|있\\p{L}{0,20}|내|제`,
      `${PORTFOLIO_EN}|${PICTURE_EN}|summary|overview|breakdown|allocation|balance|value|total|gained|lost|as`,
    ),
    input: NO_INPUT,
  },
  {
    tool: 'manage_watchlist',
    action: 'add',
    asks: ({ text }) => WATCH.test(text) && ADDS.test(text) && !REMOVES.test(text),
    words: wordsOf(`${WATCH_KO}|${ADDS_KO}`, `${WATCH_EN}|${ADDS_EN}`),
    names: [1, MAX_WATCHED],
    isAboutLast: true,
    input: (names) => ({ action: 'add', names }),
  },
  {
    tool: 'manage_watchlist',
    action: 'remove',
    asks: ({ text }) => WATCH.test(text) && REMOVES.test(text) && !ADDS.test(text),
    words: wordsOf(`${WATCH_KO}|${REMOVES_KO}`, `${WATCH_EN}|${REMOVES_EN}`),
    names: [1, MAX_WATCHED],
    input: (names) => ({ action: 'remove', names }),
  },
  {
    tool: 'manage_watchlist',
    asks: ({ text }) => WATCH.test(text) && !REMOVES.test(text) && !ADDS.test(text) && !isGeneral(text),
    words: wordsOf(
      `${WATCH_KO}|목록|리스트|현황|뭐|있\\p{L}{0,20}|전체|내|제`,
      `${WATCH_EN}|list|view|see|items|as`,
    ),
    input: () => ({ action: 'show' }),
  },
  {
    tool: 'remove_alert',
    // Without a name or id, the list with the ids is shown.
    asks: ({ text }) => ALERTS.test(text) && REMOVES.test(text) && (ALL.test(text) || ID.test(text)),
    words: wordsOf(
      `${ALERTS_KO}|${REMOVES_KO}|${ALL_KO}|${ID.source}`,
      `${ALERTS_EN}|${REMOVES_EN}|all|every|everything`,
    ),
    input: (_names, { text }) => ({ which: ID.exec(text)?.[1] ?? 'all' }),
  },
  {
    tool: 'remove_alert',
    asks: ({ text }) => ALERTS.test(text) && REMOVES.test(text) && !ALL.test(text),
    words: wordsOf(`${ALERTS_KO}|${REMOVES_KO}`, `${ALERTS_EN}|${REMOVES_EN}`),
    names: [1, 1],
    input: ([which]) => ({ which }),
  },
  {
    tool: 'list_alerts',
    asks: ({ text }) =>
      ALERTS.test(text) && (LISTS.test(text) || REMOVES.test(text) || MINE.test(text)) && !isGeneral(text),
    words: wordsOf(
      `${ALERTS_KO}|${LISTS_KO}|${REMOVES_KO}|내|제`,
      `${ALERTS_EN}|${REMOVES_EN}|list|which|active|see|view|set`,
    ),
    input: NO_INPUT,
  },
  ...BRIEFING_TOPICS,
];
