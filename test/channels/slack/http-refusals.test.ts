import { once } from 'node:events';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { EVENTS_PATH } from '#channels/slack/settings.ts';
import { signedHeaders } from '#test/fakes/slack/http-requests.ts';
import { freePort } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { setUpChannel } from './fixture.ts';

const EVENT = JSON.stringify({
  type: 'event_callback',
  event: {
    type: 'message',
    channel: 'D1',
    channel_type: 'im',
    user: 'U1',
    text: 'hi',
    ts: '1763015400.000100',
  },
});
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** Whatever it says: it is read before it is checked. */
const SIGNED = 'x-slack-request-timestamp: 1\r\nx-slack-signature: v0=\r\n';

const setUp = async () => {
  const clock = new ManualClock();
  const port = await freePort();
  const { fake, host, records } = await setUpChannel({ clock, fake: { clock }, httpPort: port });
  const send = async (
    body: string,
    headers: Readonly<Record<string, string>>,
    { path = EVENTS_PATH, method = 'POST' } = {},
  ) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body }),
    });
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
  const signed = (body: string, { secret = fake.signingSecret, at = clock.now() } = {}) =>
    signedHeaders(secret, body, at);
  const warnings = () => records().filter(({ level }) => level === 'warn');
  return { clock, port, fake, host, send, signed, warnings };
};

type Kit = Awaited<ReturnType<typeof setUp>>;

const FORGERIES: readonly (readonly [
  what: string,
  headers: (kit: Kit) => Readonly<Record<string, string>>,
])[] = [
  ['without a signature', () => ({})],
  ['without a time', ({ signed }) => ({ 'x-slack-signature': signed(EVENT)['x-slack-signature'] })],
  ['signed with another secret', ({ signed }) => signed(EVENT, { secret: 'guessed' })],
  ['with the signature of another body', ({ signed }) => signed(`${EVENT} `)],
  ['with half a signature', ({ signed }) => ({ ...signed(EVENT), 'x-slack-signature': 'v0=' })],
  [
    'with a time that is no number',
    ({ signed }) => ({ ...signed(EVENT), 'x-slack-request-timestamp': 'now' }),
  ],
  [
    'with a newer time than it was signed for',
    ({ signed, clock }) => ({
      ...signed(EVENT, { at: clock.now().subtract({ minutes: 6 }) }),
      'x-slack-request-timestamp': String(clock.now().epochMilliseconds / 1_000),
    }),
  ],
  [
    'recorded six minutes ago',
    ({ signed, clock }) => signed(EVENT, { at: clock.now().subtract({ minutes: 6 }) }),
  ],
  ['from the future', ({ signed, clock }) => signed(EVENT, { at: clock.now().add({ minutes: 6 }) })],
];

const isUnsigned = (headers: Readonly<Record<string, string>>): boolean =>
  !('x-slack-signature' in headers && 'x-slack-request-timestamp' in headers);

const eventOf = (teamId: string): string =>
  JSON.stringify({ ...JSON.parse(EVENT), authorizations: [{ team_id: teamId }] });

it('an event for the app in another workspace is acknowledged, and nothing else happens', async () => {
  const { send, signed, host, fake } = await setUp();
  for (const body of [eventOf('T0THEIRS'), eventOf('T0FINCLAW1')])
    expect((await send(body, { ...JSON_TYPE, ...signed(body) })).status).toBe(200);
  await fake.until(() => host.received.length > 0);
  expect(host.received).toHaveLength(1);
});

describe('a request that Slack did not send', () => {
  it.each(FORGERIES)('is refused if it comes %s, and nothing else happens', async (_what, headers) => {
    const kit = await setUp();
    const { status, body } = await kit.send(EVENT, { ...JSON_TYPE, ...headers(kit) });
    expect([status, body]).toEqual([401, '']);
    expect(kit.host.received).toEqual([]);
    // One without a signature is from a stranger: nobody has to act.
    expect(kit.warnings()).toHaveLength(isUnsigned(headers(kit)) ? 0 : 1);
  });

  it('is logged once a minute at most, with what the operator can do', async () => {
    const { clock, send, signed, warnings } = await setUp();
    const wrong = { ...JSON_TYPE, ...signed(EVENT, { secret: 'guessed' }) };
    for (let count = 0; count < 5; count += 1) expect((await send(EVENT, wrong)).status).toBe(401);
    expect(warnings()).toMatchObject([{ reason: expect.stringContaining('check SLACK_SIGNING_SECRET') }]);
    await clock.advance(60_000);
    await send(EVENT, wrong);
    expect(warnings()).toHaveLength(2);
  });

  it('does not hide that the secret is wrong', async () => {
    const { send, signed, warnings } = await setUp();
    await send(EVENT, JSON_TYPE);
    await send(EVENT, { ...JSON_TYPE, ...signed(EVENT, { at: Temporal.Instant.fromEpochMilliseconds(0) }) });
    await send(EVENT, { ...JSON_TYPE, ...signed(EVENT, { secret: 'mistyped' }) });
    expect(warnings()).toMatchObject([
      { reason: expect.stringContaining('clock') },
      { reason: expect.stringContaining('check SLACK_SIGNING_SECRET') },
    ]);
  });

  it('but was recorded and is sent again within five minutes is acknowledged and kept once', async () => {
    const { clock, host, send, signed } = await setUp();
    const headers = { ...JSON_TYPE, ...signed(EVENT) };
    expect((await send(EVENT, headers)).status).toBe(200);
    await clock.advance(299_000);
    expect((await send(EVENT, headers)).status).toBe(200);
    expect(host.bodies).toEqual(['hi']);
    await clock.advance(2_000);
    expect((await send(EVENT, headers)).status).toBe(401);
  });
});

describe('a request about the app', () => {
  it.each([
    ['checks the certificate', 'ssl_check=1&token=x', FORM_TYPE, 0],
    ['says that events are held back', '{"type":"app_rate_limited"}', JSON_TYPE, 1],
  ])('is acknowledged if it %s', async (_what, body, type, warned) => {
    const { send, signed, host, warnings } = await setUp();
    expect((await send(body, { ...type, ...signed(body) })).status).toBe(200);
    expect([host.received, warnings().length]).toEqual([[], warned]);
  });
});

describe('a request in the wrong form', () => {
  it.each([
    ['JSON that ends too early', '{"type":', JSON_TYPE],
    ['JSON that is no object', '["event_callback"]', JSON_TYPE],
    ['a verification without a challenge', '{"type":"url_verification"}', JSON_TYPE],
    ['a form without a command', 'text=hi', FORM_TYPE],
    ['a payload that is no JSON', 'payload=%7B', FORM_TYPE],
    ['nothing', '', FORM_TYPE],
  ])('is refused, without its words: %s', async (_what, body, type) => {
    const { send, signed, host } = await setUp();
    const answer = await send(body, { ...type, ...signed(body) });
    expect([answer.status, answer.body]).toEqual([400, '']);
    expect(host.received).toEqual([]);
  });

  it('is refused by method and path', async () => {
    const { send, signed } = await setUp();
    const headers = { ...JSON_TYPE, ...signed(EVENT) };
    const get = await send('', {}, { method: 'GET' });
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await send(EVENT, headers, { method: 'PUT' })).status).toBe(405);
    expect((await send(EVENT, headers, { path: '/' })).status).toBe(404);
    expect((await send(EVENT, headers, { path: `${EVENTS_PATH}/more` })).status).toBe(404);
  });

  it('keeps no connection for what it refuses', async () => {
    const { send, signed } = await setUp();
    const refused = [
      await send('', {}, { method: 'GET', path: '/' }),
      await send('', {}, { method: 'GET' }),
      await send(EVENT, JSON_TYPE),
    ];
    expect(refused.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([
      [404, 'close'],
      [405, 'close'],
      [401, 'close'],
    ]);
    const taken = await send(EVENT, { ...JSON_TYPE, ...signed(EVENT) });
    expect([taken.status, taken.headers.get('connection')]).toEqual([200, 'keep-alive']);
  });

  it('is refused if it is larger than a megabyte, whether it says so or not', async () => {
    const { port, send, signed, fake, host } = await setUp();
    const large = JSON.stringify({ type: 'event_callback', padding: 'x'.repeat(1_000_000) });
    expect((await send(large, { ...JSON_TYPE, ...signed(large) })).status).toBe(413);
    const stream = new Blob([large]).stream();
    const headers = { ...JSON_TYPE, ...signed(large) };
    const address = `http://127.0.0.1:${port}${EVENTS_PATH}`;
    await expect(fetch(address, { method: 'POST', headers, body: stream, duplex: 'half' })).rejects.toThrow();
    expect(host.received).toEqual([]);
    expect(await fake.verifyUrl()).toBe(true);
  });

  it('is ended if it does not arrive within seconds', async () => {
    const { port, fake } = await setUp();
    const socket = createConnection({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    socket.write(`POST ${EVENTS_PATH} HTTP/1.1\r\nhost: bot\r\ncontent-length: 100\r\n${SIGNED}\r\n{"type":`);
    expect(await text(socket)).toContain('408 Request Timeout');
    expect(await fake.verifyUrl()).toBe(true);
  });
});
