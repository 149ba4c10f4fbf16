import { describe, expect } from 'vitest';
import { callProgress } from '#src/agent/tools/call-progress.ts';
import { createGeneralTools } from '#src/agent/tools/general/index.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { quotes } from '#src/features/quotes/index.ts';
import { toolOf } from '#test/support/tool-of.ts';
import { testTool } from '#test/agent/support.ts';
import { recordingEvents } from '#test/support/context.ts';
import { everyRow } from '#test/support/every-row.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { registryOf } from '#test/support/registry.ts';

const unused = () => expect.unreachable();
const clock = new ManualClock();
const general = createGeneralTools({
  clock,
  version: '1.0.0',
  timeZone: 'Asia/Seoul',
  database: 'SQLite',
  load: unused,
  models: { current: unused },
  usage: { today: unused, month: unused, limits: { perUserUsd: undefined, perDayUsd: undefined } },
  alerts: unused,
  conversation: unused,
  reminders: unused,
  notifier: { notify: unused },
  directTarget: unused,
});
const { progress: _left, ...byHand } = testTool('by_hand');
const failing = {
  ...testTool('failing'),
  progress: () => {
    throw new Error('broken');
  },
};
const registry = registryOf({ clock, events: recordingEvents().events }, [
  ...general,
  toolOf(quotes, 'get_quote', { markets: { quotes: unused, fundamentals: unused } }),
  failing,
  // As a plugin in plain JavaScript may bring it.
  byHand as typeof failing,
]);

const saidOf = (name: string, input: unknown, locale: Locale): string =>
  callProgress(registry)({ id: 'c', name, input }, locale);

describe('what a call does, in plain words', () => {
  everyRow([
    ['get_quote', { symbols: ['삼성전자'] }, '삼성전자 시세 조회 중…', 'Looking up 삼성전자…'],
    [
      'get_quote',
      { symbols: ['A', 'B', 'C', 'D'] },
      'A, B 외 2개 시세 조회 중…',
      'Looking up A, B and 2 more…',
    ],
    ['get_quote', { symbols: ['**'] }, '시세 조회 중…', 'Looking up quotes…'],
    [
      'fetch_url',
      { url: 'https://me:geheim@news.example.com/a?key=1' },
      'news.example.com 페이지 읽는 중…',
      'Reading news.example.com…',
    ],
    ['fetch_url', { url: 'nonsense' }, '웹 페이지 읽는 중…', 'Reading a web page…'],
    ['get_datetime', {}, '시각 확인 중…', 'Checking the time…'],
    ['get_system_info', {}, '봇 상태 확인 중…', 'Checking the state of the bot…'],
    ['query_my_data', { what: 'usage' }, '저장된 내 데이터 조회 중…', 'Looking up your data…'],
    ['notify', { text: 'secret', inMinutes: 5 }, '알림 예약 중…', 'Setting a reminder…'],
    ['notify', { text: 'secret' }, '다이렉트 메시지 보내는 중…', 'Sending you a private message…'],
    ['call_tool', { name: 'get_datetime', input: {} }, '시각 확인 중…', 'Checking the time…'],
    ['find_tools', {}, '알맞은 도구 찾는 중…', 'Looking for the right tool…'],
    ['get_quote', { symbols: 1 }, 'get_quote 사용 중…', 'Using get_quote…'],
    ['by_hand', {}, 'by_hand 사용 중…', 'Using by_hand…'],
    ['failing', {}, 'failing 사용 중…', 'Using failing…'],
    ['no_such_tool', {}, 'no_such_tool 사용 중…', 'Using no_such_tool…'],
  ])('%s %j', (name, input, korean, english) => {
    expect([saidOf(name, input, 'ko'), saidOf(name, input, 'en')]).toEqual([korean, english]);
  });
});
