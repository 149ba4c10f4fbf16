import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTROL_TOKEN_NAMES } from '#src/kernel/text.ts';
import {
  type ControlToken,
  createTokenScanner,
  extractControlTokens,
} from '#src/chat/delivery/control-tokens.ts';
import { everyRow } from '#test/support/every-row.ts';
import { tokensOf } from './tokens-of.ts';

const TOKEN = new RegExp(`<<(?:${CONTROL_TOKEN_NAMES.join('|')})>>`);
/** What could still become a token, were more to come. */
const BEGINNING = /<(?:<(?:[A-Z_]+>?)?)?$/;

const scan = (chunks: readonly string[]) => {
  const scanner = createTokenScanner();
  const steps = [...chunks.map(scanner.feed), scanner.flush()];
  return {
    steps,
    visible: steps.map(({ visible }) => visible).join(''),
    tokens: steps.flatMap(({ tokens }) => tokens),
  };
};

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...CONTROL_TOKEN_NAMES.map((name) => `<<${name}>>`)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('<<', '<', '>', '>>', '<<NO_', 'REPLY>>', 'NO_REPLY', '<<ATTACH_', '< '),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('`', '``', '```', '\n```', '\n~~~', '```py\n', '\n> ```\n', '\n- ~~~'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(' ', '\t', '\n', '\r\n', 'Apple rose.', '삼성전자', '👨‍👩‍👧', 'a < b'),
  },
  { weight: 1, arbitrary: fc.string() },
);
const answer = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

/** A text in chunks, cut anywhere, also inside a token or a character. */
const cutAnswer = fc.tuple(answer, fc.array(fc.nat({ max: 200 }), { maxLength: 12 })).map(([text, cuts]) => {
  const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
});

const withoutBlanks = (text: string): string => text.replaceAll(/[ \t]/g, '');

describe('createTokenScanner', () => {
  it('shows of an answer in pieces what it shows of the whole, and finds the same tokens', () => {
    fc.assert(
      fc.property(cutAnswer, (chunks) => {
        const whole = scan([chunks.join('')]);
        const { visible, tokens } = scan(chunks);
        expect(visible).toBe(whole.visible);
        expect(tokens).toEqual(whole.tokens);
        const extracted = extractControlTokens(chunks.join(''));
        expect(extracted.cleanContent).toBe(visible.trim());
        expect(tokensOf(extracted)).toEqual(new Set(tokens));
      }),
      { numRuns: 600 },
    );
  });

  it('never shows a token, nor the beginning of one that more could complete', () => {
    fc.assert(
      fc.property(cutAnswer, (chunks) => {
        const { steps, visible } = scan(chunks);
        expect(visible).not.toMatch(TOKEN);
        for (const step of steps.slice(0, -1)) expect(step.visible).not.toMatch(BEGINNING);
      }),
      { numRuns: 600 },
    );
  });

  it('loses nothing but tokens and the blanks beside them', () => {
    const word = fc.constantFrom('Apple', 'a < b', '삼성전자', '\n', '👨‍👩‍👧', '<<EOF', '>>');
    const token = fc.constantFrom(...CONTROL_TOKEN_NAMES);
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.option(token))), (pairs) => {
        const text = pairs
          .map(([said, name]) => (name === null ? `${said} ` : `${said} <<${name}>> `))
          .join('');
        const { visible, tokens } = scan([text]);
        expect(withoutBlanks(visible)).toBe(withoutBlanks(pairs.map(([said]) => said).join('')));
        expect(tokens).toEqual(pairs.flatMap(([, name]) => (name === null ? [] : [name])));
      }),
      { numRuns: 500 },
    );
  });

  it('gives out text at once, and holds back only what may be a token', () => {
    const scanner = createTokenScanner();
    expect(scanner.feed('Apple rose').visible).toBe('Apple rose');
    expect(scanner.feed(' today. <').visible).toBe(' today.');
    expect(scanner.feed('<NO_').visible).toBe('');
    expect(scanner.feed('thing').visible).toBe('');
    expect(scanner.feed(' else\nmore').visible).toBe(' <<NO_thing else\nmore');
    expect(scanner.feed(' <').visible).toBe('');
    expect(scanner.feed(' 5').visible).toBe(' < 5');
    expect(scanner.flush()).toEqual({ visible: '', tokens: [] });
  });

  everyRow<ControlToken>([...CONTROL_TOKEN_NAMES])(
    'reports <<%s>> as soon as it is complete, once',
    (name) => {
      const scanner = createTokenScanner();
      expect(scanner.feed(`Working <<${name}>`).tokens).toEqual([]);
      expect(scanner.feed('> on').tokens).toEqual([name]);
      expect(scanner.feed(' it\n').tokens).toEqual([]);
      expect(scanner.flush().tokens).toEqual([]);
    },
  );

  it('reports each time that a token is written', () => {
    const scanner = createTokenScanner();
    const beat = '<<HEARTBEAT_OK>>';
    const found = [beat, `${beat}\n`, beat].map((chunk) => scanner.feed(chunk).tokens);
    expect(found.map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  it('waits for the end of a line in which code has begun', () => {
    const scanner = createTokenScanner();
    expect(scanner.feed('Say `<<NO_REPLY>>').tokens).toEqual([]);
    expect(scanner.feed('`').tokens).toEqual([]);
    expect(scanner.feed('.\n')).toEqual({ visible: '‹‹NO_REPLY››`.\n', tokens: [] });
    expect(scanner.feed('5` <<NO_REPLY>>').tokens).toEqual([]);
    expect(scanner.flush().tokens).toEqual(['NO_REPLY']);
  });

  it('begins anew after a reset, and after a flush', () => {
    const scanner = createTokenScanner();
    scanner.feed('```\n<<NO_');
    scanner.reset();
    expect(scanner.feed('REPLY>> <<NO_REPLY>>').tokens).toEqual(['NO_REPLY']);
    scanner.feed('\n```\n');
    scanner.flush();
    expect(scanner.feed('<<NEED_INPUT>>').tokens).toEqual(['NEED_INPUT']);
  });
});
