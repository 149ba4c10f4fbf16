import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BufferedCall, ToolInputBuffer } from '#src/agent/execution/tool-input-buffer.ts';
import type { StreamChunk } from '#src/core/model.ts';
import { calls, done } from '#test/agent/support.ts';
import { anyText } from '#test/support/any-text.ts';

const start = (id: string, name: string): StreamChunk => ({ type: 'tool_use_start', id, name });
const piece = (id: string, delta: string): StreamChunk => ({ type: 'tool_input_delta', id, delta });
const end = (id: string): StreamChunk => ({ type: 'tool_use_end', id });

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
