import { describe, expect, it } from 'vitest';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import { watchlist as watch } from '#src/features/watchlist/index.ts';
import { briefings as briefing } from '#src/features/briefings/index.ts';
import { toolOf } from '#test/support/tool-of.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const setUp = () => {
  const asked: [question: string, request: object][] = [];
  const requesters: Requester[] = [];
  const question =
    (name: string) =>
    async (request: object, requester: Requester): Promise<MarketAnswer> => {
      asked.push([name, request]);
      requesters.push(requester);
      return { content: name, facts: [], found: 1 };
    };
  const watchlist = {
    show: question('show'),
    add: question('add'),
    remove: question('remove'),
    clear: question('clear'),
  };
  const briefings = {
    now: question('now'),
    set: question('set'),
    list: question('list'),
    remove: question('remove'),
  };
  const tools = {
    manage_watchlist: toolOf(watch, 'manage_watchlist', { watchlist }),
    set_briefing: toolOf(briefing, 'set_briefing', { briefings }),
  };
  const invoke = (name: keyof typeof tools, input: unknown) =>
    tools[name].invoke(input, toolContextOf(), new AbortController().signal);
  return { asked, requesters, tools, invoke };
};

describe('the tools for watchlists and briefings', () => {
  it.each([
    ['manage_watchlist', {}, ['show', {}]],
    ['manage_watchlist', { action: 'add', names: ['애플'] }, ['add', { names: ['애플'] }]],
    ['manage_watchlist', { action: 'remove', names: ['AAPL'] }, ['remove', { names: ['AAPL'] }]],
    ['set_briefing', { action: 'set', time: '8:30', days: '평일' }, ['set', { time: '8:30', days: '평일' }]],
    ['set_briefing', { action: 'set' }, ['set', { time: '' }]],
    ['set_briefing', { action: 'list' }, ['list', {}]],
    ['set_briefing', { action: 'now' }, ['now', {}]],
    ['set_briefing', { action: 'remove', id: 'h3k4m2' }, ['remove', { which: 'h3k4m2' }]],
  ] as const)('%s with %j asks %j, for the one who called', async (name, input, request) => {
    const { asked, requesters, invoke } = setUp();
    expect(await invoke(name, input)).toMatchObject({ content: request[0], isError: false });
    expect(asked).toEqual([request]);
    expect(requesters[0]).toMatchObject({ userId: 'me', channelId: 'console', isDirect: true });
  });

  it('say the same request for the same call, and another for another one', async () => {
    const { requesters, invoke } = setUp();
    for (const time of ['8:30', '8:30', '9:30']) await invoke('set_briefing', { action: 'set', time });
    const [first, again, other] = requesters.map(({ requestId }) => requestId);
    expect(first).toBe(again);
    expect(first).not.toBe(other);
  });

  it('are sensitive, cannot empty a list, and tell what they do', async () => {
    const { tools, invoke } = setUp();
    for (const tool of Object.values(tools)) {
      expect(tool.definition).toMatchObject({ group: 'finance', accessesSensitiveData: true });
      expect(tool.progress({ action: 'remove' }, 'ko')).toMatch(/[가-힣].*…$/);
    }
    expect((await invoke('manage_watchlist', { action: 'clear' })).isError).toBe(true);
  });
});
