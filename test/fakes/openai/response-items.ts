import { randomUUID } from 'node:crypto';
import type {
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { FakeAnswer, FakeToolCall } from '#test/fakes/model-reply.ts';
import { argumentText, pieces } from './types.ts';

/** An output item as others refer to it. */
export interface SentItem {
  readonly id: string;
  readonly type: string;
  readonly callId?: string;
}

type Unnumbered<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;
type ItemEvent = Unnumbered<Exclude<ResponseStreamEvent, { readonly response: unknown }>>;
type Status = 'completed' | 'incomplete';

/** Puts the finished item into the output and says at which index. */
type Open = (item: ResponseOutputItem) => number;

const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** Around the events of every item: it is added empty and done when full. */
const framed = (
  empty: ResponseOutputItem,
  full: ResponseOutputItem,
  index: number,
  events: readonly ItemEvent[],
): readonly ItemEvent[] => [
  { type: 'response.output_item.added', output_index: index, item: empty },
  ...events,
  { type: 'response.output_item.done', output_index: index, item: full },
];

export const reasoningEvents = (
  text: string,
  answer: FakeAnswer,
  isEncrypted: boolean,
  open: Open,
): readonly ItemEvent[] => {
  const id = newId('rs');
  const empty: ResponseReasoningItem = { id, type: 'reasoning', summary: [] };
  const part = { type: 'summary_text', text } as const;
  const full: ResponseReasoningItem = {
    ...empty,
    summary: [part],
    ...(isEncrypted && { encrypted_content: `gAAA${randomUUID()}` }),
  };
  const index = open(full);
  const place = { item_id: id, output_index: index, summary_index: 0 };
  return framed(empty, full, index, [
    { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
    ...pieces(text, answer).map(
      (delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta }) as const,
    ),
    { type: 'response.reasoning_summary_text.done', ...place, text },
    { type: 'response.reasoning_summary_part.done', ...place, part },
  ]);
};

export const messageEvents = (
  text: string,
  answer: FakeAnswer,
  isRefusal: boolean,
  status: Status,
  open: Open,
): readonly ItemEvent[] => {
  const id = newId('msg');
  const empty: ResponseOutputMessage = {
    id,
    type: 'message',
    role: 'assistant',
    status: 'in_progress',
    content: [],
  };
  const partOf = (said: string): ResponseOutputMessage['content'][number] =>
    isRefusal
      ? { type: 'refusal', refusal: said }
      : { type: 'output_text', text: said, annotations: [], logprobs: [] };
  const full: ResponseOutputMessage = { ...empty, status, content: [partOf(text)] };
  const index = open(full);
  const place = { item_id: id, output_index: index, content_index: 0 };
  return framed(empty, full, index, [
    { type: 'response.content_part.added', ...place, part: partOf('') },
    ...pieces(text, answer).map((delta): ItemEvent =>
      isRefusal
        ? { type: 'response.refusal.delta', ...place, delta }
        : { type: 'response.output_text.delta', ...place, delta, logprobs: [] },
    ),
    isRefusal
      ? { type: 'response.refusal.done', ...place, refusal: text }
      : { type: 'response.output_text.done', ...place, text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part: partOf(text) },
  ]);
};

export const callEvents = (
  call: FakeToolCall,
  answer: FakeAnswer,
  status: Status,
  open: Open,
): readonly ItemEvent[] => {
  const id = newId('fc');
  const text = argumentText(call);
  const empty: ResponseFunctionToolCall = {
    id,
    type: 'function_call',
    status: 'in_progress',
    call_id: call.id ?? newId('call'),
    name: call.name,
    arguments: '',
  };
  const full: ResponseFunctionToolCall = { ...empty, status, arguments: text };
  const index = open(full);
  const place = { item_id: id, output_index: index };
  return framed(empty, full, index, [
    ...pieces(text, answer).map(
      (delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta }) as const,
    ),
    { type: 'response.function_call_arguments.done', ...place, arguments: text },
  ]);
};
