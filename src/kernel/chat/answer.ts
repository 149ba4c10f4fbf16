import type { CardsOfAnswer } from './card.ts';
import type { Locale } from '../locale.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { Choice, MediaAttachment } from './message.ts';
import type { ChangeReceipt } from './receipt.ts';
import type { Fact } from '../market/fact.ts';

/** The reader of an answer. The contexts of commands and tool calls satisfy this type. */
export interface Audience {
  readonly locale: Locale;
  readonly timeZone: string;
  /** The requester, if known: commands have it as `senderId`, tool calls as `userId`. */
  readonly channelId?: ChannelId;
  readonly senderId?: UserId;
  readonly userId?: UserId;
}

/** An answer about markets or account data. Commands show it to people, tools pass it to the model. */
export interface MarketAnswer {
  /** Markdown, short: the asked thing first. Every number has its meaning, source and time. */
  readonly content: string;
  /** Everything in words: the model reads it instead, and people ask for it with a button. Absent: `content` has it all. */
  readonly details?: string;
  readonly facts: readonly Fact[];
  /** How many of the requested items could be answered. If 0, `content` explains why and what to do. */
  readonly found: number;
  /** Shown below `text` instead of `content` on platforms with cards. */
  readonly cards?: CardsOfAnswer;
  /** Buttons, for example one per match of an ambiguous name. */
  readonly choices?: readonly Choice[];
  /** Instructions for platforms without buttons. */
  readonly typed?: string;
  /** Images with alternative text. */
  readonly media?: readonly MediaAttachment[];
  /** Something was changed. A command shows the answer itself; below the answer of a model, this is shown. */
  readonly receipt?: ChangeReceipt;
  /** Contains untrusted text (headlines), which the model gets marked as data. */
  readonly isUntrusted?: boolean;
  /** A local time was stored in the requester's zone. If the zone is a guess, they are asked to confirm it. */
  readonly dependsOnZone?: boolean;
  /** The links of its headlines, as given by the source. */
  readonly links?: readonly string[];
}

/** Nothing was found or done; the sentence says why, and what to do. */
export const emptyAnswer = (content: string): MarketAnswer => ({ content, facts: [], found: 0 });

/** A query about markets. Throws only on abort or for a bug. */
export type MarketQuery<Request> = (
  request: Request,
  audience: Audience,
  signal: AbortSignal,
) => Promise<MarketAnswer>;
