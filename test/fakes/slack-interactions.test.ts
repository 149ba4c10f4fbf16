import { expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { post, refusalOf, setUpSlack, type SlackEnvelope, startBolt, startSocket } from './slack/client.ts';
import { entriesOf } from './slack/history.ts';

const BUTTONS = [
  {
    type: 'actions' as const,
    block_id: 'choice',
    elements: [
      {
        type: 'button' as const,
        action_id: 'yes',
        value: '42',
        text: { type: 'plain_text' as const, text: 'Yes' },
      },
    ],
  },
];

const MODAL = {
  type: 'modal' as const,
  callback_id: 'key',
  title: { type: 'plain_text' as const, text: 'Key' },
  submit: { type: 'plain_text' as const, text: 'Save' },
  blocks: [
    {
      type: 'input' as const,
      block_id: 'key',
      label: { type: 'plain_text' as const, text: 'Key' },
      element: { type: 'plain_text_input' as const, action_id: 'value' },
    },
  ],
};

const respond = async (url: string, body: object) => {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return `${response.status} ${await response.text()}`;
};

it('tells a person that a command timed out when nobody acknowledges it within three seconds', async () => {
  const clock = new ManualClock();
  const { fake } = await setUpSlack({ clock });
  const seen: SlackEnvelope[] = [];
  await startSocket(fake, (envelope) => void seen.push(envelope));
  const handle = fake.command(fake.alice.id, fake.general.id, '/price', 'AAPL');
  await fake.until(() => seen.length === 1);
  await clock.advance(2_999);
  expect(handle.isTimedOut).toBe(false);
  await clock.advance(1);

  expect(await handle.settled).toBeUndefined();
  expect(handle).toMatchObject({ isTimedOut: true, acknowledgedAfterMs: undefined });
  expect(entriesOf(fake.history, 'unacked')).toMatchObject([{ what: '/price', isFinal: true }]);
  expect(fake.messagesIn(fake.general.id).at(-1)).toMatchObject({
    ephemeralFor: fake.alice.id,
    isFromBot: false,
  });
});

it('gives a command up at once when no connection is open', async () => {
  const { fake } = await setUpSlack();
  const handle = fake.command(fake.alice.id, fake.general.id, '/price');
  expect(await handle.settled).toBeUndefined();
});

it('carries the press of a button, whose message can be replaced and deleted by its response_url', async () => {
  const { fake, client } = await setUpSlack();
  await startBolt(fake, (app) => {
    app.action('yes', async ({ ack, action, body, respond }) => {
      await ack();
      const value = 'value' in action ? action.value : '';
      const where = 'container' in body ? body.container['message_ts'] : '';
      await respond({ text: `${body.user.id} ${value} ${where}`, replace_original: true });
    });
  });
  const channel = fake.general.id;
  const { ts = '' } = await post(client, { channel, text: 'Buy?', blocks: BUTTONS });
  expect(() => fake.press(fake.alice.id, { channel, ts }, 'no')).toThrow('no element no');
  const handle = fake.press(fake.alice.id, { channel, ts }, 'yes');
  await fake.until(() => handle.answers.length === 1);

  expect(handle.answers).toMatchObject([{ does: 'replace', forWhom: 'everyone' }]);
  expect(fake.botMessagesIn(channel)).toMatchObject([
    { ts, rendered: `${fake.alice.id} 42 ${ts}`, blocks: [] },
  ]);
  expect(await respond(handle.responseUrl, { delete_original: true })).toBe('200 ok');
  expect(fake.botMessagesIn(channel)).toEqual([]);
});

it('names the block of a pressed button, also of one that was given no name', async () => {
  const { fake, client } = await setUpSlack();
  const pressed: string[] = [];
  await startBolt(fake, (app) => {
    app.action('yes', async ({ ack, action }) => {
      await ack();
      pressed.push('block_id' in action ? action.block_id : '');
    });
  });
  const channel = fake.general.id;
  const nameless = BUTTONS.map(({ block_id: _name, ...rest }) => rest);
  for (const blocks of [BUTTONS, nameless]) {
    const { ts = '' } = await post(client, { channel, text: 'Buy?', blocks });
    fake.press(fake.alice.id, { channel, ts }, 'yes');
  }
  await fake.until(() => pressed.length === 2);
  const shown = (await client.conversations.history({ channel, limit: 2 })).messages ?? [];
  expect(pressed).toEqual(shown.map(({ blocks = [] }) => blocks[0]?.block_id).toReversed());
  expect(pressed).toEqual(['choice', expect.stringMatching(/./)]);
});

it('takes five answers by a response_url, for half an hour', async () => {
  const clock = new ManualClock();
  const { fake } = await setUpSlack({ clock });
  const [used, old] = [1, 2].map(() => fake.command(fake.alice.id, fake.general.id, '/price'));
  fake.fail('response_url', { kind: 'status', status: 503 });
  expect(await respond(used?.responseUrl ?? '', { text: '0' })).toBe('503 internal_error');
  for (const text of ['1', '2', '3', '4', '5']) {
    expect(await respond(used?.responseUrl ?? '', { text })).toBe('200 ok');
  }
  expect(await respond(used?.responseUrl ?? '', { text: '6' })).toBe('404 used_url');
  expect(used?.answers.map(({ forWhom, rendered }) => [forWhom, rendered]).at(-1)).toEqual([
    { user: fake.alice.id },
    '5',
  ]);
  await clock.advance(30 * 60_000 + 1);
  expect(await respond(old?.responseUrl ?? '', { text: 'x' })).toBe('404 expired_url');
});

it('opens a view with a trigger once and within three seconds', async () => {
  const clock = new ManualClock();
  const { fake, client } = await setUpSlack({ clock });
  const [first, second] = [1, 2].map(() => fake.command(fake.alice.id, fake.general.id, '/key').triggerId);
  const open = (trigger_id = '') => refusalOf(client.views.open({ trigger_id, view: MODAL }));

  expect([await open(first), await open(first)]).toEqual([undefined, 'exchanged_trigger_id']);
  await clock.advance(3_001);
  expect(await open(second)).toBe('expired_trigger_id');
  expect(await open('made up')).toBe('invalid_trigger_id');
  const { submit: _submit, ...broken } = MODAL;
  const refused = client.views.open({ trigger_id: second ?? '', view: broken });
  expect(await refusalOf(refused)).toBe('invalid_arguments');
});

it('sends a filled view, which stays open with errors, is updated or closes, as the ack says', async () => {
  const { fake } = await setUpSlack();
  await startBolt(fake, (app) => {
    app.shortcut('key', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: MODAL });
    });
    app.view('key', async ({ ack, view }) => {
      const value = view.state.values['key']?.['value']?.value;
      if (value === 'bad') await ack({ response_action: 'errors', errors: { key: 'No.' } });
      else await ack();
    });
  });
  const handle = fake.shortcut(fake.alice.id, 'key');
  await fake.until(() => fake.views.length === 1);
  const view = fake.viewOf(handle);
  if (!view) throw new Error('There is no view');

  const bad = await fake.submitView(fake.alice.id, view, { key: { value: 'bad' } }).settled;
  expect(bad?.payload).toEqual({ response_action: 'errors', errors: { key: 'No.' } });
  expect(fake.views).toHaveLength(1);
  await fake.submitView(fake.alice.id, view, { key: { value: 'sk-1' } }).settled;
  expect(fake.views).toEqual([]);
});
