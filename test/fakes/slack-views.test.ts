import { describe, expect, it } from 'vitest';
import { everyRow } from '#test/support/every-row.ts';
import { refusalOf, setUpSlack } from './slack/client.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const home = (...blocks: readonly object[]) => ({ type: 'home', blocks });
const button = (more: object = {}) => ({ type: 'button', action_id: 'a', text: plain('ok'), ...more });
const sure = (more: object = {}) => ({
  title: plain('Sure?'),
  text: plain('It is gone then'),
  confirm: plain('Yes'),
  deny: plain('No'),
  ...more,
});

describe('a home tab that breaks a rule of Slack is refused', () => {
  everyRow([
    ['a modal', { type: 'modal', title: plain('x'), blocks: [] }, 'invalid_arguments'],
    ['a title', { ...home(), title: plain('x') }, 'invalid_arguments'],
    ['long metadata', { ...home(), private_metadata: 'x'.repeat(3_001) }, 'invalid_arguments'],
    ['Markdown', home({ type: 'markdown', text: 'x' }), 'invalid_blocks'],
    ['a table', home({ type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] }), 'invalid_blocks'],
    ['101 blocks', home(...Array.from({ length: 101 }, () => ({ type: 'divider' }))), 'invalid_blocks'],
    [
      'a long question before a press',
      home({ type: 'actions', elements: [button({ confirm: sure({ text: plain('x'.repeat(301)) }) })] }),
      'invalid_blocks',
    ],
  ])('%s', async (_name, view, error) => {
    const { fake, client } = await setUpSlack();
    const publish = () => client.apiCall('views.publish', { user_id: fake.alice.id, view });
    expect(await refusalOf(publish())).toBe(error);
    expect(fake.homeOf(fake.alice.id)).toBeUndefined();
  });

  it('and one that keeps them replaces the one before', async () => {
    const { fake, client } = await setUpSlack();
    const actions = { type: 'actions', elements: [button({ confirm: sure() })] };
    for (const view of [home(actions), home({ type: 'divider' })])
      await client.apiCall('views.publish', { user_id: fake.alice.id, view });
    expect(fake.views).toHaveLength(1);
    expect(fake.homeOf(fake.alice.id)?.view).toEqual(home({ type: 'divider' }));
    const publish = () => client.apiCall('views.publish', { user_id: 'U0NOBODY', view: home() });
    expect(await refusalOf(publish())).toBe('user_not_found');
  });
});

it('a thread of the assistant has at most four prompts, and other threads have neither prompts nor a title', async () => {
  const { fake, client } = await setUpSlack();
  const { channel, threadTs } = fake.openAssistant(fake.alice.id);
  const suggest = (count: number, thread = threadTs) =>
    client.apiCall('assistant.threads.setSuggestedPrompts', {
      channel_id: channel,
      thread_ts: thread,
      prompts: Array.from({ length: count }, () => ({ title: 'x', message: 'y' })),
    });
  await suggest(4);
  expect(fake.assistantOf(channel, threadTs).prompts).toHaveLength(4);
  expect(await refusalOf(suggest(5))).toBe('invalid_arguments');
  expect(await refusalOf(suggest(0))).toBe('invalid_arguments');
  const { ts } = fake.sayDirect(fake.alice.id, 'hello');
  expect(await refusalOf(suggest(1, ts))).toBe('invalid_thread_ts');
});
