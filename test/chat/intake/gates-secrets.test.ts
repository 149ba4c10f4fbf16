import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PASS } from '#src/chat/gates/gate.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { intakeTexts } from '#src/chat/gates/texts.ts';
import { composeGates, createGates } from '#src/chat/gates/index.ts';
import { secrets } from '#src/chat/gates/secrets.ts';
import { sqliteStorage } from '#test/support/database.ts';
import { everyRow } from '#test/support/every-row.ts';
import { inboundMessage } from '#test/support/messages.ts';
import { gatesDeps } from '../gates/support.ts';
import { setUpRouter } from './router-fixture.ts';

const KEYS = {
  Anthropic: 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx-_AA',
  OpenAI: 'sk-proj-abcdefghij_0123456789',
  'older OpenAI': 'sk-AbCdEfGhIjKlMnOp',
  'Slack bot': 'xoxb-123456789012-AbCdEfGhIj',
  'Slack user': 'xoxp-123456789012-AbCdEfGhIj',
  'Slack app': 'xapp-1-A0123456789-0123456789',
  'OpenAI service account': 'sk-svcacct-AbCdEfGhIjKlMnOp_QrSt-UvWx',
  'OpenAI administrator': 'sk-admin-AbCdEfGhIjKlMnOp_QrSt-UvWx',
  'older OpenAI, with digits': 'sk-0123456789abcdefghijklmnopqrstuvwxyzabcdefghijkl',
} as const;

const WORDS =
  "sk SK hynix risk desk xoxo app xapp x key 삼성전자 주가 - — 5.3% $102,300 ETF well a BTC-USD don't 3:1 🚀 sk-hynix".split(
    ' ',
  );
const SIGNS = Array.from('abc XYZ 09 .,:;!? 가나다 \n\t"\'()[]{}<>=/🚀');

const check = (body: string, platform?: Locale, fixed: Locale | 'auto' = 'auto') =>
  secrets({ locale: fixed, stripMentions: String }).check(
    inboundMessage({ body, ...(platform ? { locale: platform } : {}) }),
  );

const refusal = (locale: Locale) => ({
  verdict: 'drop',
  reason: 'holds-a-key',
  reply: intakeTexts(locale).messageHoldsKey(),
});

describe('secrets', () => {
  describe.each(Object.entries(KEYS))('a key of the kind %s', (_kind, key) => {
    everyRow([
      ['alone', key],
      ['in a sentence', `please use ${key}, it is mine`],
      ['at the end, with a full stop', `my key is ${key}.`],
      ['behind an equals sign', `export API_KEY=${key}`],
      ['in quotes', `{"apiKey":"${key}"}`],
      ['in a command', `/keys disable ${key}`],
      ['on a line of its own', `hello\n${key}\nbye`],
      ['directly behind Korean', `제 키는${key}입니다`],
      ['in brackets', `(${key})`],
      ['in an address', `https://example.com/?key=${key}&x=1`],
      ['behind a long text', `${'word '.repeat(3_900)}${key}`],
    ])('is refused %s', (_where, body) => {
      expect(check(body)).toMatchObject({ verdict: 'drop', reason: 'holds-a-key' });
    });
  });

  it.each([
    ['English', 'Please answer with this key from now on:', 'en'],
    ['Korean', '앞으로 이 키로 대답해 주세요:', 'ko'],
  ] as const)('says in %s why, and never repeats the key', (_language, sentence, locale) => {
    for (const key of Object.values(KEYS)) expect(check(`${sentence} ${key}`)).toEqual(refusal(locale));
    expect(refusal(locale).reply).toMatch(locale === 'ko' ? /[가-힣]/ : /secret key/);
  });

  it('goes by the platform where the words have no language, and by the configuration above all', () => {
    const body = `7777 ${KEYS['older OpenAI']}`;
    expect(check(body, 'ko')).toEqual(refusal('ko'));
    expect(check(body, 'en')).toEqual(refusal('en'));
    expect(check(body, 'ko', 'en')).toEqual(refusal('en'));
    expect(check(`제 키는 이것입니다 ${body}`, 'en', 'en')).toEqual(refusal('en'));
  });

  everyRow(Object.entries(KEYS))(
    'takes the language from the words around the key, not from the key: %s',
    (_kind, key) => {
      expect(check(key, 'ko')).toEqual(refusal('ko'));
      expect(check(key, 'en')).toEqual(refusal('en'));
      expect(check(`${key}${key} 키`, 'en')).toEqual(refusal('ko'));
      // Longer than what is looked at for the language, were it not taken out before.
      expect(check(`${`${key} `.repeat(50)}이 키들로 대답해 주세요`, 'en')).toEqual(refusal('ko'));
    },
  );

  everyRow([
    'How is Apple doing today?',
    'SK하이닉스와 SK-Hynix, sk-hynix 주가 알려줘',
    'What does sk-learn do? And sk-innovation?',
    'risk-free rates, task-oriented desk-work and a kiosk-based point-of-sale-system-for-everybody',
    'a disk-encryption-password-manager-recommendation',
    '019a7c3e-1b2c-7000-8abc-0123456789ab',
    'what does an Anthropic key look like? sk-ant-…, and OpenAI: sk-...',
    'xoxo, see you at the xbox-one-series-x-launch-party',
    'BRK-B, 005930.KS, ^KS11, KRW=X, BTC-USD',
    '/keys disable env-anthropic-1',
    'bearer internationalization, at https://me:here@example.com',
    'sk-hynix-posts-record-profit-in-2026',
    'https://news.example.com/2026/11/sk-hynix-posts-record-profit-in-2026?utm_source=x',
    'https://example.com/sk-innovation-and-sk-on-to-merge-by-2027, what do you think?',
    'sk-Hynix-Posts-Record-Profit, sk-2026-outlook-for-memory-chips',
    'sk-telecommunications, sk-biopharmaceuticals',
    'https://example.com/xoxb-the-launch-party-of-the-year',
    'sk-',
    '',
  ])('passes ordinary text: %j', (body) => {
    expect(check(body)).toEqual(PASS);
  });

  it('passes prose, whatever words it is made of and however they are joined', () => {
    const word = fc.constantFrom(...WORDS);
    const gap = fc.constantFrom(' ', ', ', '. ', '\n', ' - ', '/');
    const prose = fc
      .array(fc.tuple(word, gap), { maxLength: 60 })
      .map((parts) => parts.map(([text, behind]) => `${text}${behind}`).join(''));
    fc.assert(
      fc.property(prose, (body) => {
        expect(check(body)).toEqual(PASS);
      }),
    );
  });

  it('finds a key between any two pieces of prose', () => {
    const piece = fc.string({ unit: fc.constantFrom(...SIGNS) });
    const kind = fc.constantFrom(...Object.values(KEYS));
    fc.assert(
      fc.property(piece, kind, piece, (before, key, after) => {
        expect(check(`${before} ${key} ${after}`)).toMatchObject({ verdict: 'drop' });
      }),
    );
  });

  it('gives the same answer each time it is asked', () => {
    const gate = secrets({ locale: 'auto', stripMentions: String });
    const verdicts = [KEYS.OpenAI, 'hello', KEYS.OpenAI, KEYS.OpenAI, 'hello'].map(
      (body) => gate.check(inboundMessage({ body })) === PASS,
    );
    expect(verdicts).toEqual([false, true, false, false, true]);
  });

  // Fifty times as long as a message may be: steps that grew with the square would not end in time.
  everyRow([
    ['beginnings of keys', 'sk-aaaaaaaaaaaaaaa '],
    ['beginnings without a blank', 'sk-é'],
    ['beginnings of Slack tokens', 'xoxb-123456789.'],
    ['letters without a word end', 's'],
    ['joined words', 'task-desk-'],
    ['words joined to the beginning of a key', 'sk-hynix-'],
    ['letters without the digit of a key', 'sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['beginnings of Slack tokens without a digit', 'xoxb-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-'],
    ['Korean', '키'],
  ])('reads %s without end in one go', (_what, piece) => {
    const hostile = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(check(hostile)).toEqual(PASS);
    expect(check(`${hostile} ${KEYS.Anthropic}`)).toMatchObject({ verdict: 'drop' });
  });
});

const setUp = async () => {
  const { storage } = await sqliteStorage();
  const gates = createGates(gatesDeps(storage));
  return { gates, ...(await setUpRouter({ storage, gates })) };
};

describe('a message that holds a key', () => {
  it.each(Object.values(KEYS))('is neither stored nor worked on nor logged: %s', async (key) => {
    const { router, rows, runs, notices, emitted, logged } = await setUp();
    const message = inboundMessage({ body: `이 키를 써 줘 ${key}` });
    expect(await router.receive(message)).toEqual({
      outcome: 'dropped',
      reason: 'holds-a-key',
      isTold: true,
    });
    expect(await rows()).toEqual([]);
    expect(runs).toEqual([]);
    expect(notices.map(([, text]) => text)).toEqual([intakeTexts('ko').messageHoldsKey()]);
    expect(emitted).toEqual([
      ['gate:drop', { gate: 'secrets', reason: 'holds-a-key', channelId: message.channelId }],
    ]);
    expect(JSON.stringify([emitted, logged, notices])).not.toContain(key);
  });

  it('does not keep the next message of the same person from being answered', async () => {
    const { router, workOff, bodies } = await setUp();
    await router.receive(inboundMessage({ body: KEYS.Anthropic }));
    await workOff(inboundMessage({ body: 'sorry, and how is sk-hynix?' }));
    expect(bodies()).toEqual(['sorry, and how is sk-hynix?']);
  });

  it('gets no second answer when it is also too long, and none when the bot said it itself', async () => {
    const decide = composeGates((await setUp()).gates);
    const long = `${KEYS.OpenAI} `.repeat(2_000);
    expect(await decide(inboundMessage({ body: long }))).toMatchObject({ gate: 'length' });
    const own = await decide(inboundMessage({ body: KEYS.OpenAI, isFromSelf: true }));
    expect(own).toEqual({ verdict: 'drop', gate: 'itself', reason: 'own-message' });
  });
});
