import { z } from 'zod';
import { action, hasFlag, option } from '#src/features/ability.ts';
import { emptyAnswer } from '#src/kernel/chat/answer.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';
import { verbs } from '#src/reading/asked-verb.ts';
import { readRange } from '#src/reading/history-range.ts';
import type { ActionsRequest, AnalyseRequest, InPortfolio, OpenRequest, TaxedAs } from '../requests.ts';
import { performanceTexts } from '../texts/performance.ts';
import { portfolioTexts } from '../texts/portfolio.ts';
import { rebalanceTexts } from '../texts/rebalance.ts';
import { taxTexts } from '../texts/tax.ts';
import {
  choices,
  chosen,
  type Deps,
  HISTORIES_TIMEOUT_MS,
  inPortfolio,
  leftOver,
  type PortfolioLine,
  namedTheme,
  optional,
  portfolioInput,
  PRICES_TIMEOUT_MS,
  reads,
  theme,
  withoutTheme,
  YES,
} from './line.ts';

const YEAR = /^\d{2,4}(?:년(?:도|분)?)?$/u;
export const FULL_YEAR = /^(?:19|20)\d\d(?:년(?:도|분)?)?$/u;
const BASIS = option('basis', '기준', {
  ko: '어느 나라의 기준',
  en: 'rules of which country',
  choices: choices(['kr', '한국', 'Korea', '한국 국내 korea'], ['us', '미국', 'US', '미국 usa']),
});

const basisOf = (word: string): 'kr' | 'us' | undefined =>
  (['kr', 'us'] as const).find((basis) => basis === chosen(BASIS, word));

/** A year, or the country whose rules of tax are meant. */
export const isOfReport = (word: string): boolean => FULL_YEAR.test(word) || basisOf(word) !== undefined;

interface TaxInput extends InPortfolio {
  readonly year?: number | string | undefined;
  readonly basis?: 'kr' | 'us' | undefined;
}

/** `2025`, `2025년 연금`, `us`. */
const taxOf = (line: PortfolioLine): TaxInput | string => {
  const { words, flags, portfolio } = line;
  const year = words.find((word) => YEAR.test(word));
  const country = words.find(basisOf);
  const others = words.filter((word) => word !== year && word !== country);
  if (others.length > (portfolio === undefined ? 1 : 0))
    return leftOver(others.join(' '), 'tax-report', line);
  const basis = flags.has('us') ? 'us' : flags.has('kr') ? 'kr' : basisOf(country ?? '');
  return { year, basis, portfolio: portfolio ?? others[0] };
};

const DISMISS = /^(?:dismiss|ignore|hide|숨기기|숨김|무시)$/iu;
const RESTORE = /^(?:restore|undismiss|unhide|복원|복원하기|되돌리기|숨김해제)$/iu;
const RECORD = /^(?:record|기록|기록하기|기록해줘)$/iu;

/** How the recorded dividends were taxed. */
const TAXED = verbs<TaxedAs>([
  ['usual', 'after-tax 세후'],
  ['korean-broker', 'korean-broker 국내증권사'],
  ['none', 'before-tax 세전'],
]);

/** In `AAPL dismiss` and `dismiss AAPL`, the words beside that one; `all` if there are none. Undefined without it. */
const besideWord = (pattern: RegExp, [first = '', ...rest]: readonly string[]): string | undefined => {
  if (pattern.test(first)) return rest.join(' ') || 'all';
  return pattern.test(rest.at(-1) ?? '') ? [first, ...rest.slice(0, -1)].join(' ') : undefined;
};

const actionsOf = ({ words, portfolio, isSure }: PortfolioLine): ActionsRequest => {
  const restore = besideWord(RESTORE, words);
  if (restore !== undefined) return { portfolio, restore };
  const record = besideWord(
    RECORD,
    words.filter((word) => !TAXED.has(word.toLowerCase())),
  );
  const taxed = words.map((word) => TAXED.get(word.toLowerCase())).find((as) => as !== undefined);
  if (record !== undefined) return { portfolio, record, taxed };
  const dismiss = besideWord(DISMISS, words);
  return { portfolio, ...(dismiss !== undefined && { dismiss, isSure }) };
};

const RANGES = ['3mo', '6mo', 'ytd', '1y', '2y'] as const;

const KOSPI = /^(?:kospi|코스피)$/iu;
const SP = /^(?:sp|s&p)$/iu;
const SP500 = /^(?:sp500|s&p500)$/iu;

const benchmarkOf = (word: string) => (KOSPI.test(word) ? 'kospi' : SP500.test(word) ? 'sp500' : undefined);

interface AnalysisInput extends Omit<AnalyseRequest, 'isDrawn'> {
  readonly chart: boolean;
}

const analysisOf = (line: PortfolioLine): AnalysisInput | string => {
  const { words: typed, theme } = withoutTheme(line);
  // The usual spelling of the index is two words.
  const words = typed.flatMap((word, index) => {
    if (SP.test(word) && typed[index + 1] === '500') return [`${word}500`];
    return word === '500' && SP.test(typed[index - 1] ?? '') ? [] : [word];
  });
  const ranges = words.map(readRange).filter((each) => each !== undefined);
  const range = ranges.length === 0 ? '1y' : RANGES.find((each) => each === ranges[0]);
  const benchmark = words.map(benchmarkOf).find((each) => each !== undefined);
  const others = words.filter((word) => readRange(word) === undefined && !benchmarkOf(word));
  if (!range || others.some((word) => /^\d/u.test(word))) return portfolioTexts(line.ctx.locale).rangeUsage();
  const [named, ...more] = others;
  if (more.length > 0 || (named !== undefined && line.portfolio !== undefined))
    return leftOver(others.join(' '), 'analyse', line);
  return { range, benchmark, portfolio: line.portfolio ?? named, chart: true, theme };
};

interface RebalanceInput extends InPortfolio {
  readonly weights: string;
  readonly targets?: readonly { readonly name: string; readonly percent: number }[] | undefined;
  readonly new_money?: string | undefined;
  readonly allow_sales?: boolean | undefined;
  readonly band?: number | undefined;
}

const WEIGHTS = {
  option: option('weights', '비중', {
    ko: '목표 비중, 예: AAPL 40 삼성전자 30 현금 30 (비우면 저장된 비중)',
    en: 'target weights, e.g. AAPL 40 MSFT 30 cash 30 (the stored ones if left out)',
  }),
  read: reads(({ words }) => words.join(' ')),
  usual: '',
};

const MAX_TARGETS = 50;
const MAX_MONEY_CHARACTERS = 40;
const FIRST_YEAR = 1990;
const LAST_YEAR = 2100;

/** A word that may be the name of a portfolio. */
const openOf = (line: PortfolioLine): OpenRequest => {
  const { words, theme } =
    line.words.length > 1 ? withoutTheme(line) : { words: line.words, theme: namedTheme(line) };
  return { portfolio: line.portfolio, typed: words.join(' '), theme };
};

/** What is held. */
export const holdingActions = {
  summary: action({
    nameKo: '요약',
    description: { ko: '보유 종목과 손익을 봅니다', en: 'your holdings and gains' },
    words: 'summary show view 요약 보기 조회 현황',
    input: {
      portfolio: inPortfolio,
      view: {
        input: () =>
          z
            .enum(['summary', 'actions'])
            .default('summary')
            .describe(
              '`actions`: which splits and dividends of the holdings the data source reports, and which are not recorded',
            ),
      },
      draw: {
        input: () =>
          z
            .boolean()
            .default(true)
            .describe('Also draw what it is made of; false where one figure is asked for'),
        usual: true,
      },
      theme,
    },
    progress: (_input, locale) => portfolioTexts(locale).lookingUp(),
    run: ({ view, draw, theme, portfolio }, { portfolio: service }: Deps, who, signal) =>
      view === 'actions'
        ? service.actions({ portfolio }, who, signal)
        : service.summary({ portfolio, isDrawn: draw, theme }, who, signal),
    tool: {
      name: 'get_portfolio',
      description: [
        "Get the user's own portfolio as they recorded it: each holding with quantity, average cost, price, value,",
        'unrealised gain and change of the day, and the totals (value, gains split into price and exchange rate,',
        'realised gains, dividends, cash, fees, taxes). Use it whenever the user asks what they hold, what it is worth',
        'or how much they gained or lost. Never guess holdings. Repeat the source and the as-of time, and say what the',
        'result says it left out. If it says that a split or dividend is not recorded, say so and how to record it. An empty portfolio is said so: tell the user how to record what they have then.',
      ],
      isExternal: true,
      timeoutMs: PRICES_TIMEOUT_MS,
    },
  }),
  details: action({
    words: 'details 자세히',
    input: { portfolio: inPortfolio },
    run: ({ portfolio }, { portfolio: service }: Deps, who, signal) =>
      service.summary({ portfolio, isDrawn: false, isDetailed: true }, who, signal),
  }),
  open: action<Deps, OpenRequest>({
    read: reads(openOf),
    run: (asked, { portfolio }, who, signal) => portfolio.open(asked, who, signal),
  }),
  help: action({
    words: 'help 도움말 사용법 도움 ?',
    run: async (_input, _deps: Deps, { locale }) => emptyAnswer(portfolioTexts(locale).help()),
  }),
};

/** What is worked out from it. */
export const reportActions = {
  analysis: action<Deps, AnalysisInput>({
    nameKo: '분석',
    description: { ko: '수익률과 위험을 분석합니다', en: 'return and risk' },
    words: 'analyse analyze analysis 분석',
    wordsBehind: true,
    input: {
      portfolio: inPortfolio,
      range: {
        option: option('range', '기간', {
          ko: '기간 (비우면 1년)',
          en: 'period (a year if left out)',
          choices: choices(
            ['3mo', '3개월', '3 months'],
            ['6mo', '6개월', '6 months'],
            ['ytd', '올해', 'this year'],
            ['1y', '1년', '1 year'],
            ['2y', '2년', '2 years'],
          ),
        }),
        input: () =>
          z.enum(RANGES).default('1y').describe('How far back; `ytd` is since the end of last year'),
      },
      benchmark: {
        option: option('benchmark', '비교지수', {
          ko: '비교할 지수',
          en: 'index to compare with',
          choices: choices(['kospi', '코스피', 'KOSPI'], ['sp500', 'S&P 500', 'S&P 500']),
        }),
        input: optional(
          () => z.enum(['kospi', 'sp500']),
          'Only where the user named one; otherwise by the currency of the portfolio',
        ),
      },
      chart: {
        input: () =>
          z.boolean().default(true).describe('Send a picture of the value over time along with the answer'),
      },
      theme,
    },
    read: reads(analysisOf),
    progress: (_input, locale) => performanceTexts(locale).analysing,
    run: ({ chart: isDrawn, ...asked }, { portfolio }, who, signal) =>
      portfolio.analyse({ ...asked, isDrawn }, who, signal),
    tool: {
      name: 'analyze_portfolio',
      description: [
        "Analyse the user's own recorded portfolio over a time: time-weighted return (TWR) and money-weighted return",
        '(XIRR), volatility, Sharpe and Sortino ratio, maximum drawdown with its dates, beta and correlation to KOSPI or',
        'the S&P 500, historical value at risk, concentration, exposure by currency and sector, and which holdings move',
        'together. Use it when the user asks how their portfolio did, how risky or how diversified it is, or whether it',
        'beat the market; for what is held and what it is worth now use get_portfolio instead. Never work these figures',
        'out yourself. Repeat the period, the as-of time and the source, what was left out, and where it says that there',
        'is not enough data say exactly that. It describes the past and does not advise. A picture of the value over time',
        'goes out with your answer by itself.',
      ],
      isExternal: true,
      timeoutMs: HISTORIES_TIMEOUT_MS,
    },
  }),
  actions: action<Deps, ActionsRequest>({
    nameKo: '배당확인',
    description: {
      ko: '보유 종목의 분할·배당과 기록 여부를 봅니다',
      en: 'splits and dividends of what you hold',
    },
    words: 'actions corporate-actions 배당확인 분할확인 액면분할확인 권리',
    effect: 'record',
    input: {
      record: {
        option: option('change', '변경', {
          ko: '예: 기록 전체 · 숨기기 AAPL · 복원 AAPL',
          en: 'e.g. record all · dismiss AAPL · restore AAPL',
        }),
      },
      portfolio: inPortfolio,
      isSure: { option: YES },
    },
    read: reads(actionsOf),
    run: (asked, { portfolio }, who, signal) => portfolio.actions(asked, who, signal),
  }),
  taxReport: action<Deps, TaxInput>({
    name: 'tax',
    nameKo: '세금',
    description: {
      ko: '한 해의 양도세와 배당 세금을 요약합니다',
      en: 'gains, dividends and taxes of a year',
    },
    words: 'taxes tax-report 양도세 양도소득세 해외주식양도세 세금요약 세금보고서',
    wordsBehind: true,
    input: {
      year: {
        option: option('year', '연도', {
          ko: '예: 2025',
          en: 'e.g. 2025',
          type: 'integer',
          min: FIRST_YEAR,
          max: LAST_YEAR,
        }),
        input: optional(
          () => z.int().min(FIRST_YEAR).max(LAST_YEAR),
          'Calendar year; leave it out where the user named none',
        ),
      },
      basis: {
        option: BASIS,
        input: optional(
          () => z.enum(['kr', 'us']),
          '`kr`: tax of a resident of Korea; `us`: gains by holding time, without a tax. Only where the user said so',
        ),
      },
      portfolio: {
        ...inPortfolio,
        input: () =>
          portfolioInput(
            'Name of one portfolio, only where the user named one; Korean tax is over all of them',
          ),
      },
    },
    read: reads(taxOf),
    progress: (_input, locale) => taxTexts(locale).lookingUp,
    run: ({ year, ...asked }, { portfolio }, who, signal) =>
      portfolio.tax({ year: year?.toString(), ...asked }, who, signal),
    tool: {
      name: 'get_tax_report',
      description: [
        "Get the tax report of a year from the user's own recorded sales, dividends and interest: for residents of Korea",
        'the capital gains tax on foreign shares (해외주식 양도소득세: gains at settlement-day rates, deduction of ₩2,500,000,',
        '22%), transaction tax paid, dividends with tax withheld and the ₩20,000,000 line of financial income; otherwise',
        'realised gains by holding time. Use it when the user asks about their taxes, realised gains of a year or what to',
        'declare. Never work tax out yourself. Repeat what the result says is left out or provisional, and that it is no',
        'tax advice. The list of all sales goes out as a file by itself in a direct chat.',
      ],
      isExternal: true,
      timeoutMs: HISTORIES_TIMEOUT_MS,
    },
  }),
  rebalance: action<Deps, RebalanceInput>({
    nameKo: '리밸런싱',
    description: { ko: '목표 비중에 맞추는 매매를 계산합니다', en: 'trades towards target weights' },
    words: 'rebalance rebalancing 리밸런싱 리밸런스 비중조정',
    wordsBehind: true,
    input: {
      weights: WEIGHTS,
      targets: {
        input: optional(
          () =>
            z.array(z.object({ name: nameInput(), percent: z.number().min(0).max(100) })).max(MAX_TARGETS),
          'Weights in per cent that make 100, `cash` among them; leave it out for the stored ones',
        ),
      },
      new_money: {
        input: optional(
          () => z.string().max(MAX_MONEY_CHARACTERS),
          'Money to be added, with its currency, e.g. `1000000 KRW`',
        ),
      },
      allow_sales: {
        option: option('sell', '매도포함', {
          ko: '새 돈을 넣을 때 매도도 합니다',
          en: 'also sells when new money is added',
          type: 'flag',
        }),
        input: () =>
          z.boolean().default(false).describe('With new money: whether something may be sold, too'),
        read: hasFlag('sell'),
      },
      band: {
        input: optional(
          () => z.number().min(0).max(100),
          'What is no more than so many percentage points off is left alone; only where the user said so',
        ),
      },
      portfolio: inPortfolio,
    },
    progress: (_input, locale) => rebalanceTexts(locale).lookingUp,
    run: (
      { weights, targets = [], new_money, allow_sales: canSell, band, portfolio },
      { portfolio: service },
      who,
      signal,
    ) => {
      const text = [
        weights,
        ...targets.map(({ name, percent }) => `${name} ${percent}%`),
        ...(new_money === undefined ? [] : [`+${new_money.replace(/^\+/u, '')}`]),
        ...(band === undefined ? [] : [`±${band}%`]),
      ];
      return service.rebalance({ text: text.join(' ').trim(), canSell, portfolio }, who, signal);
    },
    tool: {
      name: 'plan_rebalance',
      description: [
        "Work out the trades that bring the user's own portfolio to target weights: for each holding the weight now, the",
        'target, how many whole shares to buy or sell, amounts, Korean transaction tax, and the cash that is left. With',
        'new_money only purchases for that money are proposed. Without targets the ones that the user stored are taken.',
        'Use it when the user asks to rebalance, how to reach certain weights, or what to buy with new money by their own',
        'targets. Only pass on weights that the user gave; never choose them yourself, and never work the trades out',
        'yourself. It records nothing: say so, and repeat prices with source and time. It is arithmetic, not advice.',
      ],
      isExternal: true,
      timeoutMs: PRICES_TIMEOUT_MS,
    },
  }),
  target: action({
    nameKo: '목표',
    description: { ko: '목표 비중을 저장합니다', en: 'stores target weights' },
    words: 'target targets 목표 목표비중',
    effect: 'record',
    input: { text: WEIGHTS, portfolio: inPortfolio },
    run: (asked, { portfolio }: Deps, who, signal) => portfolio.target(asked, who, signal),
  }),
};
