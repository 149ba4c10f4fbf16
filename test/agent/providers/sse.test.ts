import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseParser } from '#src/agent/providers/chunk-stream.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const parse = (...pieces: readonly (string | Uint8Array)[]): readonly string[] => {
  const parser = new SseParser();
  return pieces.flatMap((piece) => parser.push(typeof piece === 'string' ? encode(piece) : piece));
};

/** Cuts bytes at any places. */
const cut = (bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] => {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
};

const line = fc.string({ unit: fc.constantFrom('a', '{', '"', ':', ' ', '삼', '📈', '\\n'), maxLength: 8 });
const field = fc.oneof(
  line.map((value) => `data: ${value}`),
  line.map((value) => `data:${value}`),
  fc.constantFrom('event: ping', 'event:x', ': comment', 'id: 7', 'retry: 10', 'nonsense', ''),
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const body = fc
  .array(fc.tuple(field, lineEnd), { maxLength: 20 })
  .map((lines) => lines.map(([text, end]) => text + end).join(''));

describe('SseParser', () => {
  it('gives the data of the events of a body', () => {
    expect(parse('event: message_start\ndata: {"a":1}\n\ndata: [DONE]\n\n')).toEqual(['{"a":1}', '[DONE]']);
  });

  it('gives the same events however the bytes are cut', () => {
    fc.assert(
      fc.property(body, fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
        const bytes = encode(text);
        expect(parse(...cut(bytes, places))).toEqual(parse(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same events byte by byte, with any kind of line end', () => {
    const lines = ['event: a', 'data: 삼성 📈', '', ': note', 'data: x', 'data: y', '', ''];
    for (const end of ['\n', '\r\n', '\r']) {
      // What follows shows that a last lone carriage return was no half of a line end.
      const bytes = encode(`${lines.join(end)}data: tail`);
      const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
      expect(parse(...pieces)).toEqual(['삼성 📈', 'x\ny']);
    }
  });

  it('finds every event that a sender wrote', () => {
    fc.assert(
      fc.property(
        fc.array(fc.json(), { maxLength: 10 }),
        fc.array(fc.nat()),
        lineEnd,
        (texts, places, end) => {
          const bytes = encode(`${texts.map((text) => `data: ${text}${end}${end}`).join('')}:${end}`);
          expect(parse(...cut(bytes, places))).toEqual([...texts]);
        },
      ),
    );
  });

  it('joins several lines of data', () => {
    expect(parse('data: a\ndata:\ndata: b\n\n')).toEqual(['a\n\nb']);
  });

  it('takes away one space in front of the data, and no more', () => {
    expect(parse('data:x\n\ndata: x\n\ndata:  x\n\n')).toEqual(['x', 'x', ' x']);
  });

  it('passes over comments, other fields and events without data', () => {
    expect(parse(': keep-alive\n\nid: 1\nretry: 5\n\nevent: ping\n\ndata:\n\ndata: x\n: why\n\n')).toEqual([
      'x',
    ]);
  });

  it('minds no further blank lines', () => {
    expect(parse('\n\n\ndata: a\n\n\n\n\ndata: b\n\n\n')).toEqual(['a', 'b']);
  });

  it.each(['data: whole\n\ndata: last', 'data: whole\n\ndata: last\n', 'data: whole\r\rdata: last\r'])(
    'gives what no blank line closed at the end of the body: %j',
    (text) => {
      const parser = new SseParser();
      expect(parser.push(encode(text))).toEqual(['whole']);
      expect(parser.end()).toEqual(['last']);
      expect(parser.end()).toEqual([]);
    },
  );

  it('takes two lone carriage returns for a blank line at once, and no line feed behind them for another', () => {
    const parser = new SseParser();
    expect(parser.push(encode('data: a\r\r'))).toEqual(['a']);
    expect(parser.push(encode('\ndata: b\r'))).toEqual([]);
    expect(parser.push(encode('\n\r'))).toEqual(['b']);
  });

  it('gives an event as soon as it is whole', () => {
    const parser = new SseParser();
    expect(parser.push(encode('data: a\n'))).toEqual([]);
    expect(parser.push(encode('\ndata: b'))).toEqual(['a']);
    expect(parser.push(encode('\n\n'))).toEqual(['b']);
  });

  it('minds no byte order mark', () => {
    expect(parse(Uint8Array.of(0xef, 0xbb, 0xbf), 'data: a\n\n')).toEqual(['a']);
  });
});
