import { describe, expect, it } from 'vitest';
import { render } from '#channels/slack/send/render.ts';
import { type Card, cardPages } from '#src/kernel/chat/card.ts';
import type { ReplyPayload } from '#src/kernel/chat/message.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { NEVER, outbound, setUpChannel, targetIn } from './fixture.ts';

const QUOTE: Card = {
  title: 'AT&T <!channel> (T, NYSE)',
  url: 'https://finance.yahoo.com/quote/T',
  headline: '$27.12  ▲ +1.20%',
  fields: [{ name: 'Volume', value: '42,082,770' }],
  footer: 'source: Yahoo',
  tone: 'up',
};

const listOf = (count: number, more: Partial<Card['fields'][number]> = {}): Card => ({
  title: 'Your alerts',
  headline: '',
  fields: Array.from({ length: count }, (_none, index) => ({
    name: `Name ${index}`,
    value: `₩102,300\n▲ +₩300 (+0.29%) <&> ${index}`,
    url: `https://finance.yahoo.com/quote/N${index}`,
    tone: 'down' as const,
    ...more,
  })),
  footer: 'source: Yahoo',
  tone: 'flat',
});

const sent = async (...payloads: readonly Partial<ReplyPayload>[]) => {
  const { fake, channel } = await setUpChannel({ isStarted: false });
  for (const payload of payloads)
    await channel.send(outbound(targetIn(fake.general.id, fake.alice.id), '', { payload }), NEVER);
  expect(entriesOf(fake.history, 'offence')).toEqual([]);
  return fake.botMessagesIn(fake.general.id);
};

describe('cards on Slack', () => {
  it('link their title to the page of the instrument, and nothing else', async () => {
    const [message] = await sent({ cards: [QUOTE], locale: 'en' });
    expect(message?.blocks[0]).toEqual({
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: '*<https://finance.yahoo.com/quote/T|AT&amp;T ‹!channel&gt; (T, NYSE)>*',
      },
    });
  });

  it.each([
    ['en', '🟢', '🔴'],
    ['ko', '🔴', '🔵'],
  ] as const)('colour each row for a reader in %s', async (locale, up, down) => {
    const [message] = await sent({ cards: [QUOTE, listOf(1)], locale, text: '한국어 문장입니다' });
    expect(message?.rendered).toContain(`${up} *$27.12`);
    expect(message?.rendered).toContain(`${down} *Name 0*`);
  });

  it('begin the notification with the answer, in plain words, and have no empty headline', async () => {
    const [message] = await sent({ text: '⚠️ **SAMPLE**', isLedByCards: true, cards: [QUOTE, listOf(2)] });
    expect(message?.text.split('\n')).toEqual([
      'AT&amp;T ‹!channel&gt; (T, NYSE): $27.12  ▲ +1.20%',
      '⚠️ SAMPLE',
      'Volume: 42,082,770',
      'source: Yahoo',
      'Your alerts',
      'Name 0: ₩102,300 · ▲ +₩300 (+0.29%) &lt;&amp;&gt; 0',
      'Name 1: ₩102,300 · ▲ +₩300 (+0.29%) &lt;&amp;&gt; 1',
      'source: Yahoo',
    ]);
    expect(message?.blocks.map(({ type }) => type).join(' ')).toBe(
      'markdown section section section context header section context',
    );
  });

  it.each([
    ['side by side', {}],
    ['one below the other', { isWide: true }],
  ])('with 100 rows %s are split, and no row is lost', async (_how, more) => {
    const messages = await sent(
      ...cardPages([listOf(100, more)]).map((cards) => ({ cards, locale: 'ko' as const })),
    );
    const all = messages.map(({ rendered }) => rendered).join('\n');
    for (let index = 0; index < 100; index += 1) expect(all).toContain(`*Name ${index}*`);
  });

  it('that find no room among fifty blocks become lines', () => {
    const cards = Array.from({ length: 30 }, (_none, index) => ({ ...QUOTE, title: `T${index}` }));
    const { blocks } = render({ text: 'x', cards, choices: [{ label: 'a', command: '/price A' }] });
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(blocks)).toContain('T29: $27.12');
  });
});

describe('a second table on Slack', () => {
  it('is code up to 32 columns, and else a list', async () => {
    const first = '| a | b |\n|---|---|\n| 1 | 2 |';
    const wide = '| name | price | remark |\n|---|---|---|\n| **삼성전자** | ₩102,300 | a longer remark |';
    const [message] = await sent({ text: `${first}\n\nx\n\n${first}\n\ny\n\n${wide}` });
    expect(message?.rendered).toContain('```\na  b\n');
    expect(message?.rendered).toContain('- **삼성전자** — price: ₩102,300 · remark: a longer remark');
  });
});
