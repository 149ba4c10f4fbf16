import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import { editDistance } from '#src/platform/text/edit-distance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { settingsTexts } from '#commands/admin/texts.ts';
import type { EffectiveSetting } from '#src/kernel/operations/status.ts';
import { shortened } from '#src/kernel/text.ts';
import { adminCommand, ephemeral } from '../shared/results.ts';

const ALL: ReadonlySet<string> = new Set(['all', '--all', '전체', '--전체']);
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;
/** Matches possible names of settings, which are quoted with their underscores. */
const SETTING_NAME = /^[\w.:-]{1,64}$/;
const MAX_NEAR = 3;

/** Backticks are replaced, because one would end the code span. */
const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

/** The part of `gates.allow.users` is `gates`. */
const partOf = (path: string): string => path.split('.', 1).join();

const describe = (settings: readonly EffectiveSetting[], locale: Locale): readonly string[] => {
  const t = settingsTexts(locale);
  const parts = Map.groupBy(settings, ({ path }) => {
    if (VARIABLE.test(path)) return t.variables();
    return path.includes('.') ? partOf(path) : t.general();
  });
  return [...parts].map(([title, members]) => {
    const lines = members.map(
      ({ path, value, source }) => `- ${code(path)} — ${code(value)} · ${t.sources[source]}`,
    );
    return [`**${title}**`, ...lines].join('\n');
  });
};

const lower = ({ path }: EffectiveSetting): string => path.toLowerCase();

/** Whole names take precedence over prefixes: `agent` does not match `agents`. */
const under = (settings: readonly EffectiveSetting[], typed: string): readonly EffectiveSetting[] => {
  const prefix = typed.toLowerCase();
  const whole = settings.filter(
    (setting) => lower(setting) === prefix || lower(setting).startsWith(`${prefix}.`),
  );
  return whole.length > 0 ? whole : settings.filter((setting) => lower(setting).startsWith(prefix));
};

/** Names and parts that contain the typed text, or that differ by a typing mistake. */
const nearest = (settings: readonly EffectiveSetting[], typed: string): readonly string[] => {
  const wanted = typed.toLowerCase();
  const limit = Math.min(Math.max(1, Math.floor(wanted.length / 3)), 4);
  const names = settings.flatMap(({ path }) => {
    const steps = path.split('.');
    return steps.map((_, index) => steps.slice(0, index + 1).join('.'));
  });
  return [...new Set(names)]
    .map((name) => {
      const known = name.toLowerCase();
      const isInside = wanted.length > 2 && known.split('.').some((step) => step.startsWith(wanted));
      return { name, distance: isInside ? 0 : editDistance(wanted, known, limit) };
    })
    .filter(({ distance }) => distance <= limit)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name);
};

const answer = (
  settings: readonly EffectiveSetting[],
  typed: string,
  isAll: boolean,
  locale: Locale,
): string => {
  const t = settingsTexts(locale);
  const view = (title: string, shown: readonly EffectiveSetting[]): string =>
    [title, ...describe(shown, locale), t.hint()].join('\n\n');
  if (typed !== '') {
    const found = under(settings, typed);
    if (found.length > 0) return view(t.titleUnder({ prefix: typed }), found);
    const choices = nearest(settings, typed);
    if (choices.length > 0) return t.suggest({ prefix: typed, choices: choices.map(code).join(', ') });
    const parts = [...new Set(settings.map(({ path }) => partOf(path)))].filter(
      (part) => !VARIABLE.test(part),
    );
    return t.unknown({ prefix: typed, parts: parts.map(code).join(', ') });
  }
  if (isAll) return view(t.titleAll(), settings);
  const set = settings.filter(({ source }) => source !== 'default');
  return set.length > 0 ? view(t.title(), set) : t.onlyDefaults();
};

export const configDefinition: CommandDefinition = {
  name: 'config',
  aliases: ['구성'],
  description: {
    ko: '적용 중인 설정과 그 출처를 보여 줍니다',
    en: 'settings and where they come from',
  },
  usage: { ko: '/config [all | 설정 이름의 앞부분]', en: '/config [all | beginning of a name]' },
  category: 'admin',
  requiredRoles: ['admin'],
  options: [
    {
      name: 'name',
      nameKo: '이름',
      description: { ko: '설정 이름의 앞부분', en: 'beginning of the name of a setting' },
      type: 'text',
    },
    {
      name: 'all',
      nameKo: '전체',
      description: { ko: '기본값까지 모두 보여 줍니다', en: 'shows all settings, defaults too' },
      type: 'flag',
    },
  ],
  isPrivate: true,
};

/** `settings`: with masked secrets. */
export const config = ({ settings }: { readonly settings: readonly EffectiveSetting[] }): Command =>
  adminCommand(configDefinition, async (args, { locale }, _signal, flags) => {
    const flag = flags?.get('all') ?? flags?.get('전체');
    // `--all=gates` is the same as `all gates`.
    const tokens = typeof flag === 'string' ? [...args, flag] : args;
    const rest = tokens.filter((token) => !ALL.has(token.toLowerCase())).join(' ');
    const name = rest.replaceAll('`', '').trim();
    const typed = SETTING_NAME.test(name) ? name : shortened(name);
    const isAll = flag !== undefined || tokens.some((token) => ALL.has(token.toLowerCase()));
    return ephemeral(answer(settings, typed, isAll, locale));
  });
