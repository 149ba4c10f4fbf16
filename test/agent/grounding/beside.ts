import { evidenceIn } from '#src/agent/grounding/evidence.ts';
import type { Evidence } from '#src/agent/grounding/verdict.ts';
import { userTurn } from '#src/agent/loop/turn-message.ts';
import type { PipelineMsgContext } from '#src/kernel/execution.ts';
import type { Instrument, MarketSession, NewsItem } from '#src/kernel/finance.ts';
import { Decimal } from '#src/kernel/money.ts';
import { message } from '#test/agent/loop/adapter-support.ts';
import { APPLE, BITCOIN, HYNIX, SAMSUNG } from '#test/support/instruments.ts';
import { ENGLISH_FILINGS } from './pages/filings-en.ts';
import { KOREAN_NEWS } from './pages/news-ko.ts';

/** What stands beside the facts and the question in a conversation. */
export type Beside = Pick<Evidence, 'contextText' | 'headlineText' | 'looseText'>;

const at = (time: string): Temporal.Instant => Temporal.Instant.from(time);

const session = (market: string, opensAt: string): MarketSession => ({
  market,
  state: 'closed',
  nextOpenAt: at(opensAt),
  nextChange: { to: 'open', at: at(opensAt) },
});

const holding = (instrument: Instrument, quantity: string, averageCost: string) => ({
  instrument,
  quantity: new Decimal(quantity),
  averageCost: new Decimal(averageCost),
});

const alert = (instrument: Instrument, condition: string) => ({
  id: `${instrument.symbol} ${condition}`,
  instrument,
  condition,
});

const headline = (publisher: string, title: string): NewsItem => ({
  title,
  url: 'https://news.example/1',
  publisher,
  publishedAt: at('2026-11-13T05:00:00Z'),
  symbols: [],
});

const OWN: Partial<PipelineMsgContext> = {
  marketSession: [session('KRX', '2026-11-16T00:00:00Z'), session('NYSE', '2026-11-13T14:30:00Z')],
  activeAlerts: [
    alert(SAMSUNG, '₩98,700 이하'),
    alert(SAMSUNG, '₩115,000 상향 돌파'),
    alert(HYNIX, '전일 종가 대비 5% 이상 하락'),
    alert(APPLE, 'RSI(14) 30 이하'),
    alert(APPLE, '$260.00 이하'),
    alert(BITCOIN, '설정 당시 $98,214.55 대비 7% 이상 상승 또는 하락'),
  ],
  portfolioSnapshot: {
    name: '기본',
    baseCurrency: 'KRW',
    holdings: [
      holding(SAMSUNG, '120', '71300'),
      holding(HYNIX, '15', '243500'),
      holding(APPLE, '32', '188.42'),
      holding(BITCOIN, '0.185', '61204.3'),
    ],
  },
  watchlist: ['005930.KS', 'AAPL', 'NVDA', '^KS11', 'USDKRW=X'],
};

const HEADLINES: readonly NewsItem[] = [
  headline('연합뉴스', '코스피, 외국인 1조2천억 순매도에 3.8% 급락…4,010선 마감'),
  headline('Reuters', 'Tesla sinks 6.6% as 3 analysts cut price targets to $350'),
  headline('Bloomberg', 'US Treasury 10-year yield climbs to 4.12% before CPI data'),
];

const besideIn = (overrides: Partial<PipelineMsgContext>): Beside => {
  const today = Temporal.PlainDate.from('2026-11-13');
  const {
    contextText = '',
    headlineText = '',
    looseText,
  } = evidenceIn([userTurn(message('1', '', overrides))], today);
  return { contextText, headlineText, looseText };
};

/** The block that the program puts at the end of a message in a direct chat: markets, alerts, holdings, watchlist. */
export const OWN_RECORDS: Beside = besideIn(OWN);

/** The same with the headlines of the day, which come with every message. */
export const WITH_HEADLINES: Beside = besideIn({ ...OWN, newsContext: HEADLINES });

/** Two pages that a tool has read, one of them a statement full of numbers. */
export const TWO_PAGES: Beside = {
  looseText: [ENGLISH_FILINGS[0], KOREAN_NEWS[0]].map((each) => each?.page ?? '').join('\n'),
};
