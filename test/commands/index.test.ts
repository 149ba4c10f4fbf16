import { describe, expect, it } from 'vitest';
import { createCommands } from '#commands/index.ts';
import type { Command } from '#src/core/command.ts';
import { createSymbolSearch } from '#src/finance/symbols.ts';
import { createCommandRegistry } from '#src/pipeline/command-registry.ts';
import { msgContext } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { usageSnapshot } from '#test/support/usage.ts';
import { contextReport, keyStatus, modelInfo } from './support.ts';

const NOTHING_KEPT = {
  messages: 0,
  conversations: 0,
  usageRecords: 0,
  reminders: 0,
  hasProfile: false,
};

const commands: readonly Command[] = createCommands({
  listCommands: () => commands.map(({ definition }) => definition),
  lookUpQuotes: async () => ({ content: '', facts: [], found: 0 }),
  symbols: createSymbolSearch([]),
  queue: {
    stop: async () => 'idle',
    whileStopped: (_sessionKey, work) => work(),
    status: () => ({ isRunning: false, waiting: 0 }),
  },
  conversations: {
    reset: async () => false,
    context: async () => contextReport(),
    export: async () => undefined,
  },
  approvals: {
    pending: async () => [],
    pendingFor: async () => [],
    decide: async () => ({ outcome: 'unknown' }),
    giveUp: async () => 0,
  },
  profiles: { get: async () => ({}), set: async () => undefined },
  toolPolicies: { names: () => [], explain: () => undefined },
  models: {
    current: async () => ({ model: modelInfo(), isChosen: false, fallbacks: [] }),
    list: () => [],
    switchTo: async () => ({ status: 'unknown', near: [] }),
    useDefault: async () => modelInfo(),
  },
  usage: {
    today: async () => ({ total: usageSnapshot(), byModel: [] }),
    month: async () => ({ total: usageSnapshot(), byModel: [] }),
    conversation: async () => usageSnapshot(),
    monthByProvider: async () => [],
    limits: { perUserUsd: undefined, perDayUsd: undefined },
  },
  keys: {
    list: async () => [],
    setActive: async () => 'unknown',
    remove: async () => 'unknown',
    setPreferred: async () => 'unknown',
    add: async () => keyStatus(),
  },
  modes: { of: () => ({ mode: 'collect', setFor: 'default' }), choose: async () => undefined },
  personalData: {
    retentionDays: 90,
    counts: async () => NOTHING_KEPT,
    erase: async () => NOTHING_KEPT,
  },
  pairings: { confirm: async () => undefined, pending: async () => [], revoke: async () => false },
  notifier: { notify: async () => 'stored' },
  recentRuns: { last: () => [] },
  status: {
    current: async () => ({
      version: '0.0.0',
      uptimeMs: 0,
      memoryBytes: 0,
      channels: [],
      queue: { sessions: 0, running: 0, waiting: 0 },
      lanes: [],
      breakers: [],
      inbox: { pending: 0, suspended: 0 },
      deadLetters: { count: 0, newest: [] },
    }),
  },
  settings: [],
  clock: new ManualClock(),
});

describe('createCommands', () => {
  it.each([
    { name: 'help', names: ['help', 'h', '도움말'] },
    { name: 'reset', names: ['reset', 'clear', '초기화'] },
    { name: 'price', names: ['price', '시세', 'quote'] },
    { name: 'model', names: ['model', '모델'] },
    { name: 'usage', names: ['usage', '사용량'] },
    { name: 'stop', names: ['stop', '중지', '멈춰'] },
    { name: 'keys', names: ['keys', '키'] },
    { name: 'profile', names: ['profile', '프로필'] },
    { name: 'queue', names: ['queue', '대기열'] },
    { name: 'privacy', names: ['privacy', '개인정보'] },
    { name: 'pair', names: ['pair', '페어링'] },
    { name: 'status', names: ['status', '상태'] },
    { name: 'config', names: ['config', '설정'] },
    { name: 'context', names: ['context', '컨텍스트', '문맥'] },
    { name: 'export', names: ['export', '내보내기'] },
    { name: 'approve', names: ['approve', '승인'] },
    { name: 'deny', names: ['deny', '거절'] },
    { name: 'debug', names: ['debug', '진단'] },
  ])('has /$name under the names $names', ({ name, names }) => {
    const registry = createCommandRegistry(commands);
    expect(names.map((typed) => registry.get(typed)?.definition.name)).toEqual(names.map(() => name));
  });

  it('says in both languages what each command does and how it is typed', () => {
    const incomplete = commands.filter(
      ({ definition: { name, description, usage } }) =>
        [description.ko, description.en, usage.ko, usage.en].some((text) => text.trim() === '') ||
        !usage.ko.startsWith(`/${name}`) ||
        !usage.en.startsWith(`/${name}`),
    );
    expect(incomplete).toEqual([]);
    expect(commands.length).toBe(18);
  });

  it.each(['en', 'ko'] as const)(
    'keeps each line of /help short enough to be read at once (%s)',
    (locale) => {
      const tooLong = commands.filter(({ definition }) => definition.description[locale].length > 75);
      expect(tooLong).toEqual([]);
    },
  );

  it('shows each of them in /help', async () => {
    const help = commands.find(({ definition }) => definition.name === 'help');
    const result = await help?.execute([], msgContext({ isAdmin: true }), new AbortController().signal);
    for (const { definition } of commands) expect(result?.content).toContain(`\`/${definition.name}\``);
  });

  it('shows what diagnoses and administers to administrators only', async () => {
    const help = commands.find(({ definition }) => definition.name === 'help');
    const result = await help?.execute([], msgContext(), new AbortController().signal);
    expect(result?.content).not.toMatch(/`\/(?:keys|debug)`/);
    expect(result?.content).toContain('`/approve`');
  });
});
