import { describe, expect, it } from 'vitest';
import { type Gate, PASS } from '#src/core/gate.ts';
import type { Locale } from '#src/core/i18n.ts';
import type { MediaAttachment } from '#src/core/message.ts';
import { composeGates } from '#src/gateway/compose-gates.ts';
import { blank } from '#src/gateway/gates/blank.ts';
import { createGates } from '#src/gateway/gates/index.ts';
import { itself } from '#src/gateway/gates/itself.ts';
import { length } from '#src/gateway/gates/length.ts';
import { inboundMessage } from '#test/support/messages.ts';

const IMAGE: MediaAttachment = { kind: 'image', mimeType: 'image/png', name: 'a.png', url: 'a.png' };

describe('itself', () => {
  it("drops the bot's own message without a word", () => {
    expect(itself().check(inboundMessage({ isFromSelf: true }))).toEqual({
      verdict: 'drop',
      reason: 'own-message',
    });
  });

  it('passes the messages of others', () => {
    expect(itself().check(inboundMessage())).toEqual(PASS);
  });
});

describe('blank', () => {
  it.each(['', '   ', '\n\t\r\n', '\u00a0\u3000'])('drops %j without a word', (body) => {
    expect(blank().check(inboundMessage({ body }))).toEqual({ verdict: 'drop', reason: 'blank' });
    expect(blank().check(inboundMessage({ body, media: [] }))).toMatchObject({ verdict: 'drop' });
  });

  it('passes a picture without words', () => {
    expect(blank().check(inboundMessage({ body: '', media: [IMAGE] }))).toEqual(PASS);
  });

  it.each(['?', '  AAPL  ', '🚀'])('passes %j', (body) => {
    expect(blank().check(inboundMessage({ body }))).toEqual(PASS);
  });
});

const checkLength = (body: string, platform?: Locale, fixed: Locale | 'auto' = 'auto') =>
  length({ maxMessageChars: 1_000, locale: fixed }).check(
    inboundMessage({ body, ...(platform ? { locale: platform } : {}) }),
  );

describe('length', () => {
  it('passes a message as long as allowed, and not one character more', () => {
    expect(checkLength('x'.repeat(1_000))).toEqual(PASS);
    expect(checkLength('x'.repeat(1_001))).toMatchObject({ verdict: 'drop', reason: 'too-long' });
  });

  it.each([
    ['English', 'how is apple '.repeat(100), /^Your message has 1,300 characters; I read up to 1,000\./],
    ['Korean', '삼성전자 얼마야 '.repeat(200), /1,800자.*1,000자/],
  ])('tells the sender in %s how long it was and how long it may be', (_language, body, sentence) => {
    expect(checkLength(body)).toMatchObject({ reply: expect.stringMatching(sentence) });
  });

  it('goes by the platform where the text has no language, and by the configuration above all', () => {
    const digits = '7'.repeat(1_001);
    expect(checkLength(digits, 'ko')).toMatchObject({ reply: expect.stringMatching(/[가-힣]/) });
    expect(checkLength(digits, 'ko', 'en')).toMatchObject({ reply: expect.stringContaining('Your message') });
  });
});

const noting = (name: string, asked: string[], drop?: { reason: string; reply?: string }): Gate => ({
  name,
  check: async () => {
    asked.push(name);
    return drop ? { verdict: 'drop', ...drop } : PASS;
  },
});

describe('composeGates', () => {
  it('passes what every gate passes, asking them in order', async () => {
    const asked: string[] = [];
    const gates = composeGates([noting('a', asked), noting('b', asked), noting('c', asked)]);
    expect(await gates(inboundMessage())).toMatchObject({ verdict: 'pass' });
    expect(asked).toEqual(['a', 'b', 'c']);
  });

  it('ends at the first drop, names the gate, and does not ask those behind it', async () => {
    const asked: string[] = [];
    const gates = composeGates([
      noting('a', asked),
      noting('b', asked, { reason: 'because', reply: 'Sorry.' }),
      noting('c', asked, { reason: 'another' }),
    ]);
    expect(await gates(inboundMessage())).toEqual({
      verdict: 'drop',
      gate: 'b',
      reason: 'because',
      reply: 'Sorry.',
    });
    expect(asked).toEqual(['a', 'b']);
  });

  it('passes everything when there are no gates', async () => {
    expect(await composeGates([])(inboundMessage())).toMatchObject({ verdict: 'pass' });
  });
});

describe('createGates', () => {
  const gates = composeGates(createGates({ maxMessageChars: 100, locale: 'auto' }));

  it('never answers the bot itself, however long or empty what it said', async () => {
    for (const body of ['', 'x'.repeat(101)]) {
      const decision = await gates(inboundMessage({ isFromSelf: true, body }));
      expect(decision).toEqual({ verdict: 'drop', gate: 'itself', reason: 'own-message' });
    }
  });

  it('has all three, the silent ones first', async () => {
    expect(await gates(inboundMessage({ body: ' '.repeat(101) }))).toMatchObject({ gate: 'blank' });
    expect(await gates(inboundMessage({ body: 'x'.repeat(101) }))).toMatchObject({ gate: 'length' });
    expect(await gates(inboundMessage())).toMatchObject({ verdict: 'pass' });
  });
});
