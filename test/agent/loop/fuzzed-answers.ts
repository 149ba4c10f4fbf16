import * as fc from 'fast-check';
import { FailoverError } from '#src/agent/errors.ts';
import type { StopReason, StreamChunk } from '#src/kernel/agent/model.ts';
import { MODEL } from '#test/agent/support.ts';

/** One call as a model may make it; `json` is its argument text, as far as it came. */
interface FuzzedCall {
  readonly name: string;
  readonly json: string;
  readonly isEnded: boolean;
  readonly pieces: number;
}

/** The parts of one answer; `order` says in which order their chunks come. */
export interface FuzzedAnswer {
  readonly texts: readonly string[];
  readonly thoughts: readonly string[];
  readonly calls: readonly FuzzedCall[];
  readonly order: readonly number[];
  readonly end: StopReason | 'cut' | 'overloaded' | 'wrong request';
}

/** The argument of every call that must not be run. */
export const NEVER = 'never';
const MAY_RUN: ReadonlySet<FuzzedAnswer['end']> = new Set([
  'end_turn',
  'tool_use',
  'stop_sequence',
  'pause_turn',
]);

const WHOLE_JSON = ['{"of":"ok"}', '{ "of" : "ok" }', '{"of":"ok","more":[1,{"a":null}]}'];
const BROKEN_JSON = [
  '{',
  '{"of":',
  '{"of":"never',
  '{"of":"never"} and',
  "{'of':'never'}",
  'sell everything',
];
/** JSON, but nothing that the tool takes. */
const ODD_JSON = ['[]', 'null', '"text"', '{"of":1}'];
const TOOLS = ['lookup', 'broken', 'hanging', 'suspending', 'stopping', 'no such tool!'];

const someCall: fc.Arbitrary<FuzzedCall> = fc.record({
  name: fc.constantFrom(...TOOLS),
  json: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...WHOLE_JSON) },
    { weight: 3, arbitrary: fc.constantFrom(...BROKEN_JSON) },
    fc.constantFrom(...ODD_JSON),
  ),
  isEnded: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
  pieces: fc.integer({ min: 1, max: 3 }),
});
/** Without arguments: the one tool for which that is right. */
const bareCall: fc.Arbitrary<FuzzedCall> = fc.record({
  name: fc.constant('now'),
  json: fc.constantFrom('', ' ', '{}'),
  isEnded: fc.constant(true),
  pieces: fc.constant(1),
});

export const fuzzedAnswer: fc.Arbitrary<FuzzedAnswer> = fc.record({
  texts: fc.array(fc.constantFrom('It is 304.', ' ', '\n', 'Half an emoji \ud83d', 'and so on '), {
    maxLength: 3,
  }),
  thoughts: fc.array(fc.constantFrom('Hm.', 'Ask first.'), { maxLength: 2 }),
  calls: fc.array(fc.oneof({ weight: 5, arbitrary: someCall }, bareCall), { maxLength: 3 }),
  order: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 10 }),
  end: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom<StopReason>('end_turn', 'tool_use') },
    fc.constantFrom<FuzzedAnswer['end']>(
      'max_tokens',
      'stop_sequence',
      'pause_turn',
      'refusal',
      'context_overflow',
      'cut',
      'overloaded',
      'wrong request',
    ),
  ),
});

const thinking = (text: string): StreamChunk[] => {
  const opaque = { type: 'thinking', thinking: text, signature: 'signed' };
  return [
    { type: 'thinking_delta', text },
    { type: 'thinking_end', block: { type: 'thinking', model: MODEL.modelId, text, opaque } },
  ];
};

const calling = ({ name, json, pieces, isEnded }: FuzzedCall, id: string): StreamChunk[] => {
  const length = Math.ceil(json.length / pieces) || 1;
  const deltas = Array.from({ length: pieces }, (_, at) => json.slice(at * length, (at + 1) * length));
  return [
    { type: 'tool_use_start', id, name },
    ...deltas.map((delta): StreamChunk => ({ type: 'tool_input_delta', id, delta })),
    ...(isEnded ? [{ type: 'tool_use_end', id } as const] : []),
  ];
};

/** The chunks of all parts, mixed as `order` says; the chunks of one part stay in their order. */
const mixedChunks = ({ texts, thoughts, calls, order, end }: FuzzedAnswer, prefix: string): StreamChunk[] => {
  const mayRun = MAY_RUN.has(end);
  const marked = calls.map((each) => {
    if (mayRun && each.isEnded) return each;
    const json = each.json.trim() === '' || each.json === '{}' ? `{"of":"${NEVER}"}` : each.json;
    return { ...each, json: json.replace('ok', NEVER) };
  });
  let open = [
    ...texts.map((text): StreamChunk[] => [{ type: 'text_delta', text }]),
    ...thoughts.map(thinking),
    ...marked.map((each, index) => calling(each, `${prefix}_${index}`)),
  ];
  const mixed: StreamChunk[] = [];
  for (let turn = 0; open.length > 0; turn += 1) {
    const chunk = open[(order[turn % order.length] ?? 0) % open.length]?.shift();
    if (chunk) mixed.push(chunk);
    open = open.filter((part) => part.length > 0);
  }
  return mixed;
};

/** The stream of one answer, with the end that it has. */
export const streamOf = (answer: FuzzedAnswer, prefix: string) =>
  async function* (): AsyncGenerator<StreamChunk> {
    yield* mixedChunks(answer, prefix);
    if (answer.end === 'cut') return;
    if (answer.end === 'overloaded') throw new FailoverError('overloaded', 'server-error');
    if (answer.end === 'wrong request') throw new Error('400 invalid_request_error');
    yield { type: 'done', stopReason: answer.end };
  };
