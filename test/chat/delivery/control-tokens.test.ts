import * as control from '#src/chat/delivery/control-tokens.ts';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '#test/support/cpu-time.ts';
import { everyRow } from '#test/support/every-row.ts';
import { tokensOf } from '../pipeline/tokens-of.ts';

const extractControlTokens = (answer: string) => {
  const result = control.extractControlTokens(answer);
  return { ...result, tokens: tokensOf(result) };
};

const NAMES = [
  'HEARTBEAT_OK',
  'NO_REPLY',
  'SILENT_REPLY',
  'NEED_INPUT',
  'ATTACH_DISCLAIMER',
  'ATTACH_QUOTE',
] as const;

describe('extractControlTokens', () => {
  it.each(NAMES)('takes out <<%s>> and reports it', (name) => {
    const { cleanContent, tokens } = extractControlTokens(`Apple rose.\n<<${name}>>`);
    expect(cleanContent).toBe('Apple rose.');
    expect([...tokens]).toEqual([name]);
  });

  it.each(NAMES)('leaves nothing of an answer that is <<%s>> alone', (name) => {
    expect(extractControlTokens(` <<${name}>>\n`).cleanContent).toBe('');
  });

  it('takes out several, each reported once', () => {
    const { cleanContent, tokens } = extractControlTokens(
      '<<ATTACH_QUOTE>> Apple <<NEED_INPUT>> rose.\n<<ATTACH_DISCLAIMER>>\n<<ATTACH_QUOTE>>',
    );
    expect(cleanContent).toBe('Apple rose.');
    expect(tokens).toEqual(new Set(['ATTACH_QUOTE', 'NEED_INPUT', 'ATTACH_DISCLAIMER']));
  });

  it.each([
    '<<EOF>>',
    '<<NO_REPLY',
    'NO_REPLY',
    '<NO_REPLY>',
    '<<no_reply>>',
    '<< NO_REPLY >>',
    'cat <<EOF\nhi\nEOF',
  ])('leaves %j in the answer: it is not ours', (text) => {
    const { cleanContent, tokens } = extractControlTokens(`Use ${text} here`);
    expect(cleanContent).toBe(`Use ${text} here`);
    expect(tokens).toEqual(new Set());
  });

  it('keeps lines and indentation of the answer', () => {
    const text = 'Table:\n\n  a\tb\n    c';
    expect(extractControlTokens(`${text} <<ATTACH_DISCLAIMER>>`).cleanContent).toBe(text);
  });

  it('finds the same tokens in every call', () => {
    const twice = [1, 2].map(() => extractControlTokens('<<NO_REPLY>>').tokens.has('NO_REPLY'));
    expect(twice).toEqual([true, true]);
  });

  it.each([
    ['NO_REPLY', 'hasNoReply'],
    ['SILENT_REPLY', 'hasSilentReply'],
    ['HEARTBEAT_OK', 'hasHeartbeat'],
    ['NEED_INPUT', 'needsInput'],
    ['ATTACH_DISCLAIMER', 'needsDisclaimer'],
    ['ATTACH_QUOTE', 'needsQuote'],
  ] as const)('says of <<%s>> that it %s, and nothing else', (name, field) => {
    const { cleanContent: _text, ...fields } = control.extractControlTokens(`Hm. <<${name}>>`);
    expect(Object.entries(fields).filter(([, isSet]) => isSet)).toEqual([[field, true]]);
    expect(Object.keys(fields)).toHaveLength(6);
  });

  everyRow([
    ['<<NO_<<NO_REPLY>>REPLY>>', ''],
    ['<<NO_<<NEED_INPUT>>REPLY>>', ''],
    ['<<<NO_REPLY>><NO_REPLY>>', ''],
    ['<<NO_ <<NEED_INPUT>>REPLY>>', ''],
    ['<<NO_<<NEED_INPUT>> REPLY>>', '<<NO_ REPLY>>'],
    ['<<<NO_REPLY>>>', '<>'],
    ['a<<NO_REPLY>><<NO_REPLY>>b', 'ab'],
    ['<<NO_\nREPLY>>', '<<NO_\nREPLY>>'],
  ])('leaves of %j no token that taking one out would make', (text, clean) => {
    const { cleanContent } = extractControlTokens(text);
    expect(cleanContent).toBe(clean);
    expect(extractControlTokens(cleanContent).tokens).toEqual(new Set());
  });

  it('takes the blanks before a token with it, and those behind it at the beginning of a line', () => {
    expect(extractControlTokens('a \t<<NEED_INPUT>>, b\n<<ATTACH_QUOTE>>  c').cleanContent).toBe('a, b\nc');
  });

  everyRow([
    'Write `<<NO_REPLY>>` to say nothing.',
    'Write ``a ` <<NO_REPLY>>`` to say nothing.',
    '`a` and `b <<NO_REPLY>> c`',
    '```\n<<NO_REPLY>>\n```',
    '```text <<NO_REPLY>>\nx\n```',
    '~~~~\n```\n<<NO_REPLY>>\n~~~~',
    '> ```\n> <<NO_REPLY>>\n> ```',
    '1. ```\n   <<NO_REPLY>>\n   ```',
    '```\r\n<<NO_REPLY>>\r\n```',
    '````\n```\n<<NO_REPLY>>\n````',
    '```\n``` not an end\n<<NO_REPLY>>\n```',
    'An end that is missing:\n```\n<<NO_REPLY>>',
  ])('shows a token in code, but does not act on it: %j', (text) => {
    const { cleanContent, tokens } = extractControlTokens(text);
    expect(tokens).toEqual(new Set());
    expect(cleanContent).toBe(text.replace('<<NO_REPLY>>', '‹‹NO_REPLY››'));
  });

  it.each([
    ['`AAPL` rose. <<NO_REPLY>>', '`AAPL` rose.'],
    ['5` or 6 <<NO_REPLY>>', '5` or 6'],
    ['``a` <<NO_REPLY>>', '``a`'],
    ['```\na\n```\n<<NO_REPLY>>', '```\na\n```'],
    ['```a``` <<NO_REPLY>>', '```a```'],
    ['```\na\n~~~\n````\n<<NO_REPLY>>', '```\na\n~~~\n````'],
    ['`a\n<<NO_REPLY>>\nb`', '`a\n\nb`'],
  ])('acts on a token that only stands near code: %j', (text, clean) => {
    const { cleanContent, tokens } = extractControlTokens(text);
    expect([...tokens]).toEqual(['NO_REPLY']);
    expect(cleanContent).toBe(clean);
  });

  it('takes no time over an answer that is made to take long', () => {
    const startedMs = cpuMs();
    for (const piece of ['<<NO_', '<', '<<NO_REPLY>>', ' ', '` ', '`<<', '>', '``` ']) {
      extractControlTokens(`<<${piece.repeat(20_000)}`);
    }
    extractControlTokens(`${'<<NO_'.repeat(10_000)}${'REPLY>>'.repeat(10_000)}`);
    expect(cpuMs() - startedMs).toBeLessThan(5_000);
  });
});
