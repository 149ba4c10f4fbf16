import type { SymbolMatch } from '#src/kernel/market/finance.ts';
import { stemsOf } from './particles.ts';

/**
 * Everyday words that are also codes or names of companies: `NOW`, `Target`, 대상. In a sentence they are words; only
 * `$NOW` means the company.
 */
const ENGLISH: ReadonlySet<string> = new Set(
  (
    'act ad affirm ago aim air alarm alight align all alpha alps am amaze american an angel any ' +
    'apartment app apps apt are arena arm array arrive art as atlantic avalon aware ball band bandwidth bank ' +
    'banner bark be beam best beta better bill bird bit black block blue bold booking boom boot boston bot box ' +
    'brady bread bright bro bros brown buckle bud build bull bullish bumble business by cactus cake calm can ' +
    'caps capstone car care carnival carrier cars cash cast cat celsius cent central change check cheer chef ' +
    'chicago choice circle city clean clear click coffee coherent coke cold community compass connect ' +
    'construction consumer cook cost crane creative credit critical cross crown cube custom daily dana dare ' +
    'dash data dave dec decent deep defi delta deluxe design devices diagnostics digital dine direct ' +
    'distribution docs dow driven duo eagle earn east eastern eat echo edit egg elastic elf engine ' +
    'enhanced essential ethos eve ever everest exponent extra extreme eye fact fair fast fate fathom ' +
    'federal feed figs figure finance first fitness five fix fizz flag flash flex floor flowers fluent fly ' +
    'focus fold for form formula fort forum forward fossil founder four fox freedom freight frog frontier ' +
    'fuel full fun fund future gain game gap garden gen general generation genius glad go golden golf good ' +
    'gorilla grab grace graham grail grand grande graphic gray great green grid grow guts hamilton hang happen ' +
    'harmonic harrow has hawkeye he healthy hello help here heritage high highway hippo hit hog home honest ' +
    'hood hope hotel hour house hub hudson hut ice icon idea ideal impact indemnity independent industrial ' +
    'infinity information inn innovate insight inspired integer integrated intelligent interactive interface ' +
    'intuitive iron it jack jackson job john joint key keys kids knot lake lamb land launch law ' +
    'lead leg legacy lemonade liberty life lifetime lincoln lindsay line lineage link linkage lion lite live ' +
    'loan local long loop lot lotus love low lucid luck lucky lumen lunch lung madison magic main man marcus ' +
    'market marsh martin mask mass match math matrix max maximus mechanics meds megan mercury meridian merlin ' +
    'met mind mine minerals mint mixed mobile mobility mod modular monday money mosaic mount mountain move ' +
    'moving multi national natural navigator neon net network news next nft nice nine noah north northern nov ' +
    'nova now odd office on once one onto open opera option or orange origin out outdoor pacific pack packaging ' +
    'paper par para park path pattern pay payments pays pen pennant penumbra people perfect performance ' +
    'perspective pets pics pine ping planet play plug plus poet polar polaris pool popular porch post powell ' +
    'power precision preferred prime principal priority private professional progress progressive prop proto ' +
    'public pump pure purple quantum quest race rafael rail rain range rapid rare reading ready real recon ' +
    'reformation regional regions relay reliance rely rent repay research revolve rice rich ring riot river ' +
    'road robin rock rogers roman root royal royalty royce rum run sabre safe safety sat say sea seat security ' +
    'seed seer select self serve service seven shell shift ship shoe shop sigma silence site skin sky ' +
    'slide smart smith snail snap snow so social socket solid sound source south southern space special ' +
    'spectrum spire spot spring stag standard star state stem step strategic strategy stride strive ' +
    'structure studio sun super superior surf synthetic system tactile take talk tap tapestry target task team ' +
    'tech ten tetra texas third tile tim toast token tokyo top total town trade travel treasure tree trip ' +
    'triple troops trump turn turning turtle tutor twin two tyler under union unit unity universal universe ' +
    'unusual up upstream vale value vantage venture versus vertex vertical via viking vince voyager vroom ' +
    'walker wash washington waste water waters wave way well west western wheels where white wing wise wolf ' +
    'work workhorse world wrap yeti york you zebra zeta zip zone ' +
    // Codes of funds and coins.
    'ape ark auction baby bat blast blur boat bond boil bug buzz cap chat chip coal cocoa comp corn ' +
    'cotton cow cure dig disk div dog dust edge era fan flow gas gop gush hack herd hero hive id io ion ' +
    'ipo jets just layer leo lit mars meme mina mon moo nail nasa nato neo nerd orca order pave pick ' +
    'pill platinum pod pow rack ram ray re red rune sign soybeans sugar swan tail tan tip trust ufo vice ' +
    'volt wal want war warp wax weed week wet wheat wood yolo'
  ).split(' '),
);

/** Acronyms that are also codes of companies. In lower case they are not words. */
const ACRONYMS: ReadonlySet<string> = new Set(
  (
    'ADR ADX AI ALL AM API AR ARR ASIC ASP ATH ATR AUM BEP BN BOE BOJ BOK BPS CAGR CAPE CAPEX CB CCI CD CEO CFO COGS COO ' +
    'CPA CPI CPU CRM CTO DAO DC DCF DD DM EBIT ECB EMA EPS ERP ESG EST ET ETF EU EV FANG FAQ FCF FDA FED FOMC FTC ' +
    'FX FY GAAP GDP GMT GPU HBM HR ICE IMF IOT IP IPO IR IRA IRS ISM IT KB KPI KST LLM LNG LPG LTE LTM MA MACD MB MD ' +
    'MOU MSCI NA NAV NFT NPS NPU OEM OLED OPEC OTC OTT PB PBR PC PCE PE PEG PER PI PM PMI PPI PR PS PSR QE QOQ QT RAM ' +
    'RD REIT ROA ROE ROI ROIC ROK RSI SA SAAS SD SEC SL SMA SSD SUV TAM TSR TTM TV TWR UI UK UN US USA UTC UX VAT ' +
    'VP VR VS VWAP WACC WTI WTO XP YOY YTD'
  ).split(' '),
);

/** Words, given names and places that are also listed names. */
const KOREAN: ReadonlySet<string> = new Set(
  (
    '고려 국보 나노 나무가 남성 노을 대교 대동 대모 대상 대원 대창 대현 동방 동서 동양 레몬 레이 러셀 머큐리 모두 무학 배럴 ' +
    '백산 보령 본느 블록 비자 사람인 산돌 삼기 삼일 삼진 상상인 샘표 서남 서산 서연 서원 서클 서한 서흥 선광 선진 성우 ' +
    '손오공 수성 스냅 스퀘어 스피어 승일 신라 신원 신흥 씨앗 아스트 아톤 아하 알트 양지사 오공 오로라 우리넷 우리로 우성 우진 ' +
    '원준 위너스 유니온 유니크 유신 이글루 이루온 전방 정다운 제우스 조흥 줌 진도 진영 질경이 카스 캐리 코디 타겟 타이드 ' +
    '탈로스 태성 태양 태웅 파수 포톤 핑거 하나 하츠 한창 한탑 혜인 화신 레이저 스타 ' +
    // Coins, commodities and nicknames.
    '가스 갈라 그래프 네오 레오 루나 리스크 메탈 미나 밀 밀크 바나 보라 블러 빔 사이버 사인 ' +
    '설탕 세이프 소닉 순 스토리 스팀 썬 아더 아이콘 앵커 에이스 엘프 오디 오르카 왁스 웨이브 이온 저스트 주피터 카바 ' +
    '카브 커브 커피 콩 퀀텀 퀀트 트럼프 페치 프롬 플로우 플루이드 피스 헌트 후드 ' +
    '스파크 모멘텀 아이리스 문버즈 시커'
  ).split(' '),
);

/** True if a word, as written, is more likely an ordinary word than the company of that name. */
export const isOrdinaryWord = (word: string): boolean =>
  ENGLISH.has(word.toLowerCase()) || ACRONYMS.has(word) || KOREAN.has(word);

/** `AI`, `CEO`: never the company of that code. */
export const isAcronym = (word: string): boolean => ACRONYMS.has(word);

/** Grammar, politeness and small talk: never the start of a name. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about an and are at be been bot both bye can check close closed closing cost could current currently day did do ' +
    "does doing down exchange find for from get give go going good got has have hello help here hey hi hm hmm how hows i i'd i'm " +
    'if in inc is it its just know latest let like live look make me many more much my need no now of ok okay on one open opened ' +
    'or perform performed performing please pls plz price prices quote quotes rate rates really right rn say share shares show so some ' +
    'stand stock stocks sure tell than thank thanks that the their them then there these they think this to today ' +
    'too trade traded trading up value versus very vs want was we well were what whats when where which who ' +
    'will with worth would yeah yes yesterday you your ' +
    '각각 그 그거 그것 그래 그러면 그럼 그리고 근데 네 넵 너 다 달러로 대략 대해 대한 도와줘 도움말 둘 둘다 및 뭐 뭐야 부탁해 봇 시간 실시간 ' +
    'ㄱㄱ 아니 아니요 어제 언제 얘 오늘 예 요새 요즘 원 원화 으로 응 이거 이것 이랑 있어 있나요 저 정도 조회 좀 주 주세요 주식 줘 ' +
    '은 는 이 가 을 를 와 과 도 의 에 랑 줄래 지금 지수 최근 하고 하나만 하이 한 한번 해 해줘 현재 혹시 환율'
  ).split(' '),
);
/** Korean verbs and price words with any ending. */
const STOP_BEGINNING =
  /^(?:얼마|얼만|얼맙|알려|말해|보여|확인|비교|궁금|언제|그려|찾아|부탁|어때|어떄|어떤|어떻|올랐|내렸|떨어|오르|내리|거래|되나|되고|돼|됐|몇|안녕|반가|고마|고맙|감사|주가|시세|가격|종가|현재가|[ㄱ-ㅎㅏ-ㅣ]+$)/u;

/** Parts of many names that name nothing alone. */
const GENERIC: ReadonlySet<string> = new Set(
  (
    '한국 미국 중국 일본 인도 국내 해외 유럽 기업 회사 은행 증권 보험 반도체 자동차 배터리 바이오 제약 건설 조선 방산 게임 ' +
    '식품 화학 철강 전자 전기 통신 금융 산업 기술 미래 우리 세계 글로벌 코리아 나라 사람 나무 커피 국민 대한 국제 서울 부산 ' +
    '배당 금리 채권 국채 펀드 레버리지 인버스 액티브 선물 원유 ' +
    'america american asia bank bio biotech bond bonds capital china company companies energy europe fund funds global ' +
    'gold group health india japan korea money national oil people power semiconductor silver tech technology world'
  ).split(' '),
);

const JOINING_PARTICLE = /(?:이랑|랑|와|과|하고)$/u;

/** Removes particles of an unknown name: 하이브는 → 하이브, but 만도 stays. */
export const plainNameOf = (word: string): string =>
  stemsOf(word).find((stem) => stem !== word && stem.length > 1) ?? word;

export const isStopWord = (word: string): boolean =>
  stemsOf(word.toLowerCase()).some((reading) => STOP_WORDS.has(reading) || STOP_BEGINNING.test(reading));

export const isGeneric = (word: string): boolean =>
  stemsOf(word.toLowerCase()).some((reading) => GENERIC.has(reading));

/** True if another name follows: `and`, 및, 삼성전자랑. */
export const isJoining = (word: string): boolean =>
  /^(?:and|or|vs|versus|및|그리고|하고|이랑)$/iu.test(word) || JOINING_PARTICLE.test(word);

/** `an apple` is the fruit. */
export const isArticle = (word: string): boolean => /^(?:an?|some|my|your|his|her|our)$/iu.test(word);

/** True if the word has the shape of a ticker or Korean code. */
export const isCode = (word: string): boolean => /^(?:\$?[A-Z]{2,5}|\d{6})$/u.test(word);

/** One or two letters are a ticker only in capitals: `is`, `at` and `ko` are words. So are single syllables: 델, 부. */
export const isTooShort = (word: string): boolean => /^(?:[a-z]{1,2}|\p{Script=Hangul})$/u.test(word);

/** True if an unknown word may be a name: not a count (`10주`), not a single syllable. */
export const canBeName = (word: string): boolean =>
  isCode(word) || (/\p{L}/u.test(word) && !isTooShort(word) && !/^\d+\p{Script=Hangul}+$/u.test(word));

const KIND_OF_FUND = /^(?:etn|etf)(?:\([a-z]\))?$/iu;

/** After Hangul, `ETN` and `ETF` are product types: 코스닥 인버스 ETN does not name Eaton. */
export const isKindOfFund = (word: string, previous: string | undefined): boolean =>
  KIND_OF_FUND.test(word) && /\p{Script=Hangul}/u.test(previous ?? '');

/** A Korean note, such as `신한 레버리지 WTI ETN`. */
const isNoteName = (text: string): boolean =>
  /\p{Script=Hangul}/u.test(text) && /(?<![a-z])etn(?: ?\([a-z]\))?(?: ?[a-z])?$/iu.test(text);

/** True if the words are the name of a note, even if several match or none exactly. */
export const meansNote = (text: string, match: SymbolMatch): boolean => {
  if (!isNoteName(text) || match.status !== 'unknown') return isNoteName(text);
  return match.suggestions.length > 0 && match.suggestions.every(({ name }) => isNoteName(name.ko));
};
