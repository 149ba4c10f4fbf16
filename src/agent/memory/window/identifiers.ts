import { type Amount, type AmountReading, amountsIn } from '#src/reading/amounts.ts';
import { currencyNamed } from '#src/reading/currencies.ts';
import { datesIn, type DateValue, SOME_DAY } from '#src/reading/dates.ts';
import { type Reading, withoutReadings } from '#src/reading/reading.ts';

/** Upper-case words of up to five letters that are no tickers. */
const NOT_TICKERS: ReadonlySet<string> = new Set(
  // Common words in capitals.
  (
    'A ABOUT ADD AFTER AGAIN ALL ALSO AM AN AND ANY ARE AS ASK AT BACK BAD BE BEEN BEST BUT BUY BY CAN CASH CHECK ' +
    'COULD DAY DID DO DONE DONT DOWN EACH ELSE EVEN EVERY FEW FIND FIRST FOR FROM GET GIVE GO GOOD GOT GREAT HAD ' +
    'HAS HAVE HE HELLO HELP HER HERE HEY HI HIGH HIM HIS HOLD HOW IF IN INTO IS IT ITS JUST KEEP KNOW LAST LET LIKE ' +
    'LIST LONG LOOK LOSS LOT LOW MADE MAKE MANY MAY ME MORE MOST MUCH MUST MY NEED NEVER NEW NEXT NO NOT NOTE NOW OF ' +
    'OFF OH OK OKAY OLD ON ONCE ONE ONLY OPEN OR ORDER OTHER OUR OUT OVER PLAN PLS PRICE PUT READ REAL RIGHT SAID ' +
    'SAME SAVE SAY SEE SELL SEND SHE SHORT SHOW SO SOLD SOME SOON STAY STILL STOCK STOP SURE TAKE TELL THAN THANK ' +
    'THAT THE THEIR THEM THEN THERE THESE THEY THING THINK THIS THOSE TIME TO TODAY TOLD TOO TOP TRADE TRY TWO ' +
    'UNDER UNTIL UP US USE USED VERY WAIT WANT WAS WAY WE WEEK WELL WENT WERE WHAT WHEN WHERE WHICH WHILE WHO WHY ' +
    'WILL WITH WORD WORK WOULD YEAR YES YET YOU YOUR ' +
    // Finance, economy and technology.
    'ADR AI AMEX API ATH ATM AUM AWS BOJ BOK BPS CAGR CAPEX CD CDS CEO CFO CMA CNN COO CPI CPU CSV CTO DAX DB DCA DCF ' +
    'DM DMA DPS DRAM EBIT ECB ELS EMA EOD EPS ESG ETA ETC ETF ETFS ETN EU EV EVS FAQ FCF FDA FED FOMC FOMO FRB FTC FUD ' +
    'FX FYI GAAP GDP GMT GNP GPU HBM HODL HTML HTTP ID IMF IMO IPO IR IRA IRP IRS ISA IT ITM JSON KOR KR KRX KST LLM ' +
    'LTE MACD MBS MDD NAND NASA NATO NAV NFT NPU NXT NYC NYSE OECD OPEC OPEX OTC OTM PBR PC PCE PCR PDF PE PEG PER PM ' +
    'PMI POC PPI PSR QE QOQ QT RAM REIT REITS ROA ROE ROI ROIC RSI SEC SMA SMS SNS SSD STO SUV TBD TF TP TTM TV UAE UK ' +
    'UN URL USA UTC VAT VC VI VWAP WTO WWW YOLO YOY YTD ' +
    // Days and months.
    'MON TUE WED THU FRI SAT SUN JAN FEB MAR APR JUN JUL AUG SEP SEPT OCT NOV DEC EST EDT PST PDT'
  ).split(' '),
);

const DOLLAR_COINS: ReadonlySet<string> = new Set(['USDT', 'USDC']);

/** Dollar coins count as currencies; other coins count as holdings. */
const isCurrency = (code: string): boolean => {
  const known = currencyNamed(code);
  return known?.code === code && (!known.isCoin || DOLLAR_COINS.has(code));
};

const TICKER = /^[A-Z]{2,5}$/;

const isTickerWord = (word: string): boolean =>
  TICKER.test(word) && !NOT_TICKERS.has(word) && !isCurrency(word);

/** A ticker, amount, date or quantity in a text, which a summary must not lose. */
export interface Identifier {
  /** The text as it is written. */
  readonly raw: string;
  /** Normalized forms for comparison, the same for every spelling. */
  readonly keys: readonly string[];
  readonly isTicker: boolean;
}

/** Codes, pairs and names with a sign. They are read before amounts, because they contain digits and currency codes. */
const CODE = new RegExp(
  String.raw`(?<![A-Za-z0-9_])(?:${[
    String.raw`(?<code>\d{4}(?:[A-Z]\d|\d[A-Z])|\d{6}(?=\.K[SQ])|0\d{5})(?:\.K[SQ])?`,
    String.raw`(?<foreign>\d{4,6}\.(?:HK|T|SS|SZ|TW))`,
    String.raw`(?<base>[A-Z]{2,6})[/-](?<quote>[A-Z]{2,6})`,
    String.raw`(?<share>[A-Z]{2,5})[.-](?<letter>[A-Z])`,
    String.raw`\$(?<cash>[A-Za-z]{1,5}(?:\.[A-Za-z])?)`,
  ].join('|')})(?![A-Za-z0-9])`,
  'g',
);
const WORD = /(?<word>[A-Za-z0-9_]+)/g;
/** The code of a Korean stock that does not begin with a zero. */
const STOCK_CODE = /^\d{6}$/;
const PLAIN_DIGITS = /^[-+−–]?\d+$/;
/** The sign between the two ends of `10-20%`. */
const RANGE_SIGN = /^ ?[~–−-] ?$/;
const MAX_RANGE_SIGN = 3;

type Groups = Readonly<Record<string, string | undefined>>;

type DayReading = Reading<Extract<DateValue, { readonly status: 'date' }>>;

/** Only written-out days count, because the text alone does not say which day `yesterday` was. */
const isDay = (reading: Reading<DateValue>): reading is DayReading =>
  reading.value.status === 'date' && reading.value.precision === 'day' && reading.value.said !== 'relative';

/** A full date also matches without its year, which people often omit. */
const dateKeys = ({ value: { first, said } }: DayReading): readonly string[] => {
  const whole = first.toString();
  const short = whole.slice(-'11-13'.length);
  return said === 'full' ? [whole, short] : [short];
};

/** BTC/KRW, BTC-KRW and KRW-BTC are the same market. Without a currency, the two words are separate tickers. */
const pairKeys = (base: string, quote: string): readonly string[] => {
  if (isCurrency(quote)) return [`${base}/${quote}`];
  if (isCurrency(base)) return [`${quote}/${base}`];
  return [base, quote].filter(isTickerWord);
};

const tickerKeys = ({ code, foreign, base, quote, share, letter, cash, word }: Groups): readonly string[] => {
  if (base !== undefined && quote !== undefined) return pairKeys(base, quote);
  if (share !== undefined) return [`${share}.${letter}`];
  if (word !== undefined) return isTickerWord(word) ? [word] : [];
  const single = code ?? foreign ?? cash;
  return single === undefined ? [] : [single.toUpperCase()];
};

interface Placed extends Identifier {
  readonly start: number;
  readonly end: number;
}

const tickersIn = (text: string, pattern: RegExp): readonly Placed[] =>
  Array.from(text.matchAll(pattern)).flatMap((match) => {
    const keys = tickerKeys(match.groups ?? {});
    const [raw] = match;
    const place = { start: match.index, end: match.index + raw.length };
    return keys.length > 0 ? [{ ...place, raw, keys, isTicker: true }] : [];
  });

const UNIT_NAMES: Readonly<Record<Exclude<Amount['unit'], 'money' | 'none'>, string>> = {
  percent: '%',
  points: ' points',
  'basis-points': 'bp',
  times: 'x',
  pieces: ' shares',
};

/** Empty for whole numbers without separators or units, which are in every sentence and mean nothing by themselves. */
const amountKeys = ({ value: amount, hasKoreanScale }: AmountReading, raw: string): readonly string[] => {
  const { unit, currency, isCoin } = amount;
  const value = amount.value.abs().toFixed();
  if (currency !== undefined) return isCoin ? [currency, value] : [`${currency} ${value}`];
  if (unit !== 'none' && unit !== 'money') return [`${value}${UNIT_NAMES[unit]}`];
  if (STOCK_CODE.test(raw)) return [raw];
  return hasKoreanScale || (/\d/.test(raw) && !PLAIN_DIGITS.test(raw)) ? [value] : [];
};

/** A range is one identifier with both ends, because its unit is written once. */
const placedAmounts = (text: string): readonly Placed[] => {
  const runs: AmountReading[][] = [];
  for (const amount of amountsIn(text)) {
    const run = runs.at(-1);
    const end = run?.at(-1)?.end ?? 0;
    const isRange = amount.start - end <= MAX_RANGE_SIGN && RANGE_SIGN.test(text.slice(end, amount.start));
    if (run && isRange) run.push(amount);
    else runs.push([amount]);
  }
  return runs.flatMap((run): readonly Placed[] => {
    const keys = run.flatMap((amount) => amountKeys(amount, text.slice(amount.start, amount.end)));
    if (keys.length === 0) return [];
    const [start, end] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0];
    const raw = text.slice(start, end);
    const isTicker = run.length === 1 && (STOCK_CODE.test(raw) || run[0]?.value.isCoin === true);
    return [{ start, end, raw, keys, isTicker }];
  });
};

/** All identifiers in the order of the text, with repetitions. */
export const scanIdentifiers = (text: string): readonly Identifier[] => {
  const days = datesIn(text, SOME_DAY, { looks: 'near' }).filter(isDay);
  const dates = days.map((reading): Placed => ({
    start: reading.start,
    end: reading.end,
    raw: text.slice(reading.start, reading.end),
    keys: dateKeys(reading),
    isTicker: false,
  }));
  const undated = withoutReadings(text, days);
  const codes = tickersIn(undated, CODE);
  const counted = withoutReadings(undated, codes);
  const amounts = placedAmounts(counted);
  const words = tickersIn(withoutReadings(counted, amounts), WORD);
  return [...dates, ...codes, ...amounts, ...words]
    .toSorted((a, b) => a.start - b.start)
    .map(({ raw, keys, isTicker }) => ({ raw, keys, isTicker }));
};

/** The normalized identifiers of a text: ₩81,200 and 81200원 are the same. Runs in linear time for any input. */
export const identifiersIn = (text: string): ReadonlySet<string> =>
  new Set(scanIdentifiers(text).flatMap(({ keys }) => keys));
