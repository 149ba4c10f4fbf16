import { ask } from './anthropic-client.ts';
import { PIXEL_BASE64 } from '#test/support/pictures.ts';

/** Requests of any shape, also of those that the types of the SDK forbid. */
export type Params = Readonly<Record<string, unknown>>;

export const EXTRA = 'Extra inputs are not permitted';
export const PNG = { type: 'base64', media_type: 'image/png', data: PIXEL_BASE64 };
export const MARK = { type: 'ephemeral' };
export const TOOLS = [{ name: 'get_price', input_schema: { type: 'object' } }];

export const user = (...content: readonly unknown[]) => ({ role: 'user', content });
export const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content });
export const text = (words: string, more: Params = {}) => ({ type: 'text', text: words, ...more });
export const image = (source: unknown, more: Params = {}) => ({ type: 'image', source, ...more });
export const use = (id: unknown, more: Params = {}) => ({
  type: 'tool_use',
  id,
  name: 'get_price',
  input: {},
  ...more,
});
export const result = (id: unknown, more: Params = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: '1',
  ...more,
});

/** A request with these messages that may use the tool. */
export const talk = (...messages: readonly unknown[]): Params => ({ ...ask(), tools: TOOLS, messages });
export const withTool = (more: Params): Params => ({ ...ask(), tools: [{ ...TOOLS[0], ...more }] });
/** A call of a tool, and what was said in return. */
export const afterCall = (...content: readonly unknown[]): Params =>
  talk(user(text('Price?')), assistant(use('toolu_1')), user(...content));
export const withCall = (more: Params): Params =>
  talk(user(text('Price?')), assistant(use('toolu_1', more)), user(result('toolu_1')));
/** The request without one of its fields. */
export const without = (field: string): Params =>
  Object.fromEntries(Object.entries(ask()).filter(([name]) => name !== field));
