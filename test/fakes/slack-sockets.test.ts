import { expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { refusalOf, setUpSlack, type SlackEnvelope, startSocket, webClientOf } from './slack/client.ts';
import { entriesOf } from './slack/history.ts';

/** For tests that wait for the client to come back: it does so after this time, and once it misses a pong. */
const QUICK_MS = 60;

it('delivers an un-acked event four times in all, each time in a new envelope, and then gives it up', async () => {
  const clock = new ManualClock();
  const { fake } = await setUpSlack({ clock });
  const seen: SlackEnvelope[] = [];
  await startSocket(fake, (envelope) => void seen.push(envelope));

  const { eventIds } = fake.say(fake.general.id, fake.alice.id, 'hi');
  for (const [index, waitMs] of [3_000, 60_000, 300_000].entries()) {
    await fake.until(() => seen.length === index + 1);
    await clock.advance(waitMs - 1);
    expect(seen).toHaveLength(index + 1);
    await clock.advance(1);
  }
  await fake.until(() => seen.length === 4);
  await clock.advance(3_000);

  expect(seen.map(({ retry_num: num, retry_reason: reason }) => [num, reason])).toEqual([
    [0, ''],
    [1, 'timeout'],
    [2, 'timeout'],
    [3, 'timeout'],
  ]);
  expect(new Set(seen.map(({ envelope_id: id }) => id)).size).toBe(4);
  expect(new Set(seen.map(({ body }) => body['event_id']))).toEqual(new Set(eventIds));
  expect(entriesOf(fake.history, 'unacked').map(({ isFinal }) => isFinal)).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(fake.pending).toEqual([]);
});

it('keeps events for the next connection, or loses them where it shall be as bad as the real one', async () => {
  const { fake } = await setUpSlack();
  const { fake: lossy } = await setUpSlack({
    whileDisconnected: 'lose',
    redeliverAfterMs: [],
    ackTimeoutMs: 1,
  });
  for (const slack of [fake, lossy]) slack.say(slack.general.id, slack.alice.id, 'anybody there?');
  await lossy.until(() => lossy.pending.length === 0);

  const kept: SlackEnvelope[] = [];
  const lost: SlackEnvelope[] = [];
  await startSocket(fake, (envelope) => void kept.push(envelope));
  await startSocket(lossy, (envelope) => void lost.push(envelope));
  await fake.until(() => kept.length === 1);

  expect(lost).toEqual([]);
  expect(entriesOf(lossy.history, 'unacked')).toMatchObject([{ isFinal: true }]);
});

it('brings an event that went into a deaf socket again once the client has noticed and reconnected', async () => {
  const { fake } = await setUpSlack({ redeliverAfterMs: Array.from({ length: 200 }, () => 20) });
  const seen = new Set<unknown>();
  const hear = ({ ack, body }: SlackEnvelope): void => {
    seen.add(body['event_id']);
    void ack();
  };
  await startSocket(fake, hear, QUICK_MS);
  fake.sockets.deafen();
  const { eventIds } = fake.say(fake.general.id, fake.alice.id, 'do you hear me?');
  expect(fake.sockets.open).toEqual([1]);

  await fake.until(() => seen.size > 0, { what: 'the event over a new connection' });
  expect([...seen]).toEqual(eventIds);
  const [first, ...others] = entriesOf(fake.history, 'delivered').map(({ connection }) => connection);
  expect(first).toBe(1);
  expect(others.at(-1)).toBeGreaterThan(1);
});

it.each(['warning', 'refresh_requested', 'link_disabled', 'cut'] as const)(
  'makes the client reconnect after %s and keeps what comes meanwhile',
  async (reason) => {
    const { fake } = await setUpSlack();
    const seen: unknown[] = [];
    const hear = ({ ack, body }: SlackEnvelope): void => {
      seen.push(body['event_id']);
      void ack();
    };
    await startSocket(fake, hear, QUICK_MS);
    if (reason === 'cut') fake.sockets.cut();
    else fake.sockets.disconnect(reason);
    await fake.until(() => entriesOf(fake.history, 'disconnected').length > 0);
    const { eventIds } = fake.say(fake.general.id, fake.alice.id, 'still there?');
    await fake.until(() => fake.pending.length === 0);

    expect(seen).toEqual(eventIds);
    expect(entriesOf(fake.history, 'connected').length).toBeGreaterThan(1);
    expect(entriesOf(fake.history, 'disconnected')[0]?.by).toBe(reason === 'cut' ? 'slack' : 'bot');
  },
);

it('gives each event to one of several connections', async () => {
  const { fake } = await setUpSlack();
  const seen: number[] = [];
  for (const number of [1, 2]) {
    await startSocket(fake, ({ ack }) => {
      seen.push(number);
      void ack();
    });
  }
  for (const text of ['a', 'b', 'c', 'd']) fake.say(fake.general.id, fake.alice.id, text);
  await fake.until(() => fake.pending.length === 0);

  expect(seen.filter((number) => number === 1)).toHaveLength(2);
});

it('checks the token of a connection and refuses it when told to', async () => {
  const { fake, client } = await setUpSlack();
  const open = (token: string) => refusalOf(webClientOf(fake, token).apps.connections.open({}));

  expect(await refusalOf(client.apps.connections.open({}))).toBe('not_allowed_token_type');
  expect(await open('xapp-other')).toBe('invalid_auth');
  expect(await open(fake.appToken)).toBeUndefined();
  fake.sockets.refuse('internal_error');
  expect(await open(fake.appToken)).toBe('internal_error');
  fake.sockets.refuse('rate_limited');
  expect(await open(fake.appToken)).toContain('rate-limit');
});

/** Blocks the event loop, as a busy machine would. */
const pauseProcess = (ms: number): void => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

it('notes acks that are late, double or of nothing', async () => {
  const clock = new ManualClock();
  const { fake } = await setUpSlack({ clock, redeliverAfterMs: [] });
  const seen: SlackEnvelope[] = [];
  const client = await startSocket(fake, (envelope) => void seen.push(envelope));
  fake.command(fake.alice.id, fake.general.id, '/price');
  await fake.until(() => seen.length === 1);
  await clock.advance(3_001);
  pauseProcess(50);
  await seen[0]?.ack();
  await seen[0]?.ack();
  await (client as unknown as { readonly send: (id: string) => Promise<void> }).send('nobody');
  await fake.until(() => entriesOf(fake.history, 'offence').length === 3);

  expect(entriesOf(fake.history, 'offence').map(({ rule }) => rule)).toEqual([
    'late-ack',
    'double-ack',
    'unknown-envelope',
  ]);
});

it('lets a test kill the connection at an ack, which then never came', async () => {
  const { fake } = await setUpSlack({ redeliverAfterMs: [20, 3_000] });
  let acks = 0;
  fake.onMoment(({ name }) => {
    if (name !== 'acked') return undefined;
    acks += 1;
    return acks === 1 ? 'drop' : undefined;
  });
  await startSocket(fake, ({ ack }) => void ack(), QUICK_MS);
  fake.say(fake.general.id, fake.alice.id, 'hi');
  await fake.until(() => fake.pending.length === 0);

  expect(entriesOf(fake.history, 'acked')).toHaveLength(1);
  expect(entriesOf(fake.history, 'delivered').map(({ retryNum }) => retryNum)).toEqual([0, 1]);
  expect(entriesOf(fake.history, 'disconnected')[0]?.by).toBe('slack');
});
