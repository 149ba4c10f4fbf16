import { describe, expect, it } from 'vitest';
import { type Gate, PASS } from '#src/chat/gates/gate.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import { intakeTexts } from '#src/chat/gates/texts.ts';
import type { MsgContext, MediaAttachment } from '#src/kernel/chat/message.ts';
import { blank } from '#src/chat/gates/blank.ts';
import { composeGates, createGates, type GatesDeps } from '#src/chat/gates/index.ts';
import { itself } from '#src/chat/gates/bots.ts';
import { length } from '#src/chat/gates/length.ts';
import { commandInSlash } from '#test/support/commands.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { directMessage, gatesDeps, groupMessage } from '../gates/support.ts';
import { stripMentions } from '#test/support/markup.ts';

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

const BLANK = blank({ locale: 'auto', stripMentions, clock: new ManualClock() });

describe('blank', () => {
  it.each(['', '   ', '\n\t\r\n', '\u00a0\u3000'])('drops %j without a word', (body) => {
    const said = inboundMessage({ body, chatType: 'channel' });
    expect(BLANK.check(said)).toEqual({ verdict: 'drop', reason: 'blank' });
    expect(BLANK.check({ ...said, media: [] })).toMatchObject({ verdict: 'drop' });
  });

  it('says in a direct chat that there is nothing to read, once', () => {
    const gate = blank({ locale: 'auto', stripMentions, clock: new ManualClock() });
    const reply = channelTexts('en').nothingToRead();
    const sticker = inboundMessage({ body: '', chatType: 'direct' });
    expect(gate.check(sticker)).toEqual({ verdict: 'drop', reason: 'blank', reply });
    expect(gate.check(sticker)).toEqual({ verdict: 'drop', reason: 'blank' });
  });

  it.each([
    ['<@123>', 'en'],
    ['<@!123> \u0007', 'en'],
  ] as const)('asks what for, where the bot is only called by its name: %j', (body, locale) => {
    const gate = blank({ locale: 'auto', stripMentions, clock: new ManualClock() });
    const called = inboundMessage({ body, mentionsBot: true });
    const reply = gateTexts(locale).nothingAsked();
    expect(gate.check(called)).toEqual({ verdict: 'drop', reason: 'blank', reply });
    expect(gate.check(called)).toEqual({ verdict: 'drop', reason: 'blank' });
  });

  it('passes a picture without words', () => {
    expect(BLANK.check(inboundMessage({ body: '', media: [IMAGE] }))).toEqual(PASS);
  });

  it.each(['?', '  AAPL  ', '🚀'])('passes %j', (body) => {
    expect(BLANK.check(inboundMessage({ body }))).toEqual(PASS);
  });
});

const checkLength = (body: string, platform?: Locale, fixed: Locale | 'auto' = 'auto') =>
  length({
    maxMessageChars: 1_000,
    commandOf: (message) => commandInSlash(200)(message.body),
    locale: fixed,
    stripMentions: String,
  }).check(inboundMessage({ body, ...(platform ? { locale: platform } : {}) }));

describe('length', () => {
  it('passes a message as long as allowed, and not one character more', () => {
    expect(checkLength('x'.repeat(1_000))).toEqual(PASS);
    expect(checkLength('x'.repeat(1_001))).toMatchObject({ verdict: 'drop', reason: 'too-long' });
  });

  it('passes a command of its own length only, and says so', () => {
    expect(checkLength(`/${'x'.repeat(199)}`)).toEqual(PASS);
    const reply = intakeTexts('en').commandTooLong({ found: '201', limit: '200' });
    const refused = { verdict: 'drop', reason: 'too-long', reply };
    expect(checkLength(`/${'x'.repeat(200)}`, 'en')).toEqual(refused);
    expect(checkLength(`/${'엑'.repeat(2_000)}`)).toMatchObject({
      reply: expect.stringMatching(/명령.*2,001자.*200자/),
    });
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

const setUp = async (overrides: Partial<GatesDeps> = {}) => {
  const { storage } = await sqliteStorage();
  const gates = createGates(gatesDeps(storage, { maxMessageChars: 100, ...overrides }));
  return { names: gates.map(({ name }) => name), decide: composeGates(gates) };
};

describe('createGates', () => {
  const LONG = 'word '.repeat(21);
  const KEY = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx-_AA';

  it('asks the cheap and the silent ones first', async () => {
    expect((await setUp()).names).toEqual([
      'itself',
      'bots',
      'allow-list',
      'direct-policy',
      'guild-channels',
      'guild-roles',
      'mention',
      'bot-loop',
      'blank',
      'rate-limit',
      'length',
      'secrets',
      'storage',
      'budget',
      'market-hours',
    ]);
  });

  it('passes an ordinary message, in a direct chat and where the bot is mentioned', async () => {
    const { decide } = await setUp();
    for (const message of [inboundMessage(), directMessage(), groupMessage({ mentionsBot: true })])
      expect(await decide(message)).toMatchObject({ verdict: 'pass' });
  });

  it('never answers the bot itself, however long or empty what it said', async () => {
    const { decide } = await setUp();
    for (const body of ['', LONG]) {
      const decision = await decide(inboundMessage({ isFromSelf: true, body }));
      expect(decision).toEqual({ verdict: 'drop', gate: 'itself', reason: 'own-message' });
    }
  });

  it.each([LONG, KEY])('says nothing in a group about what is not meant for the bot: %.10s', async (body) => {
    const { decide } = await setUp();
    const silence = { verdict: 'drop', gate: 'mention', reason: 'not-addressed' };
    expect(await decide(groupMessage({ body }))).toEqual(silence);
    expect(await decide(groupMessage({ body, mentionsBot: true }))).toHaveProperty('reply');
  });

  it('says nothing to people in a group who may not use the bot, nor about what they wrote', async () => {
    const { decide } = await setUp({ allow: { users: [] } });
    const decision = await decide(groupMessage({ body: KEY, mentionsBot: true }));
    expect(decision).toEqual({ verdict: 'drop', gate: 'allow-list', reason: 'user-not-allowed' });
  });

  it.each<[string, string, Partial<MsgContext>, Partial<GatesDeps>]>([
    ['blank', 'blank', { body: ' ' }, {}],
    ['length', 'too-long', { body: LONG }, {}],
    ['secrets', 'holds-a-key', { body: KEY }, {}],
    ['budget', 'budget-total', {}, { budget: { check: async () => 'total' } }],
    ['allow-list', 'user-not-allowed', {}, { allow: { users: [] } }],
    ['direct-policy', 'direct-not-allowed', {}, { direct: { policy: 'allowlist', users: [] } }],
    ['direct-policy', 'direct-not-allowed', {}, { direct: { policy: 'pairing', users: [] } }],
  ])('never says a word to a bot: %s', async (gate, reason, message, overrides) => {
    const { decide } = await setUp({ ...overrides, allowBots: ['mina'] });
    const decision = await decide(directMessage({ isFromBot: true, ...message }));
    expect(decision).toEqual({ verdict: 'drop', gate, reason });
  });

  it('stops two bots that answer each other, also where the answers are only refused', async () => {
    const { decide } = await setUp({
      allowBots: ['mina'],
      botLoop: { maxMessages: 2, windowSeconds: 60, silenceSeconds: 60 },
    });
    const gates: string[] = [];
    for (let heard = 0; heard < 4; heard += 1)
      gates.push((await decide(groupMessage({ isFromBot: true, mentionsBot: true, body: LONG }))).gate);
    expect(gates).toEqual(['length', 'length', 'bot-loop', 'bot-loop']);
  });

  it('does not count what a bot says to others', async () => {
    const { decide } = await setUp({
      allowBots: ['mina'],
      botLoop: { maxMessages: 2, windowSeconds: 60, silenceSeconds: 60 },
    });
    for (let said = 0; said < 10; said += 1)
      expect(await decide(groupMessage({ isFromBot: true }))).toMatchObject({ reason: 'not-addressed' });
    const meant = groupMessage({ isFromBot: true, mentionsBot: true });
    expect(await decide(meant)).toMatchObject({ verdict: 'pass' });
  });

  it('counts what is refused for its length too: its sentence must not come without end', async () => {
    const { decide } = await setUp({ rateLimitPerMinute: 2 });
    expect(await decide(directMessage({ body: LONG }))).toMatchObject({ gate: 'length' });
    expect(await decide(directMessage())).toMatchObject({ verdict: 'pass' });
    expect(await decide(directMessage({ body: LONG }))).toMatchObject({ gate: 'rate-limit' });
  });

  it('lets whoever sits at the terminal through all that is closed to others', async () => {
    const { decide } = await setUp({
      allow: { users: [], roles: [], guilds: [], channels: [] },
      direct: { policy: 'allowlist', users: [] },
      rateLimitPerMinute: 1,
    });
    for (let sent = 0; sent < 3; sent += 1)
      expect(await decide(inboundMessage())).toMatchObject({ verdict: 'pass' });
  });
});
