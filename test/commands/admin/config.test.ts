import { describe, expect, it } from 'vitest';
import { config } from '#commands/admin/config.ts';
import { settingsTexts } from '#commands/admin/texts.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { EffectiveSetting } from '#src/kernel/operations/status.ts';
import { msgContext } from '#test/support/context.ts';
import { everyRow } from '#test/support/every-row.ts';
import { runCommand } from '../support.ts';

const SETTINGS: readonly EffectiveSetting[] = [
  { path: 'timeZone', value: 'Asia/Seoul', source: 'file' },
  { path: 'gates.allow.users', value: '—', source: 'default' },
  { path: 'gates.rateLimitPerMinute', value: '5', source: 'environment' },
  { path: 'pipeline.timeoutSeconds', value: '300', source: 'default' },
  { path: 'pipeline.commandPrefix', value: '!', source: 'file' },
  { path: 'agent.maxTurns', value: '10', source: 'default' },
  { path: 'agents.research.model', value: 'opus', source: 'file' },
  { path: 'retentionDays', value: '90', source: 'default' },
  { path: 'FINCLAW_HTTP_PORT', value: '8080', source: 'environment' },
  { path: 'FINCLAW_LOCALE', value: 'auto', source: 'default' },
];

const ask = async (
  args: readonly string[] = [],
  ctx: Partial<TurnContext> = {},
  settings: readonly EffectiveSetting[] = SETTINGS,
): Promise<string> => {
  const { content, ephemeral } = await runCommand(config({ settings }), args, { isAdmin: true, ...ctx });
  expect(ephemeral).toBe(true);
  return content;
};

/** The names in the list, in order. */
const namesIn = (content: string): readonly string[] =>
  [...content.matchAll(/^- `([^`]+)`/gm)].map(([, name = '']) => name);

const UNDER_GATES = ['gates.allow.users', 'gates.rateLimitPerMinute'];

describe('/config', () => {
  it('shows what is set, in parts, with where it comes from (en)', async () => {
    expect(await ask()).toBe(`**What the file and the environment set**

**General**
- \`timeZone\` — \`Asia/Seoul\` · file

**gates**
- \`gates.rateLimitPerMinute\` — \`5\` · environment

**pipeline**
- \`pipeline.commandPrefix\` — \`!\` · file

**agents**
- \`agents.research.model\` — \`opus\` · file

**Environment variables**
- \`FINCLAW_HTTP_PORT\` — \`8080\` · environment

${settingsTexts('en').hint()}`);
  });

  it('shows it in Korean', async () => {
    const content = await ask([], { locale: 'ko' });
    expect(content).toContain(
      '**설정 파일과 환경 변수로 지정한 설정**\n\n**일반**\n- `timeZone` — `Asia/Seoul` · 설정 파일',
    );
    expect(content).toContain('**환경 변수**\n- `FINCLAW_HTTP_PORT` — `8080` · 환경 변수');
    expect(content.endsWith(settingsTexts('ko').hint())).toBe(true);
  });

  it.each(['en', 'ko'] as const)('says so where everything is as it was made (%s)', async (locale) => {
    const defaults = SETTINGS.map((setting) => ({ ...setting, source: 'default' as const }));
    expect(await ask([], { locale }, defaults)).toBe(settingsTexts(locale).onlyDefaults());
  });

  it.each(['all', '--all', 'ALL', '전체'])('shows everything for %s', async (word) => {
    const content = await ask([word]);
    expect(namesIn(content).toSorted()).toEqual(SETTINGS.map(({ path }) => path).toSorted());
    expect(content).toMatch(/^\*\*All settings\*\*\n\n\*\*General\*\*\n- `timeZone`.*\n- `retentionDays`/);
    expect(content).toContain('- `pipeline.timeoutSeconds` — `300` · default');
    expect(await ask([word], { locale: 'ko' })).toContain('- `pipeline.timeoutSeconds` — `300` · 기본값');
  });

  it.each([
    [new Map<string, string | true>([['all', true]]), SETTINGS.length],
    [new Map<string, string | true>([['all', 'gates']]), UNDER_GATES.length],
    [new Map<string, string | true>(), 5],
  ])('takes the word as a flag that was parsed already: %j', async (flags, count) => {
    const { execute } = config({ settings: SETTINGS });
    const { content } = await execute([], msgContext({ isAdmin: true }), new AbortController().signal, flags);
    expect(namesIn(content)).toHaveLength(count);
  });

  everyRow([
    [['gates'], UNDER_GATES],
    [['GATES'], UNDER_GATES],
    [['`gates`'], UNDER_GATES],
    [['all', 'gates'], UNDER_GATES],
    [['gat'], UNDER_GATES],
    [['gates.'], UNDER_GATES],
    [['gates.allow'], ['gates.allow.users']],
    [['gates.allow.users'], ['gates.allow.users']],
    [['agent'], ['agent.maxTurns']],
    [['agents'], ['agents.research.model']],
    [['timezone'], ['timeZone']],
    [['finclaw_http'], ['FINCLAW_HTTP_PORT']],
    [['finclaw'], ['FINCLAW_HTTP_PORT', 'FINCLAW_LOCALE']],
  ])('shows for %j what begins so, with its defaults', async (args, names) => {
    expect(namesIn(await ask(args))).toEqual(names);
  });

  it.each(['en', 'ko'] as const)('says above a part which one it is (%s)', async (locale) => {
    const [title] = (await ask(['gates'], { locale })).split('\n');
    expect(title).toBe(settingsTexts(locale).titleUnder({ prefix: 'gates' }));
  });

  it.each([
    ['gaets', '`gates`'],
    ['piplines', '`pipeline`'],
    ['gates.alow', '`gates.allow`'],
    ['pipeline.timeoutSecond5', '`pipeline.timeoutSeconds`'],
    ['timeoutSeconds', '`pipeline.timeoutSeconds`'],
    ['research', '`agents.research`, `agents.research.model`'],
    ['FINCLAW-LOCAL', '`FINCLAW_LOCALE`'],
  ])('suggests for %s what is near: %s', async (prefix, choices) => {
    for (const locale of ['en', 'ko'] as const) {
      expect(await ask([prefix], { locale })).toBe(settingsTexts(locale).suggest({ prefix, choices }));
    }
  });

  it.each([
    ['colour', 'colour'],
    ['**x** ||y|| z', 'x y z'],
    ['😀'.repeat(10_000), '😀'.repeat(32)],
    ['x'.repeat(50_000), 'x'.repeat(32)],
  ])('names the parts for what is like none of them: %.20j', async (typed, prefix) => {
    const parts = '`timeZone`, `gates`, `pipeline`, `agent`, `agents`, `retentionDays`';
    for (const locale of ['en', 'ko'] as const) {
      expect(await ask([typed], { locale })).toBe(settingsTexts(locale).unknown({ prefix, parts }));
    }
  });

  it('takes what is nothing but markup for nothing', async () => {
    expect(await ask(['**', '``'])).toBe(await ask());
  });

  it('lets no value or name out of its code span', async () => {
    const settings = [{ path: 'models.aliases.a`b', value: '`**x** [y](z)', source: 'file' }] as const;
    expect(await ask([], {}, settings)).toContain("- `models.aliases.a'b` — `'**x** [y](z)` · file");
  });

  it.each(['en', 'ko'] as const)(
    'is for administrators, not for those with a role of that name (%s)',
    async (locale) => {
      const nobody = { isAdmin: false, userRoles: ['admin'], locale };
      for (const args of [[], ['all'], ['gates']])
        expect(await ask(args, nobody)).toBe(commandTexts(locale).missingRole({ name: 'config' }));
    },
  );
});
