import { describe, expect, it } from 'vitest';
import { briefings as briefing } from '#src/features/briefings/index.ts';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { watchlist as watch } from '#src/features/watchlist/index.ts';
import { everyRow } from '#test/support/every-row.ts';
import { symbols } from '#test/support/sample-market.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { msgContext } from '#test/support/context.ts';

/** What the desks are asked by a line that somebody types, and whether all may see the answer. */
const typed = async (line: string, chatType: 'direct' | 'channel' = 'direct') => {
  const asked: unknown[] = [];
  const question =
    (name: string) =>
    async (request: object, requester: { readonly userId: string }): Promise<MarketAnswer> => {
      asked.push([name, request, requester.userId]);
      return { content: name, facts: [], found: 1 };
    };
  const watchlist = {
    show: question('show'),
    add: question('add'),
    remove: question('remove'),
    clear: question('clear'),
  };
  const briefings = {
    set: question('set'),
    list: question('list'),
    remove: question('remove'),
    now: question('now'),
  };
  const registry = createCommandRegistry([
    watch.command.create({ watchlist, symbols }),
    briefing.command.create({ briefings, symbols }),
  ]);
  const found = registry.commandIn(line);
  if (!found) throw new Error(`${line} is no command`);
  const { ephemeral } = await registry.execute(
    found.parsed,
    msgContext({ chatType }),
    new AbortController().signal,
  );
  return { asked: asked[0], ephemeral };
};

const of = (name: string, request: object): unknown => [name, request, 'mina'];

describe('/watch', () => {
  everyRow([
    ['/watch', of('show', {})],
    ['/관심종목', of('show', {})],
    ['/watch list', of('show', {})],
    ['/watch add 삼성전자 AAPL BTC', of('add', { names: ['삼성전자', 'AAPL', 'BTC'] })],
    ['/watch SK hynix, TSLA', of('add', { names: ['SK hynix', 'TSLA'] })],
    ['/watch remove AAPL', of('remove', { names: ['AAPL'] })],
    ['/관심 삭제 애플', of('remove', { names: ['애플'] })],
    ['/watch 카카오 삭제', of('remove', { names: ['카카오'] })],
    ['/watch 카카오를 빼 줘', of('remove', { names: ['카카오'] })],
    ['/watch 카카오, 애플 빼줘', of('remove', { names: ['카카오', '애플'] })],
    ['/watch AAPL remove', of('remove', { names: ['AAPL'] })],
    ['/watch AAPL RM', of('add', { names: ['AAPL', 'RM'] })],
    ['/watch 애플 추가해줘', of('add', { names: ['애플'] })],
    ['/watch 모두 삭제', of('clear', { isSure: false })],
    ['/watch clear', of('clear', { isSure: false })],
    ['/watch clear --yes', of('clear', { isSure: true })],
    ['/watch clear -- --yes', of('clear', { isSure: false })],
    ['/watch AAPL --yes', of('add', { names: ['AAPL'] })],
  ])('%s', async (line, request) => {
    expect((await typed(line)).asked).toEqual(request);
  });
});

describe('/briefing', () => {
  const set = (
    time: string,
    days?: string,
    names: readonly string[] = [],
    place?: 'here' | 'direct',
  ): unknown => of('set', { time, days, names, place });

  everyRow([
    ['/briefing', of('list', {})],
    ['/briefing list', of('list', {})],
    ['/briefing now', of('now', { names: [] })],
    ['/브리핑 지금 애플', of('now', { names: ['애플'] })],
    ['/briefing delete h3k4m2', of('remove', { which: 'h3k4m2', isSure: false })],
    ['/briefing h3k4m2 삭제해줘', of('remove', { which: 'h3k4m2', isSure: false })],
    ['/briefing delete all --yes', of('remove', { which: 'all', isSure: true })],
    ['/briefing delete', of('remove', { which: '', isSure: false })],
    ['/briefing 08:30 weekdays here', set('08:30', 'weekdays', [], 'here')],
    ['/briefing 8:30 평일', set('8:30', '평일')],
    ['/briefing 아침 8시 반 매일', set('아침 8시 반', '매일')],
    ['/briefing 매주 월요일 오후 3시에 여기에', set('오후 3시에', '매주 월요일', [], 'here')],
    ['/briefing 22:00 mon,wed,fri AAPL NVDA', set('22:00', 'mon,wed,fri', ['AAPL', 'NVDA'])],
    ['/briefing 22:00 mon, wed, fri, AAPL', set('22:00', 'mon, wed, fri', ['AAPL'])],
    ['/briefing 8pm 월~금 삼성전자', set('8pm', '월~금', ['삼성전자'])],
    ['/briefing set 7:00 daily --dm', set('7:00', 'daily', [], 'direct')],
    ['/briefing 7:00 dm', set('7:00', undefined, [], 'direct')],
    ['/briefing 005930 9:00', set('9:00', undefined, ['005930'])],
    ['/briefing every day at 6', set('at 6', 'every day')],
    ['/briefing 0830 매일', set('0830', '매일')],
    ['/briefing 0700 8.30', set('8.30', undefined, ['0700'])],
    ['/briefing 내일 8시', set('8시', '내일')],
    ['/briefing 8 weekdays', set('8', 'weekdays', ['8'])],
    ['/briefing AAPL', set('', undefined, ['AAPL'])],
  ])('%s', async (line, request) => {
    expect((await typed(line)).asked).toEqual(request);
  });

  it('answers, as /watch does, to the one who asks alone', async () => {
    for (const line of ['/watch', '/watch AAPL', '/briefing', '/briefing now', '/briefing 8:30'])
      expect((await typed(line, 'channel')).ephemeral).toBe(true);
  });
});
