/** The part of the Messages API that the fake knows, as it goes over the wire. */
export interface CacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h';
}

interface Markable {
  readonly cache_control?: CacheControl | null;
}

export interface AnthropicText extends Markable {
  readonly type: 'text';
  readonly text: string;
}

export interface AnthropicImage extends Markable {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
}

export interface AnthropicThinking {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

export interface AnthropicToolUse extends Markable {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface AnthropicToolResult extends Markable {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly (AnthropicText | AnthropicImage)[];
  readonly is_error?: boolean;
}

export type AnthropicBlock =
  | AnthropicText
  | AnthropicImage
  | AnthropicThinking
  | AnthropicToolUse
  | AnthropicToolResult;

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly AnthropicBlock[];
}

export interface AnthropicTool extends Markable {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

/** What a client sent. Only a request that was not refused is sure to have this shape. */
export interface AnthropicBody extends Markable {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly AnthropicMessage[];
  readonly system?: string | readonly AnthropicText[];
  readonly tools?: readonly AnthropicTool[];
  readonly tool_choice?: { readonly type: 'auto' | 'any' | 'tool' | 'none'; readonly name?: string };
  readonly thinking?: { readonly type: string; readonly budget_tokens?: number };
  readonly output_config?: { readonly effort?: string | null };
  readonly stop_sequences?: readonly string[];
  readonly metadata?: { readonly user_id?: string | null };
  readonly stream?: boolean;
}

/** Stands in the history for a body that was not kept, or that there never was. */
export const NO_BODY: AnthropicBody = { model: '', max_tokens: 0, messages: [] };

/** Text alone is short for one text block. */
export const blocksOf = (content: string | readonly AnthropicBlock[]): readonly AnthropicBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;
