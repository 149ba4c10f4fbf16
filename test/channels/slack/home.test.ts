import { describe, expect, it } from 'vitest';
import type { Home, HomePages, HomeReader } from '#src/kernel/home.ts';
import { replyTargetOf } from '#src/kernel/message.ts';
import { type Clock, systemClock } from '#src/platform/clock.ts';
import type { FakeSlack, Json } from '#test/fakes/slack/api.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { NEVER, outbound, setUpChannel, type SetUpOptions, StubHost } from './fixture.ts';

const HOME: Home = {
  locale: 'en',
  sections: [
    {
      title: 'Portfolio',
      card: {
        title: 'Portfolio main',
        headline: '$1,000.00',
        fields: [{ name: 'Gain', value: '+$10.00' }],
        footer: 'Yahoo Finance, 15:30',
        tone: 'up',
      },
      text: '| Name | Value |\n|---|---:|\n| Apple <Inc> | $500 |',
      choices: [{ label: 'History', command: '/portfolio history' }],
      questions: ['trade'],
    },
    {
      title: 'Alerts',
      items: [
        {
          text: 'Apple at **$200** <@U0EVE> or above',
          choice: { label: 'Delete', command: '/portfolio x', effect: 'replaces', isDestructive: true },
        },
      ],
      questions: ['alert'],
    },
  ],
  footer: 'As of 15:31',
  isPartial: false,
};

/** The app whose pages the test decides. */
class HomeHost extends StubHost {
  shown: Home = HOME;
  version = '1';
  readonly readers: HomeReader[] = [];
  override home: HomePages = {
    compose: async (reader) => {
      this.readers.push(reader);
      return this.shown;
    },
    versionOf: async () => this.version,
    languageOf: async () => 'ko',
    question: (id) => ({
      id,
      label: `New ${id}`,
      field: 'When?',
      example: 'AAPL > 200',
      command: id === 'ask' ? '' : `/${id}`,
    }),
  };
}

/** Five times as fast as the real one, because pages are written seconds apart. */
const QUICK: Clock = {
  ...systemClock,
  monotonicMs: () => systemClock.monotonicMs() * 5,
  after: (delayMs, callback) => systemClock.after(delayMs / 5, callback),
};

const setUp = async (options: SetUpOptions = {}) => {
  const host = new HomeHost();
  const made = await setUpChannel({ clock: QUICK, ...options, host });
  return { ...made, host };
};

const published = ({ history }: FakeSlack): number =>
  entriesOf(history, 'request').filter(({ method }) => method === 'views.publish').length;

const blocksOf = (fake: FakeSlack, user: string): readonly Json[] =>
  (fake.homeOf(user)?.view['blocks'] ?? []) as readonly Json[];

const homeOf = (fake: FakeSlack, user: string): string => JSON.stringify(fake.homeOf(user)?.view ?? {});

const open = async (fake: FakeSlack, user = fake.alice.id): Promise<void> => {
  const before = published(fake);
  fake.openHome(user);
  await fake.until(() => published(fake) > before && fake.homeOf(user) !== undefined);
};

const labelled =
  (label: string) =>
  ({ text }: Json): boolean =>
    (text as Json | undefined)?.['text'] === label;

describe('the home tab of Slack', () => {
  it('is written when it is opened, for that person alone, as Slack allows', async () => {
    const { fake, host } = await setUp();
    await open(fake);
    expect(host.readers).toMatchObject([
      { senderId: fake.alice.id, guildId: fake.team.id, timeZone: 'Asia/Seoul' },
    ]);
    const shown = homeOf(fake, fake.alice.id);
    expect(shown).toContain('*Apple &lt;Inc&gt;* · $500');
    expect(shown).toContain('_Name · Value_');
    expect(shown).toContain('Yahoo Finance, 15:30');
    expect(shown).toContain('at *$200*');
    expect(shown).not.toContain('<@U0EVE>');
    const bob = fake.addUser({ name: 'bob' });
    expect(fake.homeOf(bob.id)).toBeUndefined();
    // The other tab is the direct chat.
    fake.event({ type: 'app_home_opened', user: bob.id, tab: 'messages', channel: 'D1' });
    await open(fake, fake.addUser({ name: 'carol' }).id);
    expect(fake.homeOf(bob.id)).toBeUndefined();
  });

  it('keeps the limits of a view with a hundred alerts of any length', async () => {
    const { fake, host } = await setUp();
    const item = {
      text: `${'&<>'.repeat(400)}\n**x`,
      choice: { label: 'D'.repeat(200), command: '/price', isDestructive: true },
    };
    const title = '<'.repeat(400);
    host.shown = {
      ...HOME,
      sections: [
        { title, items: Array.from({ length: 12 }, () => item), questions: ['ask'] },
        { title, text: 'long line\n'.repeat(900) },
        ...Array.from({ length: 40 }, () => ({ title: 'x', text: 'y' })),
      ],
    };
    await open(fake);
    expect(blocksOf(fake, fake.alice.id)).toHaveLength(100);
  });

  it('asks before something is deleted, and shows what came of it, also after a restart', async () => {
    const { fake, host, channel } = await setUp();
    await open(fake);
    const button = blocksOf(fake, fake.alice.id)
      .flatMap(({ accessory }) => (accessory === undefined ? [] : [accessory as Json]))
      .find(labelled('Delete'));
    expect(button).toMatchObject({ style: 'danger', confirm: { style: 'danger' } });
    await channel.close();
    const next = await setUp({ on: fake });
    fake.pressHome(fake.alice.id, labelled('Delete'));
    await fake.until(() => next.host.received.length === 1);
    const [message] = next.host.received;
    if (!message) throw new Error('nothing was received');
    expect(message).toMatchObject({ body: '/portfolio x', chatType: 'direct', chatId: fake.alice.id });
    expect(host.received).toEqual([]);
    next.host.shown = { ...HOME, sections: [] };
    const payload = { choices: [{ label: 'Undo', command: '/price AAPL' }] };
    const answer = outbound(replyTargetOf(message), 'The alert is **deleted**.', { payload });
    await next.channel.send(answer, NEVER);
    expect(homeOf(fake, fake.alice.id)).toContain('The alert is *deleted*.');
    expect(homeOf(fake, fake.alice.id)).not.toContain('Apple at');
    expect(fake.botMessagesIn(fake.directOf(fake.alice.id).id)).toEqual([]);
    // What follows from a notice is shown there too, and the next visit shows the page without it.
    fake.pressHome(fake.alice.id, labelled('Undo'));
    await fake.until(() => next.host.received.length === 2);
    expect(next.host.received[1]?.interaction).toMatchObject({ updates: true });
    fake.openHome(fake.alice.id);
    await fake.until(() => !homeOf(fake, fake.alice.id).includes('deleted'));
  });

  it('sends what does not belong on the page to the direct chat', async () => {
    const { fake, host, channel } = await setUp();
    await open(fake);
    fake.pressHome(fake.alice.id, labelled('History'));
    await fake.until(() => host.received.length === 1);
    const [message] = host.received;
    if (!message) throw new Error('nothing was received');
    expect(message.interaction).toBeUndefined();
    await channel.send(outbound(replyTargetOf(message), 'The history'), NEVER);
    const direct = fake.directOf(fake.alice.id).id;
    expect(fake.botMessagesIn(direct).map(({ rendered }) => rendered)).toEqual(['The history']);
    // Nothing stands for the press that could have a reaction or a status.
    await channel.addReaction?.(replyTargetOf(message), '👀');
    expect(entriesOf(fake.history, 'request').some(({ method }) => method === 'reactions.add')).toBe(false);
  });

  it('says that a button no longer works, and where a gate drops its sender', async () => {
    const { fake, host } = await setUp();
    host.shown = {
      ...HOME,
      sections: [{ title: 'Old', choices: [{ label: 'Gone', command: '/nothing' }] }],
    };
    await open(fake);
    fake.pressHome(fake.alice.id, labelled('Gone'));
    await fake.until(() => homeOf(fake, fake.alice.id).includes('no longer works'));
    host.shown = HOME;
    host.onReceive = () => ({ outcome: 'dropped', reason: 'test' });
    fake.openHome(fake.alice.id);
    await fake.until(() => homeOf(fake, fake.alice.id).includes('History'));
    fake.pressHome(fake.alice.id, labelled('History'));
    await fake.until(() => homeOf(fake, fake.alice.id).includes('I do not answer here'));
  });

  it('is written again when the data has changed, once for several changes, and not otherwise', async () => {
    const { fake, host, channel } = await setUp();
    await open(fake);
    const target = replyTargetOf({
      ...host.readers[0],
      channelId: channel.id,
      accountId: 'T',
      chatId: fake.alice.id,
      chatType: 'direct',
      messageId: '1.1',
      senderId: fake.alice.id,
    } as never);
    const before = published(fake);
    await channel.send(outbound(target, 'a price'), NEVER);
    host.version = '2';
    host.shown = { ...HOME, footer: 'Made later' };
    for (const text of ['one', 'two', 'three']) await channel.send(outbound(target, text), NEVER);
    await fake.until(() => homeOf(fake, fake.alice.id).includes('Made later'));
    expect(published(fake)).toBe(before + 1);
    await channel.send(outbound(target, 'a price'), NEVER);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(published(fake)).toBe(before + 1);
  });

  it('is written again where another process answers', async () => {
    const host = new HomeHost();
    host.others = {
      onlySends: false,
      receiveInParts: async () => ({ stop: async () => undefined }),
      takeTurn: async () => undefined,
      onJoined: () => undefined,
    };
    const { fake } = await setUpChannel({ host, clock: QUICK });
    await open(fake);
    fake.sayDirect(fake.alice.id, 'buy');
    await fake.until(() => host.received.length === 1);
    host.version = '2';
    host.shown = { ...HOME, footer: 'Made later' };
    await fake.until(() => homeOf(fake, fake.alice.id).includes('Made later'));
  });

  it('is written at once without prices, and again when they may be there', async () => {
    const { fake, host } = await setUp();
    host.shown = { ...HOME, isPartial: true };
    await open(fake);
    host.shown = { ...HOME, footer: 'With prices' };
    await fake.until(() => homeOf(fake, fake.alice.id).includes('With prices'));
  });

  it('opens a form for a new alert, and sends what was typed behind its command once', async () => {
    const { fake, host } = await setUp();
    await open(fake);
    const pressed = fake.pressHome(fake.alice.id, labelled('New alert'));
    await fake.until(() => fake.viewOf(pressed) !== undefined);
    const view = fake.viewOf(pressed);
    if (!view) throw new Error('no form was opened');
    const values = { question: { value: 'AAPL > 200' } };
    const sent = fake.submitView(fake.alice.id, view, values);
    await sent.settled;
    expect(host.received).toMatchObject([{ body: '/alert AAPL > 200', interaction: { updates: true } }]);
    expect(fake.views.some(({ id }) => id === view.id)).toBe(false);
    await fake.submitView(fake.alice.id, view, values).settled;
    expect(host.received).toHaveLength(1);
  });

  it('leaves the form open with the reason if the line cannot be stored', async () => {
    const { fake, host } = await setUp();
    await open(fake);
    const pressed = fake.pressHome(fake.alice.id, labelled('New alert'));
    await fake.until(() => fake.viewOf(pressed) !== undefined);
    const view = fake.viewOf(pressed);
    if (!view) throw new Error('no form was opened');
    host.onReceive = () => {
      throw new Error('disk');
    };
    const ack = await fake.submitView(fake.alice.id, view, { question: { value: 'AAPL > 200' } }).settled;
    expect(ack?.payload).toMatchObject({ response_action: 'errors' });
    expect(fake.views.some(({ id }) => id === view.id)).toBe(true);
  });

  it('goes to the direct chat if Slack refuses the page', async () => {
    const { fake, host, channel } = await setUp();
    await open(fake);
    fake.pressHome(fake.alice.id, labelled('Delete'));
    await fake.until(() => host.received.length === 1);
    const [message] = host.received;
    if (!message) throw new Error('nothing was received');
    fake.fail('views.publish', { kind: 'error', error: 'not_enabled' });
    await channel.send(outbound(replyTargetOf(message), 'Deleted.'), NEVER);
    const direct = fake.directOf(fake.alice.id).id;
    expect(fake.botMessagesIn(direct).map(({ rendered }) => rendered)).toEqual(['Deleted.']);
  });
});
