import { randomUUID } from 'node:crypto';
import type { CompletionUsage } from 'openai/resources/completions';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionMessageFunctionToolCall,
} from 'openai/resources/chat/completions';
import type { FakeAnswer } from '#test/fakes/model-reply.ts';
import { isRecord } from './check.ts';
import { countTokens, type InputTokens } from './prompt-cache.ts';
import { argumentText, interleave, type OpenAiBody, pieces, REFUSAL, type ReplyWriter } from './types.ts';

type Choice = ChatCompletionChunk.Choice;
type FinishReason = NonNullable<Choice['finish_reason']>;

/** Stop reasons in the words of others. This API's own, and unknown ones, are passed on. */
const FINISH: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  refusal: 'stop',
  max_tokens: 'length',
  max_output_tokens: 'length',
  tool_use: 'tool_calls',
};

const send = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;

/** Says a reply in the words of chat completions. */
export const chatWriter = (body: OpenAiBody, input: InputTokens): ReplyWriter => {
  const common = {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(Date.now() / 1_000),
    model: body.model ?? '',
  };
  const options = body['stream_options'];
  const isStream = body.stream === true;
  const isUsageWanted = !isStream || (isRecord(options) && options['include_usage'] === true);
  const toolCalls: ChatCompletionMessageFunctionToolCall[] = [];
  const tokens = { output: 0, reasoning: 0 };
  const said = { text: '', refusal: '' };
  let stopReason: string | undefined;

  const usage = (): CompletionUsage => {
    const total = input.input + input.cacheRead + input.cacheWrite;
    return {
      prompt_tokens: total,
      prompt_tokens_details: { cached_tokens: input.cacheRead, cache_write_tokens: input.cacheWrite },
      completion_tokens: tokens.output,
      completion_tokens_details: { reasoning_tokens: tokens.reasoning },
      total_tokens: total + tokens.output,
    };
  };

  const finishReason = (): FinishReason => {
    const reason = stopReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
    // The client's type lists the reasons known to it, and a server may say another.
    return (FINISH[reason] ?? reason) as FinishReason;
  };

  const say = (delta: Choice['delta'], finish: Choice['finish_reason'] = null): string =>
    send({
      ...common,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish, logprobs: null }],
      ...(isUsageWanted && { usage: null }),
    } satisfies ChatCompletionChunk);

  const content = (answer: FakeAnswer): readonly string[] => {
    const isRefusal = answer.stopReason === 'refusal';
    const text = answer.text ?? (isRefusal ? REFUSAL : '');
    stopReason = answer.stopReason;
    said[isRefusal ? 'refusal' : 'text'] += text;
    // This API keeps the thoughts of a model to itself and only counts them.
    tokens.reasoning += countTokens(answer.thinking ?? '');
    tokens.output += countTokens(answer.thinking ?? '') + countTokens(text);
    const calls = (answer.toolCalls ?? []).map((call) => {
      const { name } = call;
      const json = argumentText(call);
      const id = call.id ?? `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
      const index = toolCalls.push({ id, type: 'function', function: { name, arguments: json } }) - 1;
      tokens.output += countTokens(JSON.stringify(call));
      return [
        say({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...pieces(json, answer).map((piece) =>
          say({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ];
    });
    return [
      ...pieces(text, answer).map((piece) => say(isRefusal ? { refusal: piece } : { content: piece })),
      ...interleave(calls),
    ];
  };

  return {
    begin: () => [say({ role: 'assistant', content: '', refusal: null })],
    content,
    end: () => [
      say({}, finishReason()),
      ...(isUsageWanted
        ? [
            send({
              ...common,
              object: 'chat.completion.chunk',
              choices: [],
              usage: usage(),
            } satisfies ChatCompletionChunk),
          ]
        : []),
      'data: [DONE]\n\n',
    ],
    fail: (type) => ({
      events: [send({ error: { message: `The stream failed: ${type}.`, type, param: null, code: type } })],
      status: 500,
    }),
    document: (): ChatCompletion => ({
      ...common,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: finishReason(),
          logprobs: null,
          message: {
            role: 'assistant',
            content: said.text === '' && toolCalls.length + said.refusal.length > 0 ? null : said.text,
            refusal: said.refusal === '' ? null : said.refusal,
            ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
          },
        },
      ],
      usage: usage(),
    }),
    usage: () => (isUsageWanted ? { ...input, output: tokens.output } : undefined),
  };
};
