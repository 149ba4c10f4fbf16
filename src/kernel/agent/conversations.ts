import type { Locale } from '../locale.ts';
import type { AgentId, SessionKey, Timestamp, UserId } from '../ids.ts';
import type { ChatPlace, MediaAttachment } from '../chat/message.ts';

/** `isComplete` is false if rows of some people were deleted. */
export interface Participants {
  readonly people: ReadonlySet<UserId>;
  readonly isComplete: boolean;
}

/** How a conversation is exported: for people, or for programs. */
export const CONVERSATION_FORMATS = ['markdown', 'json-lines'] as const;
export type ConversationFormat = (typeof CONVERSATION_FORMATS)[number];

export interface Conversations {
  /** Archives the history, so that the next message starts a new conversation. False if there was none. */
  readonly reset: (sessionKey: SessionKey) => Promise<boolean>;
  /** The people who talked with the model in the current conversation. */
  readonly participants: (sessionKey: SessionKey) => Promise<Participants>;
  readonly context: (sessionKey: SessionKey, agentId: AgentId, place: ChatPlace) => Promise<ContextReport>;
  /** Undefined if the conversation is empty. */
  readonly summary: (
    sessionKey: SessionKey,
  ) => Promise<{ readonly messageCount: number; readonly since: Timestamp } | undefined>;
  /** The whole conversation with its archived parts, as a file. Undefined if it is empty. */
  readonly export: (
    sessionKey: SessionKey,
    how: { readonly format: ConversationFormat; readonly locale: Locale; readonly timeZone: string },
  ) => Promise<MediaAttachment | undefined>;
}

/** The use of the model's context window, in tokens. */
export interface ContextReport {
  readonly modelName: string;
  readonly windowTokens: number;
  /** Reserved for the answer. */
  readonly reserveTokens: number;
  readonly usedTokens: number;
  /** True if the provider reported it, false if it is an estimate. */
  readonly isMeasured: boolean;
  readonly breakdown: {
    readonly systemPrompt: number;
    readonly tools: number;
    readonly conversation: number;
    readonly toolResults: number;
    readonly summary: number;
  };
  readonly messageCount: number;
  /** Above this, older messages are summarized. */
  readonly compactionAtTokens: number;
  /** The highest threshold passed, as a share of the window without the reserve. */
  readonly passedThreshold?: 0.8 | 0.95;
}
