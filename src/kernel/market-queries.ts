import type { Locale } from './locale.ts';
import type { ChannelId, UserId } from './ids.ts';
import type { Card, Choice, MediaAttachment } from './message.ts';
import type { Fact } from './tool.ts';

/** For whom an answer is written: the context of a command or of a tool call is one. */
export interface Audience {
  readonly locale: Locale;
  readonly timeZone: string;
  /** Who asked, where it is known: a command says it as `senderId`, a tool call as `userId`. */
  readonly channelId?: ChannelId;
  readonly senderId?: UserId;
  readonly userId?: UserId;
}

/** What is said about markets, to a person by a command and to the model by a tool: the same words. */
export interface MarketAnswer {
  /** Markdown. Every number with what it is, from where and as of when. */
  readonly content: string;
  readonly facts: readonly Fact[];
  /** How many of the things asked for could be answered; 0: `content` says why, and what to do. */
  readonly found: number;
  /** Drawn in the place of `content` where a platform can; `text` stands above them. */
  readonly cards?: { readonly items: readonly Card[]; readonly text: string };
  /** Where a name fits several: each of them to press. */
  readonly choices?: readonly Choice[];
  /** What to type instead of pressing a choice, where nothing can be pressed. */
  readonly typed?: string;
  /** Pictures, with their text for those who cannot see them. */
  readonly media?: readonly MediaAttachment[];
  /** Words of strangers are in it (headlines): the model gets them fenced, as data. */
  readonly isUntrusted?: boolean;
  /** Something was set by the clock of the reader's zone: where that is a guess, they are asked. */
  readonly dependsOnZone?: boolean;
  /** The links of the headlines in it, as the source gave them. */
  readonly links?: readonly string[];
}

export const HISTORY_RANGES = ['1d', '5d', '1mo', '3mo', '6mo', 'ytd', '1y', '2y', '5y', 'max'] as const;
export type HistoryRange = (typeof HISTORY_RANGES)[number];

export interface HistoryRequest {
  readonly query: string;
  readonly range: HistoryRange;
  /** Only these days, both included, whatever the range; the same day twice is that day. */
  readonly days?: { readonly first: Temporal.PlainDate; readonly last: Temporal.PlainDate };
}

/** One group of indicators; `average` are all moving averages. */
export const INDICATOR_GROUPS = ['average', 'rsi', 'macd', 'bollinger', 'atr', 'year', 'volume'] as const;
export type IndicatorGroup = (typeof INDICATOR_GROUPS)[number];

export interface IndicatorsRequest {
  readonly query: string;
  /** Absent: all of them. */
  readonly only?: readonly IndicatorGroup[];
}

export interface ChartRequest {
  /** One: candles. Several: lines in % from the first day. */
  readonly queries: readonly string[];
  readonly range: HistoryRange;
  /** As people write them: `ma20`, `ema12`, `bollinger`, `rsi`, `macd`. Empty: the usual averages. */
  readonly indicators: readonly string[];
  readonly theme?: 'light' | 'dark';
}

export interface CompareRequest {
  readonly queries: readonly string[];
  readonly range: HistoryRange;
  /** With a picture beside the words. */
  readonly isDrawn: boolean;
}

export interface NewsRequest {
  /** Absent: the market as a whole. */
  readonly query?: string;
  readonly limit: number;
}

export interface OverviewRequest {
  readonly of: 'markets' | 'crypto';
  /** Of coins. Absent: won for Korean readers, dollars for others. */
  readonly currency?: 'KRW' | 'USD';
  /** Of coins: only these. Absent or empty: the biggest. */
  readonly names?: readonly string[];
}

export interface ConvertRequest {
  /** Decimal as text. */
  readonly amount: string;
  /** As people write them: `usd`, `원`, `BTC`. */
  readonly from: string;
  readonly to: string;
}

/** The same in a person's own words, to be read: `100달러 원`, `usd krw`. Empty: the dollar in won. */
export interface ConvertText {
  readonly text: string;
}

export interface HoursRequest {
  /** As people write it: `krx`, `미국`, `crypto`, or the name of a company. Absent: every market. */
  readonly market?: string;
  /** `2026-11-19`, `11월 19일`, `tomorrow`. Absent: now. */
  readonly date?: string;
}

/** Port: everything that can be asked about markets. Nothing in it throws but on abort, or for a bug. */
export interface MarketQueries {
  readonly quotes: MarketQuestion<readonly string[]>;
  readonly history: MarketQuestion<HistoryRequest>;
  readonly indicators: MarketQuestion<IndicatorsRequest>;
  readonly chart: MarketQuestion<ChartRequest>;
  readonly compare: MarketQuestion<CompareRequest>;
  readonly news: MarketQuestion<NewsRequest>;
  readonly fundamentals: MarketQuestion<{ readonly query: string }>;
  readonly overview: MarketQuestion<OverviewRequest>;
  readonly convert: MarketQuestion<ConvertRequest | ConvertText>;
  readonly hours: MarketQuestion<HoursRequest>;
  /** No names: the biggest companies. */
  readonly earnings: MarketQuestion<{ readonly queries: readonly string[] }>;
  readonly search: MarketQuestion<{ readonly query: string }>;
}

export type MarketQuestion<Request> = (
  request: Request,
  audience: Audience,
  signal: AbortSignal,
) => Promise<MarketAnswer>;
