import { z } from 'zod';
import type { InboxId, MessageId } from './ids.ts';
import type { Links } from './links.ts';
import type { MediaAttachment } from './message.ts';
import type { Fact, ToolResultCode } from './tool.ts';

const price = z.number().min(0).max(100_000);

/** The prices of a model in US dollars for a million tokens, as an operator or a plugin writes them. */
export const MODEL_PRICES = z.strictObject({
  inputPerMillion: price.describe('US dollars per million input tokens.'),
  outputPerMillion: price.describe('US dollars per million output tokens.'),
  cacheReadPerMillion: price.optional().describe('US dollars per million tokens read from the cache.'),
  cacheWritePerMillion: price.optional().describe('US dollars per million tokens written to the cache.'),
});

/** Who serves a model. `offline` is the small rule-based one that needs no key. */
export type ProviderId = 'anthropic' | 'openai' | 'offline';

/** The smallest window in which a conversation with tools works; measured in `test/flows/small-windows.test.ts`. */
export const MIN_WINDOW_TOKENS = 6_000;

export const WINDOW_TOO_SMALL = `must be at least ${MIN_WINDOW_TOKENS}: the instructions, the tools, an answer and a few messages need that much`;

/** How far a model's sums can be trusted. */
export type NumericalTier = 'low' | 'medium' | 'high';

/** Providers that need an API key, in display order. */
export const KEYED_PROVIDERS = ['anthropic', 'openai'] as const satisfies readonly ProviderId[];
export type KeyedProvider = (typeof KEYED_PROVIDERS)[number];

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

/** As the providers write themselves, in every language. */
export const PROVIDER_NAMES: Readonly<Record<ProviderId, string>> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  offline: 'FinClaw',
};

export interface ModelRef {
  readonly provider: ProviderId;
  readonly model: string;
}

/** A whole call of the model: only calls whose arguments were complete become one. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Why it must not be run: its arguments were no JSON. Stored with the call, so that a restart knows it too. */
  readonly malformed?: string;
}

/** What a model thought. It goes back to the same model as it came, and to no other. */
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly model: string;
  readonly text: string;
  /** The provider's own form of it (signed or encrypted), as JSON. */
  readonly opaque: unknown;
}

/** Kinds of pictures that every provider with eyes takes. */
export const IMAGE_MIME_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);

/**
 * Of all pictures in one request, in base64: two large photos. Providers take bodies of some 30 MB, but to write 15 MB of
 * JSON blocks the event loop for 90 ms.
 */
export const MAX_IMAGE_CHARS = 8_000_000;

/** In one request: Anthropic takes 100, but of more than 20 none may have more than 2,000 pixels on a side. */
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
      /** For the program; the model reads `content`. */
      readonly code?: ToolResultCode;
      /** Strangers wrote it: `content` is fenced. */
      readonly isUntrusted?: boolean;
      readonly facts?: readonly Fact[];
      /** What goes out with the answer; the model is only told of it. */
      readonly media?: readonly MediaAttachment[];
      /** It set something by the clock of the person's zone; for the program, not for the model. */
      readonly dependsOnZone?: boolean;
      /** Web addresses that stand in it; for the program, not for the model. */
      readonly links?: Links;
    };

/** Who answered, and for whom, as people know them. */
export interface StandIn {
  readonly model: string;
  readonly chosen: string;
}

export interface ConversationMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: readonly ContentBlock[];
  /** The provider paused in the middle of its answer: it is asked to go on with the same conversation. */
  readonly isPaused?: boolean;
  /** Words of the program where an answer is missing: they keep the conversation whole, and nobody is shown them. */
  readonly isNote?: boolean;
  /** Stands for the older part of the conversation, which no longer fits; of the program, on the person's side. */
  readonly isSummary?: boolean;
  /** Made-up numbers that stay marked: with a summary those of the part that is gone, with a quote those in it. */
  readonly facts?: readonly Fact[];
  /** On words of the person: the accepted messages they came in. A turn that goes on after a crash misses none by it. */
  readonly inboxIds?: readonly InboxId[];
  /** The platform's messages whose words stand in it, quoted ones too: none of them is quoted again. */
  readonly messageIds?: readonly MessageId[];
  /** With an answer: it came from a fallback that counts worse than the chosen model. For the program, not for the model. */
  readonly standIn?: StandIn;
  /** Web addresses that came with words of the person, or that stood in the part that a summary stands for. */
  readonly links?: readonly Links[];
}

/** `inputTokens` are the uncached ones, whichever provider reports them. */
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

/** How a provider names one request and its answer: a question to its support needs them. */
export interface ProviderIds {
  readonly requestId?: string;
  readonly responseId?: string;
}

/** What a provider streams. A stream without its `done` has failed. */
export type StreamChunk =
  /** The provider has begun to answer. May come more than once, each time with what is known by then. */
  | ({ readonly type: 'message_start' } & ProviderIds)
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly text: string }
  | { readonly type: 'thinking_end'; readonly block: ThinkingBlock }
  | { readonly type: 'tool_use_start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_input_delta'; readonly id: string; readonly delta: string }
  | { readonly type: 'tool_use_end'; readonly id: string }
  /** All of the request up to now: the last one counts, they are never added. */
  | { readonly type: 'usage'; readonly usage: TokenUsage }
  | { readonly type: 'done'; readonly stopReason: StopReason };
