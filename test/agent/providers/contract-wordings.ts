import { expect, it } from 'vitest';
import { FailoverError } from '#src/agent/errors.ts';
import type { Subject } from './contract.ts';
import { hear } from './request.ts';
import { startRewritingProxy } from './rewriting-proxy.ts';

/** How servers say that a conversation does not fit: the words, and sometimes a code. */
const OVERFLOWS: readonly (readonly [server: string, error: object | string])[] = [
  ['Anthropic', { type: 'invalid_request_error', message: 'Request size exceeds model context window' }],
  ['Anthropic', 'input length and `max_tokens` exceed context limit: 190 + 20 > 200'],
  ['OpenAI', 'Your input exceeds the context window of this model.'],
  [
    'OpenAI',
    { code: 'rate_limit_exceeded', message: 'Request too large for gpt-9 on tokens per min: Limit 8' },
  ],
  [
    'OpenRouter',
    { code: 400, message: "This endpoint's maximum context length is 8 tokens. You asked for 9." },
  ],
  ['vLLM', 'The decoder prompt (length 9) is longer than the maximum model length of 8.'],
  [
    'llama.cpp',
    { code: 400, type: 'exceed_context_size_error', message: 'no', n_prompt_tokens: 9, n_ctx: 8 },
  ],
  ['llama.cpp', 'the request exceeds the available context size, try increasing it'],
  ['llama.cpp', { code: 500, type: 'server_error', message: 'Context size has been exceeded.' }],
  ['LM Studio', 'The number of tokens to keep from the initial prompt is greater than the context length.'],
  ['LM Studio', 'Cannot truncate prompt with n_keep (9) >= n_ctx (8)'],
  ['LM Studio', 'Trying to keep the first 9 tokens when context the overflows. Load it with more.'],
  ['LM Studio', 'Reached context length of 8 tokens with a model that cannot go on'],
  ['Ollama', 'the input length exceeds the context length'],
  [
    'Mistral',
    'Prompt contains 9 tokens and 0 draft tokens, too large for model with 8 maximum context length',
  ],
  ['Groq', 'Please reduce the length of the messages or completion.'],
  ['DeepSeek', "This model's maximum context length is 8 tokens. However, you requested 9 tokens."],
  ['xAI', "This model's maximum prompt length is 8 but the request contains 9 tokens."],
  ['Bedrock', 'Input is too long for requested model.'],
  ['Gemini', 'The input token count (9) exceeds the maximum number of tokens allowed (8).'],
  ['Kimi', 'Your request exceeded model token limit: 8 (requested: 9)'],
  ['MiniMax', 'invalid params, context window exceeds limit'],
  ['Copilot', 'prompt token count of 9 exceeds the limit of 8'],
  ['z.ai', { code: 'model_context_window_exceeded', message: 'no' }],
  ['a proxy', 'Prompt too large for this model'],
  ['a proxy', 'Context window exceeded: requested 9 tokens'],
  ['a proxy', 'Model context window is 8k tokens, you requested 9k tokens'],
  ['a proxy', 'Context overflow: nothing is left to drop'],
];
/** Errors with much of the same words. */
const NO_OVERFLOWS: readonly string[] = [
  'rate limit exceeded',
  'request size exceeds upload limit',
  'Model context window too small (minimum is 128k tokens)',
  'Number of concurrent requests exceeds the limit of 4',
  'messages.0.content.1.image: image exceeds 5 MB maximum',
  'max_tokens: 9 > 8, which is the maximum allowed number of output tokens',
];

const OVERFLOW = expect.objectContaining({
  constructor: FailoverError,
  fallbackReason: 'context-overflow',
});

/** As most servers write it, as vLLM and Mistral do, and as words alone. */
const FORMS: readonly ((error: { readonly message?: string }) => object)[] = [
  (error) => ({ error }),
  (error) => ({ object: 'error', ...error }),
  ({ message }) => ({ error: message }),
];

/** How a provider, and servers compatible with it, say what is wrong. */
export const describeWordings = ({ start, request }: Subject): void => {
  /** Everything that comes of an error: in all forms as a refusal, and in the stream. */
  const startRefusing = async () => {
    const { adapterWith, url, reply } = await start();
    let body = '';
    const baseUrl = await startRewritingProxy(url, { pieces: () => [body] });
    const adapter = adapterWith({ baseUrl });
    return async (given: object | string): Promise<readonly unknown[]> => {
      const error = typeof given === 'string' ? { type: 'invalid_request_error', message: given } : given;
      const heard: unknown[] = [];
      for (const form of 'code' in error ? FORMS.slice(0, 2) : FORMS) {
        body = JSON.stringify(form(error));
        reply({ kind: 'status', status: 400 });
        heard.push((await hear(adapter, request())).error);
      }
      body = `data: ${JSON.stringify({ type: 'error', error })}\n\n`;
      heard.push((await hear(adapter, request())).error);
      return heard;
    };
  };

  it('knows from all servers that a conversation does not fit, whatever its form', async () => {
    const heardOf = await startRefusing();
    for (const [server, error] of OVERFLOWS)
      for (const heard of await heardOf(error))
        expect(heard, `${server}: ${JSON.stringify(error)}`).toEqual(OVERFLOW);
  });

  it('takes no other error for a conversation that does not fit', async () => {
    const heardOf = await startRefusing();
    for (const error of NO_OVERFLOWS)
      for (const heard of await heardOf(error))
        expect(heard, error).not.toMatchObject({ fallbackReason: 'context-overflow' });
  });
};
