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

/** Nothing was found or done; the sentence says why, and what to do. */
export const emptyAnswer = (content: string): MarketAnswer => ({ content, facts: [], found: 0 });

export const HISTORY_RANGES = ['1d', '5d', '1mo', '3mo', '6mo', 'ytd', '1y', '2y', '5y', 'max'] as const;
export type HistoryRange = (typeof HISTORY_RANGES)[number];

/** One question about markets. It throws on abort alone, or for a bug. */
export type MarketQuery<Request> = (
  request: Request,
  audience: Audience,
  signal: AbortSignal,
) => Promise<MarketAnswer>;
