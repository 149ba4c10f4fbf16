import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  imageNote,
  resultText,
  safeId,
  safeInput,
  safeText,
  safeToolName,
  toTurns,
} from '#src/agent/providers/api-turns.ts';
import type { ContentBlock, ConversationMessage } from '#src/kernel/agent/model.ts';
import { anyText } from '#test/support/any-text.ts';
import { assistant, call, result, results, text, user } from './request.ts';

const anyWords = fc.oneof(fc.string(), anyText(), fc.string({ maxLength: 200 }));

describe('safeId', () => {
  it('leaves an id that every provider takes as it is', () => {
    for (const id of ['toolu_01AbC', 'call_x-1', 'a'.repeat(40)]) expect(safeId(id)).toBe(id);
  });

  it('shortens an id that only some providers take', () => {
    expect(safeId('a'.repeat(41))).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    expect(safeId('a'.repeat(41))).not.toBe(safeId('a'.repeat(42)));
  });

  it('makes of any id one that every provider takes, and another one of every other', () => {
    fc.assert(
      fc.property(anyWords, anyWords, (one, other) => {
        expect(safeId(one)).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
        expect(safeId(one) === safeId(other)).toBe(one === other);
      }),
    );
  });
});

describe('safeToolName', () => {
  it.each([
    ['get_price', 'get_price'],
    ['finance:get.price', 'finance_get_price'],
    ['', 'unnamed'],
    ['a b', 'a_b'],
  ])('makes of %o the name %s', (name, expected) => {
    expect(safeToolName(name)).toBe(expected);
  });

  it('makes of any name one that every provider takes', () => {
    fc.assert(
      fc.property(anyWords, (name) => {
        expect(safeToolName(name)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      }),
    );
  });
});

describe('safeText', () => {
  it('keeps well-formed text and replaces halves of characters', () => {
    expect(safeText('삼성 📈')).toBe('삼성 📈');
    expect(safeText('a\ud83db\udc00')).toBe('a\ufffdb\ufffd');
  });
});

describe('safeInput', () => {
  it('keeps an object and takes everything else for none', () => {
    expect(safeInput({ a: [1] })).toEqual({ a: [1] });
    for (const input of [null, undefined, 'x', 1, [1], true]) expect(safeInput(input)).toEqual({});
  });

  it('mends halves of characters, however deep, and nothing else', () => {
    const deep = { a: [{ b: 'x\ud83d', c: null, d: 1.5, e: false }], f: '📈 \\ud83d' };
    expect(safeInput(deep)).toEqual({ ...deep, a: [{ ...deep.a[0], b: 'x\ufffd' }] });
  });
});

describe('imageNote', () => {
  const image = { type: 'image', name: 'chart\ud83d', mimeType: 'image/png', base64: 'AAAA' } as const;

  it('is none where the model sees the picture', () => {
    for (const kind of ['png', 'jpeg', 'gif', 'webp'])
      expect(imageNote({ ...image, mimeType: `image/${kind}` }, true)).toBeUndefined();
  });

  it('names, in whole characters, a picture that the model or its provider cannot take', () => {
    expect(imageNote(image, false)).toContain('chart\ufffd');
    expect(imageNote({ ...image, mimeType: 'image/tiff' }, true)).toContain('chart\ufffd');
  });
});

describe('resultText', () => {
  it('has words for an error without any, and only for that', () => {
    expect(resultText({ content: ' ', isError: true })).toMatch(/\w/);
    expect(resultText({ content: '', isError: false })).toBe('');
  });

  it('tells the model of the picture that goes out with the answer, and what is on it', () => {
    const picture = {
      kind: 'image',
      mimeType: 'image/png',
      name: 'a.png',
      url: 'file:///a.png',
      altText: 'Apple, 1 year',
    } as const;
    const told = resultText({ content: 'Apple rose.', isError: false, media: [picture] });
    expect(told).toMatch(/^Apple rose\.\n\n\[The picture is attached.*Apple, 1 year\]$/);
    expect(resultText({ content: 'no\ud83d', isError: true })).toBe('no\ufffd');
  });
});

const turnsOf = (...messages: readonly ConversationMessage[]) => toTurns(messages, 'mine');
const thought = (model: string): ContentBlock => ({ type: 'thinking', model, text: 'hm', opaque: {} });

describe('toTurns', () => {
  it('keeps the thoughts of the model that is asked, and of no other', () => {
    const said = assistant(thought('mine'), thought('other'), 'a');
    expect(turnsOf(said)[0]?.blocks).toEqual([thought('mine'), text('a')]);
  });

  it('leaves out thoughts that led to nothing', () => {
    expect(turnsOf(assistant('a', thought('mine')))[0]?.blocks).toEqual([text('a')]);
    expect(turnsOf(assistant(thought('mine')))).toEqual([]);
  });

  it('puts results and what was said meanwhile on the side of the user', () => {
    const turns = turnsOf(user('a'), assistant(call('c')), results(result('c')), user('b'));
    expect(turns.map(({ side }) => side)).toEqual(['user', 'assistant', 'user']);
    expect(turns[2]?.blocks).toEqual([result('c'), text('b')]);
  });

  it('leaves out empty texts and the turns that are left without a word', () => {
    expect(turnsOf(user('', ' '), assistant('\n'), user('a', ''))).toEqual([
      { side: 'user', blocks: [text('a')] },
    ]);
    expect(turnsOf()).toEqual([]);
  });

  it('alternates and loses no word, whoever spoke how often', () => {
    const message = fc
      .tuple(fc.constantFrom(user, assistant), fc.array(fc.constantFrom('a', 'b', '', '  ')))
      .map(([by, words]) => by(...words));
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const before = structuredClone(messages);
        const turns = turnsOf(...messages);
        for (const [index, { side }] of turns.entries()) expect(side).not.toBe(turns[index - 1]?.side);
        const words = messages
          .flatMap(({ content }) => content)
          .filter((b) => b.type === 'text' && b.text.trim());
        expect(turns.flatMap(({ blocks }) => blocks)).toEqual(words);
        expect(messages).toEqual(before);
      }),
    );
  });
});
