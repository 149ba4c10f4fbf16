import { createServer, type IncomingHttpHeaders } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { HTTPReceiver } from '@slack/bolt';
import { freePort } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { setUpSlack } from './slack/client.ts';
import { entriesOf } from './slack/history.ts';

const PATH = '/slack/events';

const addressOf = (port: number): string => `http://127.0.0.1:${port}${PATH}`;

it('signs requests as Bolt expects it, and sends events, commands and shortcuts in the form of each', async () => {
  const port = await freePort();
  const { fake } = await setUpSlack({ requestUrl: addressOf(port) });
  const bodies: unknown[] = [];
  const receiver = new HTTPReceiver({ signingSecret: fake.signingSecret, endpoints: PATH });
  receiver.init({
    processEvent: async ({
      body,
      ack,
    }: Parameters<Parameters<typeof receiver.init>[0]['processEvent']>[0]) => {
      bodies.push(body);
      await ack(body['command'] === undefined ? undefined : { text: 'done' });
    },
  } as Parameters<typeof receiver.init>[0]);
  await receiver.start(port);
  onTestFinished(() => receiver.stop());

  expect(await fake.verifyUrl()).toBe(true);
  fake.sayDirect(fake.alice.id, '안녕 & hello');
  const command = fake.command(fake.alice.id, fake.general.id, '/price', '삼성전자 100%');
  const shortcut = fake.shortcut(fake.alice.id, 'a-shortcut');
  expect(await command.settled).toMatchObject({ payload: { text: 'done' } });
  expect(await shortcut.settled).toMatchObject({ payload: {} });
  await fake.until(() => fake.pending.length === 0);
  expect(bodies).toHaveLength(3);
  expect(bodies).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: expect.objectContaining({ text: '안녕 & hello' }) }),
      expect.objectContaining({ command: '/price', text: '삼성전자 100%' }),
      expect.objectContaining({ type: 'shortcut', callback_id: 'a-shortcut' }),
    ]),
  );
});

it('sends a failed event again at once, after a minute and after five, says why, and gives it up then', async () => {
  const clock = new ManualClock();
  const port = await freePort();
  const { fake } = await setUpSlack({ clock, requestUrl: addressOf(port) });
  const seen: IncomingHttpHeaders[] = [];
  const bot = createServer((request, response) => {
    seen.push(request.headers);
    // The second request is not answered at all.
    if (seen.length !== 2) response.writeHead(seen.length === 3 ? 401 : 500).end();
  });
  await new Promise<void>((resolve) => void bot.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => bot.close().closeAllConnections());

  const { eventIds } = fake.sayDirect(fake.alice.id, 'hi');
  for (const [index, waitMs] of [0, 3_000 + 60_000, 300_000].entries()) {
    await fake.until(() => seen.length === index + 1);
    await clock.advance(Math.max(0, waitMs - 1));
    const looked = async (): Promise<number> => {
      await clock.advance(seen.length === index + 1 ? 1 : 0);
      return seen.length;
    };
    await expect.poll(looked).toBe(index + 2);
  }
  await fake.until(() => fake.pending.length === 0);
  expect(seen.map((headers) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']])).toEqual([
    [undefined, undefined],
    ['1', 'http_error'],
    ['2', 'http_timeout'],
    ['3', 'http_error'],
  ]);
  expect(new Set(entriesOf(fake.history, 'delivered').map(({ eventId }) => eventId))).toEqual(
    new Set(eventIds),
  );
  expect(entriesOf(fake.history, 'unacked').map(({ isFinal }) => isFinal)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

it('does not send a command again, and tells the person that it failed', async () => {
  const { fake } = await setUpSlack({ requestUrl: addressOf(await freePort()) });
  const command = fake.command(fake.alice.id, fake.general.id, '/price', 'AAPL');
  expect(await command.settled).toBeUndefined();
  expect(command.isTimedOut).toBe(true);
  expect(await fake.verifyUrl()).toBe(false);
  expect(entriesOf(fake.history, 'delivered')).toHaveLength(1);
});
