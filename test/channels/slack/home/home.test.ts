import { describe, expect, it } from 'vitest';
import type { Home, HomePages, HomeReader, HomeVisits } from '#src/kernel/people/home.ts';
import { asId, type PersonRef, type UserId } from '#src/kernel/ids.ts';
import { replyTargetOf } from '#src/kernel/chat/message.ts';
import { type Clock, systemClock } from '#src/platform/concurrency/clock.ts';
import type { FakeSlack, Json } from '#test/fakes/slack/api.ts';
import { entriesOf } from '#test/fakes/slack/history.ts';
import { keptVisits } from '#test/support/home.ts';
import {
  holdNext,
  NEVER,
  outbound,
  setUpChannel,
  type SetUpOptions,
  StubHost,
  targetIn,
} from '../fixture.ts';

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
  readonly erased: ((person: PersonRef) => void)[] = [];
  override home: HomePages = {
    isFor: () => true,
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
    visits: keptVisits(),
    onErased: (listener) => void this.erased.push(listener),
  };
}

/** Five times as fast as the real one, because pages are written seconds apart. */
const QUICK: Clock = {
  ...systemClock,
  monotonicMs: () => systemClock.monotonicMs() * 5,
  after: (delayMs, callback) => systemClock.after(delayMs / 5, callback),
};

/** Processes with the same `visits` are on one database. */
const setUp = async ({ visits, ...options }: SetUpOptions & { readonly visits?: HomeVisits } = {}) => {
  const host = new HomeHost();
  if (visits) host.home = { ...host.home, visits };
  if (visits) host.others = OTHERS;
  const made = await setUpChannel({ clock: QUICK, ...options, host });
  return { ...made, host };
};

const OTHERS: NonNullable<StubHost['others']> = {
  onlySends: false,
  receiveInShards: async () => ({ stop: async () => undefined }),
  takeTurn: async () => undefined,
  asNewest: async () => undefined,
  onJoined: () => undefined,
  lostSince: async () => undefined,
};

/** Longer than a change waits for others before it is shown. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 1_000));

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
    const target = targetIn(fake.alice.id, fake.alice.id, { isDirect: true });
    const before = published(fake);
    await channel.send(outbound(target, 'a price'), NEVER);
    host.version = '2';
    host.shown = { ...HOME, footer: 'Made later' };
    for (const text of ['one', 'two', 'three']) await channel.send(outbound(target, text), NEVER);
    await fake.until(() => homeOf(fake, fake.alice.id).includes('Made later'));
    expect(published(fake)).toBe(before + 1);
    await channel.send(outbound(target, 'a price'), NEVER);
    await aWhile();
    expect(published(fake)).toBe(before + 1);
  });

  it('follows changes after a restart, but only for people who had opened it', async () => {
    const visits = keptVisits();
    const { fake, channel } = await setUp({ visits });
    await open(fake);
    await channel.close();
    const next = await setUp({ on: fake, visits });
    const bob = fake.addUser({ name: 'bob' });
    const before = published(fake);
    const answer = async ({ id }: { readonly id: string }) =>
      next.channel.send(outbound(targetIn(id, id, { isDirect: true }), 'done'), NEVER);
    // Nothing has changed.
    await answer(fake.alice);
    await aWhile();
    expect(published(fake)).toBe(before);
    next.host.version = '2';
    next.host.shown = { ...HOME, footer: 'Made later' };
    await answer(fake.alice);
    await answer(bob);
    await fake.until(() => homeOf(fake, fake.alice.id).includes('Made later'));
    await aWhile();
    expect(published(fake)).toBe(before + 1);
    expect(fake.homeOf(bob.id)).toBeUndefined();
  });

  it('is written once by the process that answers, although another one received the visit', async () => {
    const visits = keptVisits();
    const first = await setUp({ visits });
    const { fake } = first;
    const second = await setUp({ on: fake, visits });
    await open(fake);
    const before = published(fake);
    const target = targetIn(fake.alice.id, fake.alice.id, { isDirect: true });
    for (const { host } of [first, second]) {
      host.version = '2';
      host.shown = { ...HOME, footer: 'Made later' };
    }
    await second.channel.send(outbound(target, 'bought'), NEVER);
    await fake.until(() => homeOf(fake, fake.alice.id).includes('Made later'));
    await first.channel.send(outbound(target, 'a price'), NEVER);
    await aWhile();
    expect(published(fake)).toBe(before + 1);
  });

  it('is written again by the process that replaced a newer page of another one', async () => {
    const visits = keptVisits();
    const { fake, host, channel } = await setUp({ visits });
    await open(fake);
    host.version = '2';
    host.shown = { ...HOME, footer: 'Made with 2' };
    const held = holdNext(fake, 'views.publish');
    await channel.send(outbound(targetIn(fake.alice.id, fake.alice.id, { isDirect: true }), 'x'), NEVER);
    await held.reached();
    // Meanwhile another process stores and shows the next change.
    host.version = '3';
    host.shown = { ...HOME, footer: 'Made with 3' };
    held.release();
    await fake.until(() => homeOf(fake, fake.alice.id).includes('Made with 3'));
  });

  it('is written without what was deleted, and then no longer follows', async () => {
    const visits = keptVisits();
    const { fake, channel } = await setUp({ visits });
    await open(fake);
    await channel.close();
    // The deletion is answered by a process at which the person never opened the page.
    const next = await setUp({ on: fake, visits: keptVisits() });
    next.host.version = '2';
    next.host.shown = { ...HOME, sections: [], footer: 'Nothing left' };
    for (const tell of next.host.erased)
      tell({ channelId: next.channel.id, userId: asId<UserId>(fake.alice.id) });
    await fake.until(() => homeOf(fake, fake.alice.id).includes('Nothing left'));
    await aWhile();
    const before = published(fake);
    next.host.version = '3';
    await next.channel.send(outbound(targetIn(fake.alice.id, fake.alice.id, { isDirect: true }), 'x'), NEVER);
    await aWhile();
    expect(published(fake)).toBe(before);
  });

  it('shows nothing of what was deleted at once, however lately it was written', async () => {
    const long: Clock = { ...systemClock, after: (delayMs, act) => systemClock.after(delayMs * 100, act) };
    const { fake, host, channel } = await setUp({ clock: long });
    await open(fake);
    host.shown = { ...HOME, sections: [], footer: 'Nothing left' };
    for (const tell of host.erased) tell({ channelId: channel.id, userId: asId<UserId>(fake.alice.id) });
    await fake.until(() => homeOf(fake, fake.alice.id).includes('Nothing left'));
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
