import { randomUUID } from 'node:crypto';
import type {
  Response,
  ResponseOutputItem,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import type { FakeAnswer } from '#test/fakes/model-reply.ts';
import type { IssuedItems } from './issued-items.ts';
import { countTokens, type InputTokens } from './prompt-cache.ts';
import { callEvents, messageEvents, reasoningEvents, type SentItem } from './response-items.ts';
import { interleave, type JsonRecord, type OpenAiBody, REFUSAL, type ReplyWriter } from './types.ts';

/** `output_text` is made by the client; the server does not send it. */
type WireResponse = Omit<Response, 'output_text'>;
type WireEvent = ResponseStreamEvent extends infer Event
  ? Event extends { readonly response: Response }
    ? Omit<Event, 'response' | 'sequence_number'> & { readonly response: WireResponse }
    : Event extends ResponseStreamEvent
      ? Omit<Event, 'sequence_number'>
      : never
  : never;

const COMPLETE: ReadonlySet<string> = new Set(['end_turn', 'stop', 'tool_use', 'tool_calls', 'refusal']);

/** Why a response is incomplete, for a stop reason in anyone's words; undefined when it is complete. */
const incompleteReason = (stopReason: string | undefined): string | undefined => {
  if (stopReason === undefined || COMPLETE.has(stopReason)) return undefined;
  return ['max_tokens', 'length'].includes(stopReason) ? 'max_output_tokens' : stopReason;
};

const asItem = (item: ResponseOutputItem): SentItem => ({
  id: item.id ?? '',
  type: item.type,
  ...(item.type === 'function_call' && { callId: item.call_id }),
});

/** Says a reply in the words of the Responses API. */
export const responsesWriter = (body: OpenAiBody, input: InputTokens, issued: IssuedItems): ReplyWriter => {
  const id = `resp_${randomUUID().replaceAll('-', '')}`;
  const createdAt = Math.floor(Date.now() / 1_000);
  const isStored = body.store !== false;
  const includes: unknown = body['include'];
  const isEncrypted = Array.isArray(includes) && includes.includes('reasoning.encrypted_content');
  const output: ResponseOutputItem[] = [];
  const tokens = { output: 0, reasoning: 0 };
  let stopReason: string | undefined;
  let sequence = 0;
  let ending: 'in_progress' | 'completed' | 'incomplete' | 'failed' = 'in_progress';

  const say = (event: WireEvent): string => {
    const numbered = { ...event, sequence_number: sequence++ };
    return `event: ${event.type}\ndata: ${JSON.stringify(numbered)}\n\n`;
  };

  const usage = (): ResponseUsage => {
    const total = input.input + input.cacheRead + input.cacheWrite;
    return {
      input_tokens: total,
      input_tokens_details: { cached_tokens: input.cacheRead, cache_write_tokens: input.cacheWrite },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: tokens.reasoning },
      total_tokens: total + tokens.output,
    };
  };

  const snapshot = (): WireResponse => {
    const reason = ending === 'incomplete' ? incompleteReason(stopReason) : undefined;
    // The rest of the request is echoed as it came; it has passed the checks.
    const echo = body as JsonRecord as Pick<WireResponse, 'tools' | 'tool_choice' | 'metadata'>;
    return {
      id,
      object: 'response',
      created_at: createdAt,
      status: ending,
      access_programs: null,
      error: ending === 'failed' ? { code: 'server_error', message: 'The server had an error.' } : null,
      // The client's type lists the reasons known to it, and a server may say another.
      incomplete_details: reason === undefined ? null : ({ reason } as Response.IncompleteDetails),
      instructions: body.instructions ?? null,
      metadata: echo.metadata ?? {},
      model: body.model ?? '',
      output: ending === 'in_progress' ? [] : output,
      parallel_tool_calls: body['parallel_tool_calls'] !== false,
      temperature: null,
      tool_choice: echo.tool_choice ?? 'auto',
      tools: echo.tools ?? [],
      top_p: null,
      ...((ending === 'completed' || ending === 'incomplete') && { usage: usage() }),
    };
  };

  const remember = (from: number): void => {
    for (const [index, item] of output.entries()) {
      if (index < from || item.type !== 'reasoning') continue;
      const next = output[index + 1];
      issued.add({
        id: item.id,
        isStored,
        ...(item.encrypted_content && { encrypted: item.encrypted_content }),
        ...(next && { next: asItem(next) }),
      });
    }
  };

  const content = (answer: FakeAnswer): readonly string[] => {
    const { thinking, toolCalls = [] } = answer;
    const isRefusal = answer.stopReason === 'refusal';
    const text = answer.text ?? (isRefusal ? REFUSAL : '');
    const last = incompleteReason(answer.stopReason) === undefined ? 'completed' : 'incomplete';
    const events: WireEvent[] = [];
    const from = output.length;
    const open = (item: ResponseOutputItem): number => output.push(item) - 1;
    stopReason = answer.stopReason;
    if (thinking) {
      events.push(...reasoningEvents(thinking, answer, isEncrypted, open));
      tokens.reasoning += countTokens(thinking);
      tokens.output += countTokens(thinking);
    }
    if (text !== '') {
      const status = toolCalls.length === 0 ? last : 'completed';
      events.push(...messageEvents(text, answer, isRefusal, status, open));
      tokens.output += countTokens(text);
    }
    const calls = toolCalls.map((call, index) =>
      callEvents(call, answer, index === toolCalls.length - 1 ? last : 'completed', open),
    );
    events.push(...interleave(calls));
    tokens.output += toolCalls.reduce((sum, call) => sum + countTokens(JSON.stringify(call)), 0);
    remember(from);
    return events.map(say);
  };

  return {
    begin: () => [
      say({ type: 'response.created', response: snapshot() }),
      say({ type: 'response.in_progress', response: snapshot() }),
    ],
    content,
    end: () => {
      ending = incompleteReason(stopReason) === undefined ? 'completed' : 'incomplete';
      return [say({ type: `response.${ending}`, response: snapshot() })];
    },
    fail: (type) => {
      if (type === 'response.failed') {
        ending = 'failed';
        return { events: [say({ type, response: snapshot() })], status: 200 };
      }
      const event = {
        type: 'error',
        code: type,
        message: `The stream failed: ${type}.`,
        param: null,
      } as const;
      return { events: [say(event)], status: 500 };
    },
    document: snapshot,
    usage: () => ({ ...input, output: tokens.output }),
  };
};
