import { describe, expect, it } from 'vitest';
import { commandDefinitions } from '#commands/index.ts';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { msgContext } from '#test/support/context.ts';
import { everyRow } from '#test/support/every-row.ts';
import { allCommands } from './all-commands.ts';

describe('createCommands', () => {
  everyRow([
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
    { name: 'config', names: ['config', '구성'] },
    { name: 'settings', names: ['settings', '설정'] },
    { name: 'context', names: ['context', '컨텍스트', '문맥'] },
    { name: 'why', names: ['why', '근거', '출처'] },
    { name: 'export', names: ['export', '내보내기'] },
    { name: 'approve', names: ['approve', '승인'] },
    { name: 'deny', names: ['deny', '거절'] },
    { name: 'portfolio', names: ['portfolio', 'pf', '포트폴리오', '잔고', 'balance'] },
    { name: 'alert', names: ['alert', '알림', 'alarm'] },
    { name: 'alerts', names: ['alerts', '알림목록'] },
    { name: 'watch', names: ['watch', '관심', '관심종목', 'watchlist'] },
    { name: 'briefing', names: ['briefing', '브리핑'] },
    { name: 'link', names: ['link', '연결'] },
    { name: 'debug', names: ['debug', '진단'] },
  ])('has /$name under the names $names', ({ name, names }) => {
    const registry = createCommandRegistry(allCommands);
    expect(names.map((typed) => registry.get(typed)?.definition.name)).toEqual(names.map(() => name));
  });

  it('has them in the order of the definitions that need no services', () => {
    expect(allCommands.map(({ definition }) => definition)).toEqual(commandDefinitions);
    expect(new Set(commandDefinitions).size).toBe(allCommands.length);
  });

  it('says in both languages what each command does and how it is typed', () => {
    const incomplete = allCommands.filter(
      ({ definition: { name, description, usage } }) =>
        [description.ko, description.en, usage.ko, usage.en].some((text) => text.trim() === '') ||
        !usage.ko.startsWith(`/${name}`) ||
        !usage.en.startsWith(`/${name}`),
    );
    expect(incomplete).toEqual([]);
  });

  it.each(['en', 'ko'] as const)(
    'keeps each line of /help short enough to be read at once (%s)',
    (locale) => {
      const tooLong = allCommands.filter(({ definition }) => definition.description[locale].length > 75);
      expect(tooLong).toEqual([]);
    },
  );

  it('shows each of them in /help', async () => {
    const help = allCommands.find(({ definition }) => definition.name === 'help');
    const result = await help?.execute(['all'], msgContext({ isAdmin: true }), new AbortController().signal);
    for (const { definition } of allCommands) expect(result?.content).toContain(`\`/${definition.name}\``);
  });

  it('shows what diagnoses and administers to administrators only', async () => {
    const help = allCommands.find(({ definition }) => definition.name === 'help');
    const result = await help?.execute(['all'], msgContext(), new AbortController().signal);
    expect(result?.content).not.toMatch(/`\/(?:keys|debug)`/);
    expect(result?.content).toContain('`/approve`');
  });
});
