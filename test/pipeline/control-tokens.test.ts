import { describe, expect, it } from 'vitest';
import { extractControlTokens } from '#src/pipeline/control-tokens.ts';

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
    expect(extractControlTokens(`Use ${text} here`)).toEqual({
      cleanContent: `Use ${text} here`,
      tokens: new Set(),
    });
  });

  it('keeps lines and indentation of the answer', () => {
    const text = 'Table:\n\n  a\tb\n    c';
    expect(extractControlTokens(`${text} <<ATTACH_DISCLAIMER>>`).cleanContent).toBe(text);
  });

  it('finds the same tokens in every call', () => {
    const twice = [1, 2].map(() => extractControlTokens('<<NO_REPLY>>').tokens.has('NO_REPLY'));
    expect(twice).toEqual([true, true]);
  });
});
