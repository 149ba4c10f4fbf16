import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerBuilder, type BufferedCall, ToolInputBuffer } from '#src/agent/loop/answer-builder.ts';
import type { StopReason, StreamChunk, ThinkingBlock } from '#src/kernel/agent/model.ts';
import { calls, done, says, used } from '#test/agent/support.ts';
import { anyText } from '#test/support/any-text.ts';
import { assistant, text, use } from './runner-support.ts';

const start = (id: string, name: string): StreamChunk => ({ type: 'tool_use_start', id, name });
const piece = (id: string, delta: string): StreamChunk => ({ type: 'tool_input_delta', id, delta });
const end = (id: string): StreamChunk => ({ type: 'tool_use_end', id });
const thought = (words: string): ThinkingBlock => ({
  type: 'thinking',
  model: 'scripted-1',
  text: words,
  opaque: { signature: `signed ${words}` },
});
const thinks = (words: string): readonly StreamChunk[] => [
  { type: 'thinking_delta', text: words },
  { type: 'thinking_end', block: thought(words) },
];

const built = (...chunks: readonly (StreamChunk | readonly StreamChunk[])[]): AnswerBuilder => {
  const builder = new AnswerBuilder();
  for (const chunk of chunks.flat() as readonly StreamChunk[]) builder.feed(chunk);
  return builder;
};

describe('AnswerBuilder', () => {
  it('joins the pieces of a text, also around what is no part of the answer', () => {
    expect(built(says('It ', 'is'), used(1, 1), says(' 304.')).finish('end_turn')).toEqual(
      assistant(text('It is 304.')),
    );
  });

  it('has its parts in the order in which they began', () => {
    const builder = built(
      thinks('first'),
      says('Let me look.'),
      calls('c1', 'lookup', '{"of":"a"}'),
      thinks('second'),
      says('And again.'),
      calls('c2', 'lookup', '{}'),
    );
    expect(builder.finish('tool_use')).toEqual(
      assistant(
        thought('first'),
        text('Let me look.'),
        use('c1', 'lookup', { of: 'a' }),
        thought('second'),
        text('And again.'),
        use('c2', 'lookup'),
      ),
    );
  });

  it('has interleaved calls in the order in which they began, whichever ended first', () => {
    const builder = built(
      start('c1', 'first'),
      start('c2', 'second'),
      piece('c2', '{"of":'),
      piece('c1', '{"of":"a'),
      says('meanwhile'),
      piece('c2', '"b"}'),
      end('c2'),
      piece('c1', '"}'),
      end('c1'),
    );
    expect(builder.finish('tool_use')).toEqual(
      assistant(use('c1', 'first', { of: 'a' }), use('c2', 'second', { of: 'b' }), text('meanwhile')),
    );
  });

  it('keeps thoughts as they came, to be shown to the same model again', () => {
    expect(built(thinks('hm'), says('ok')).finish('end_turn')?.content[0]).toEqual(thought('hm'));
  });

  it.each([
    ['nothing', []],
    ['blanks', says(' ', '\n\t')],
    ['a thought', thinks('hm')],
    ['a thought and blanks', [...thinks('hm'), ...says('\n')]],
    ['a call that never ended', [start('c1', 'lookup'), piece('c1', '{}')]],
  ])('is no answer when it is %s alone', (_what, chunks) => {
    expect(built(chunks).finish('end_turn')).toBeUndefined();
  });

  it('leaves out blanks beside other parts: the API refuses an empty text', () => {
    expect(built(says('\n\n'), calls('c1', 'lookup', '{}'), says(' ')).finish('tool_use')).toEqual(
      assistant(use('c1', 'lookup')),
    );
  });

  it('leaves out a call that never ended, and keeps the others', () => {
    const builder = built(says('Hm.'), start('c1', 'cut'), piece('c1', '{}'), calls('c2', 'whole', '{}'));
    expect(builder.finish('tool_use')).toEqual(assistant(text('Hm.'), use('c2', 'whole')));
  });

  it('marks a call whose arguments are no JSON, and that one alone', () => {
    const builder = built(calls('c1', 'lookup', '{"of":'), calls('c2', 'lookup', '{}'));
    expect(builder.finish('tool_use')).toEqual(
      assistant(
        use('c1', 'lookup', {}, 'The arguments of lookup are not valid JSON. Call it again with valid JSON.'),
        use('c2', 'lookup'),
      ),
    );
  });

  it('marks all calls of an answer that was cut at its length limit, for any may be incomplete', () => {
    const message = built(calls('c1', 'lookup', '{"of":"a"}'), calls('c2', 'lookup', '')).finish(
      'max_tokens',
    );
    const marks = message?.content.map((block) => (block.type === 'tool_use' ? block.malformed : ''));
    expect(marks).toEqual([
      expect.stringContaining('cut off by the length limit'),
      expect.stringContaining('cut off by the length limit'),
    ]);
  });

  it.each([
    ['pause_turn', true],
    ['end_turn', undefined],
    ['stop_sequence', undefined],
    ['max_tokens', undefined],
  ] satisfies readonly (readonly [StopReason, true | undefined])[])(
    'after %s has to be gone on with: %s',
    (stopReason, isPaused) => {
      expect(built(says('Part one.')).finish(stopReason)?.isPaused).toBe(isPaused);
    },
  );

  it('counts all that came, shown or not', () => {
    const builder = built(
      { type: 'thinking_delta', text: '123' },
      says('1234'),
      start('c1', 'lookup'),
      piece('c1', '{"a"'),
      used(5_000, 5_000),
    );
    expect(builder.received).toHaveLength(11);
    expect(built(used(1, 1), start('c1', 'lookup')).received).toBe('');
  });
});

const read = (chunks: readonly StreamChunk[]): readonly BufferedCall[] => {
  const buffer = new ToolInputBuffer();
  for (const chunk of chunks) buffer.feed(chunk);
  return buffer.calls;
};

/** The text in pieces, cut at the given places. */
const cut = (text: string, at: readonly number[]): readonly string[] => {
  const places = [...new Set(at.map((n) => n % (text.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
};

describe('ToolInputBuffer', () => {
  it('puts one call together from its pieces', () => {
    const found = read([
      start('1', 'get_quote'),
      piece('1', '{"symb'),
      piece('1', 'ols":["삼성'),
      piece('1', '전자"]}'),
      end('1'),
    ]);
    expect(found).toEqual([
      { status: 'complete', call: { id: '1', name: 'get_quote', input: { symbols: ['삼성전자'] } } },
    ]);
  });

  it('keeps interleaved parallel calls apart, in the order in which they ended', () => {
    const found = read([
      start('1', 'first'),
      start('2', 'second'),
      piece('2', '{"of":'),
      piece('1', '{"of":"a'),
      piece('2', '"b"}'),
      end('2'),
      piece('1', '"}'),
      end('1'),
    ]);
    expect(found.map(({ call }) => call)).toEqual([
      { id: '2', name: 'second', input: { of: 'b' } },
      { id: '1', name: 'first', input: { of: 'a' } },
    ]);
  });

  it.each([
    ['no piece at all', [start('1', 'now'), end('1')]],
    ['an empty piece', [start('1', 'now'), piece('1', ''), end('1')]],
    ['blanks', [start('1', 'now'), piece('1', ' \n'), end('1')]],
  ])('reads %s as a call without arguments', (_what, chunks) => {
    expect(read(chunks)).toEqual([{ status: 'complete', call: { id: '1', name: 'now', input: {} } }]);
  });

  it.each(['{"of":', '{"of":"a"} and so on', "{'of':'a'}", '{"of":"a",}', 'undefined'])(
    'marks arguments that are not JSON as malformed and tells the model to try again: %s',
    (json) => {
      expect(read(calls('1', 'get_quote', json))).toEqual([
        {
          status: 'malformed',
          call: { id: '1', name: 'get_quote', input: {} },
          reason: expect.stringMatching(/get_quote.*not valid JSON.*again/),
        },
      ]);
    },
  );

  it('does not let one malformed call spoil the others', () => {
    const found = read([...calls('1', 'bad', '{'), ...calls('2', 'good', '{"of":"b"}')]);
    expect(found.map(({ status, call }) => [status, call.id])).toEqual([
      ['malformed', '1'],
      ['complete', '2'],
    ]);
  });

  it('does not list a call whose end never came', () => {
    const found = read([start('1', 'cut'), piece('1', '{"of":"a"}'), ...calls('2', 'whole', '{}'), done()]);
    expect(found.map(({ call }) => call.id)).toEqual(['2']);
  });

  it('ignores pieces and ends of calls that never began', () => {
    expect(read([piece('9', '{}'), end('9')])).toEqual([]);
  });

  it('counts an end that comes twice once', () => {
    expect(read([...calls('1', 'once', '{}'), end('1')])).toHaveLength(1);
  });

  it('takes nothing from text, thinking and usage', () => {
    const found = read([
      { type: 'text_delta', text: '{"of":"text"}' },
      start('1', 'only'),
      { type: 'thinking_delta', text: '{"of":"thought"}' },
      piece('1', '{}'),
      end('1'),
    ]);
    expect(found.map(({ call }) => call.input)).toEqual([{}]);
  });

  it('reads the same calls however the stream is cut and mixed', () => {
    const input = fc.dictionary(anyText(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(input, fc.array(fc.nat(), { maxLength: 8 })), { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat()),
        (wanted, choices) => {
          const streams = wanted.map(([value, at], index) => {
            const id = `call-${index}`;
            const pieces = cut(JSON.stringify(value), at).map((delta) => piece(id, delta));
            return [start(id, `tool-${index}`), ...pieces, end(id)];
          });
          const buffer = new ToolInputBuffer();
          for (let open = streams; open.length > 0; open = open.filter((stream) => stream.length > 0)) {
            const stream = open[choices.next().value % open.length];
            const chunk = stream?.shift();
            if (chunk) buffer.feed(chunk);
          }
          const byId = new Map(buffer.calls.map(({ call }) => [call.id, call]));
          expect(byId.size).toBe(wanted.length);
          for (const [index, [value]] of wanted.entries()) {
            const viaJson: unknown = JSON.parse(JSON.stringify(value));
            expect(byId.get(`call-${index}`)).toEqual({
              id: `call-${index}`,
              name: `tool-${index}`,
              input: viaJson,
            });
          }
        },
      ),
    );
  });
});
