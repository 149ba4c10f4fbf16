import { z } from 'zod';
import type { InboxId, MessageId } from '../ids.ts';
import type { Links } from './links.ts';
import type { MediaAttachment } from '../chat/message.ts';
import type { ChangeReceipt } from '../chat/receipt.ts';
import type { Fact } from '../market/fact.ts';
import type { ToolResultCode } from './tool.ts';
import type { ToolDisplay } from '../chat/tool-display.ts';

const price = z.number().min(0).max(100_000);

/** Schema of model prices in the configuration and in plugins. */
export const MODEL_PRICES = z.strictObject({
  inputPerMillion: price.describe('US dollars per million input tokens.'),
  outputPerMillion: price.describe('US dollars per million output tokens.'),
  cacheReadPerMillion: price.optional().describe('US dollars per million tokens read from the cache.'),
  cacheWritePerMillion: price.optional().describe('US dollars per million tokens written to the cache.'),
});

/** `offline` is the rule-based model that needs no key. */
export type ProviderId = 'anthropic' | 'openai' | 'offline';

/** The smallest window in which a conversation with tools works; measured in `test/flows/small-windows.test.ts`. */
export const MIN_WINDOW_TOKENS = 6_000;

export const WINDOW_TOO_SMALL = `must be at least ${MIN_WINDOW_TOKENS}: the instructions, the tools, an answer and a few messages need that much`;

/** How reliable a model's arithmetic is. */
export type NumericalTier = 'low' | 'medium' | 'high';

/** Providers that need an API key, in display order. */
export const KEYED_PROVIDERS = ['anthropic', 'openai'] as const satisfies readonly ProviderId[];
export type KeyedProvider = (typeof KEYED_PROVIDERS)[number];

/** The failures of a request after which another key or model may be tried. */
export const FALLBACK_REASONS = [
  'rate-limit',
  'server-error',
  'timeout',
  'model-unavailable',
  'auth',
  'billing',
  'refusal',
  'empty-answer',
  'context-overflow',
] as const;

/** A key is sent in an HTTP header, as one word. */
const HEADER_WORD = /^[\x21-\x7e]{1,300}$/;
const MIN_KEY_LENGTH = 20;

const HAS_KEY_PREFIX: Readonly<Record<KeyedProvider, (key: string) => boolean>> = {
  anthropic: (key) => key.startsWith('sk-ant-'),
  openai: (key) => key.startsWith('sk-') && !key.startsWith('sk-ant-'),
};

/**
 * Whether a text can be a key of the provider: refuses keys of another provider, truncated keys and sentences.
 * `anyForm` is for servers that speak the provider's protocol and issue keys in a format of their own.
 */
export const isPlausibleKey = (
  provider: KeyedProvider,
  key: string,
  { anyForm = false }: { readonly anyForm?: boolean } = {},
): boolean =>
  HEADER_WORD.test(key) && (anyForm || (key.length >= MIN_KEY_LENGTH && HAS_KEY_PREFIX[provider](key)));

/** Brand names, the same in every language. */
export const PROVIDER_NAMES: Readonly<Record<ProviderId, string>> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  offline: 'FinClaw',
};

export interface ModelRef {
  readonly provider: ProviderId;
  readonly model: string;
}

/** A complete tool call of the model. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Why it must not be run: its arguments are not JSON. Stored with the call for restarts. */
  readonly malformed?: string;
}

/** Reasoning of a model. It is sent back unchanged to the same model and to no other. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly model: string;
  readonly text: string;
  /** The provider's signed or encrypted form, as JSON. */
  readonly opaque: unknown;
}

/** Image types that every provider with vision accepts. */
export const IMAGE_MIME_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

/**
 * Limit for all images in one request, in base64 characters: two large photos. Providers accept bodies of some 30 MB,
 * but serializing 15 MB of JSON blocks the event loop for 90 ms.
 */
export const MAX_IMAGE_CHARS = 8_000_000;

/** Per request. Anthropic accepts 100, but with more than 20 none may be larger than 2,000 pixels on a side. */
export const MAX_IMAGES = 20;

export interface ImageBlock {
  readonly type: 'image';
  readonly name: string;
  readonly mimeType: string;
  readonly base64: string;
}

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | ThinkingBlock
  | ImageBlock
  | ({ readonly type: 'tool_use' } & ToolCall)
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly content: string;
      readonly isError: boolean;
      /** For the program. The model reads `content`. */
      readonly code?: ToolResultCode;
      /** `content` is untrusted text and marked as such. */
      readonly isUntrusted?: boolean;
      readonly facts?: readonly Fact[];
      /** Sent with the answer. The model only knows that it exists. */
      readonly media?: readonly MediaAttachment[];
      /** Shown below the answer if it is the last that was looked up. Not shown to the model. */
      readonly display?: ToolDisplay;
      /** Shown below the answer of the turn. Not shown to the model. */
      readonly brief?: string;
      readonly receipt?: ChangeReceipt;
      /** The call stored a local time in the person's zone. Not shown to the model. */
      readonly dependsOnZone?: boolean;
      /** Web addresses in `content`. Not shown to the model. */
      readonly links?: Links;
    };

/** Display names of the model that answered and of the chosen one. */
export interface StandIn {
  readonly model: string;
  readonly chosen: string;
  /** No model answered, for this reason, and the offline model did. */
  readonly withoutAi?: WithoutAi;
}

/** Reasons for which the offline model answers what it can. */
export const WITHOUT_AI = ['rate-limited', 'unavailable', 'key-refused'] as const;
export type WithoutAi = (typeof WITHOUT_AI)[number];

export interface ConversationMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: readonly ContentBlock[];
  /** The provider paused its answer; a request with the same conversation continues it. */
  readonly isPaused?: boolean;
  /** Written by the program in place of a missing answer, to keep the conversation valid. Never shown to people. */
  readonly isNote?: boolean;
  /** Asks the model to look at its answer again, in the role `user`. Never shown to people. */
  readonly isRepair?: boolean;
  /** What people were shown in place of this answer, where something in it was marked. */
  readonly shown?: string;
  /** A summary of the older part of the conversation, in the role `user`. */
  readonly isSummary?: boolean;
  /** Facts of the summarized messages, and sample data of quoted ones, so that it stays marked. */
  readonly facts?: readonly Fact[];
  /** For a user message: the accepted messages in it, so that a resumed turn misses none after a crash. */
  readonly inboxIds?: readonly InboxId[];
  /** Platform messages whose text it contains, including quotes. They are not quoted again. */
  readonly messageIds?: readonly MessageId[];
  /** For an answer of a fallback with weaker numerical reasoning. Not shown to the model. */
  readonly standIn?: StandIn;
  /** Web addresses in a user message, or in the messages that a summary replaces. */
  readonly links?: readonly Links[];
}

/** `inputTokens` excludes cached tokens for every provider. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export const NO_USAGE: TokenUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
};

export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'pause_turn'
  | 'refusal'
  | 'context_overflow';

/** The provider's ids of a request and its response, for support requests. */
export interface ProviderIds {
  readonly requestId?: string;
  readonly responseId?: string;
}

/** A stream that ends without `done` has failed. */
export type StreamChunk =
  /** The answer has begun. May come more than once, with more ids each time. */
  | ({ readonly type: 'message_start' } & ProviderIds)
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'thinking_end'; readonly block: ThinkingBlock }
  | { readonly type: 'tool_use_start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_input_delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'tool_use_end'; readonly id: string }
  /** Cumulative for the request: the last one counts. */
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'done'; readonly stopReason: StopReason };
