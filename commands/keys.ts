import type { Command, CommandDefinition, CommandResult } from '#src/core/command.ts';
import { type Locale, texts } from '#src/core/i18n.ts';
import { KEYED_PROVIDERS, PROVIDER_NAMES } from '#src/core/model.ts';
import type { Keys, KeyStatus } from '#src/core/ports.ts';

export interface KeysDeps {
  readonly keys: Keys;
}

type Change = 'disable' | 'enable' | 'remove' | 'prefer';
type Action = 'list' | 'add' | Change;

const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['list', 'list'],
  ['목록', 'list'],
  ['add', 'add'],
  ['추가', 'add'],
  ['disable', 'disable'],
  ['끄기', 'disable'],
  ['enable', 'enable'],
  ['켜기', 'enable'],
  ['remove', 'remove'],
  ['삭제', 'remove'],
  ['prefer', 'prefer'],
  ['우선', 'prefer'],
]);

const MAX_NAME_LENGTH = 40;

/** A whole id is that key, also where another one begins with it. */
const withId = (typed: string, all: readonly KeyStatus[]): readonly KeyStatus[] => {
  const exact = all.filter(({ id }) => id === typed);
  return exact.length > 0 ? exact : all.filter(({ id }) => id.toLowerCase().startsWith(typed.toLowerCase()));
};

const formatLeft = (ms: number, locale: Locale): string => {
  const left = Temporal.Duration.from({ seconds: Math.ceil(ms / 1_000) });
  const smallestUnit = left.total('hours') >= 1 ? 'minutes' : 'seconds';
  return left
    .round({ largestUnit: 'hours', smallestUnit, roundingMode: 'ceil' })
    .toLocaleString(locale, { style: 'short' });
};

const describeKey = (key: KeyStatus, locale: Locale): string => {
  const words = texts(locale).keys;
  const facts = [
    words.sources[key.source],
    ...(key.source === 'profile' ? [key.isSaved ? words.saved() : words.unsaved()] : []),
    ...(key.isPreferred ? [words.first()] : []),
    key.isActive ? words.health[key.health] : words.off(),
    ...(key.cooldownMs > 0 ? [words.cooldown({ left: formatLeft(key.cooldownMs, locale) })] : []),
  ];
  // A key that lies in a vault is not known until it is used: then there is nothing to mask.
  const names = [key.id, key.name.replaceAll('`', '').slice(0, MAX_NAME_LENGTH), key.masked]
    .filter((name) => name !== '')
    .map((name) => `\`${name}\``);
  return `- ${[...names, ...facts].join(' · ')}`;
};

const describeAll = (all: readonly KeyStatus[], locale: Locale): string => {
  const words = texts(locale).keys;
  if (all.length === 0) return words.none();
  const groups = KEYED_PROVIDERS.flatMap((provider) => {
    const lines = all.filter((key) => key.provider === provider).map((key) => describeKey(key, locale));
    return lines.length > 0 ? [`${PROVIDER_NAMES[provider]}\n${lines.join('\n')}`] : [];
  });
  return [words.title(), ...groups, words.hint()].join('\n\n');
};

/** What was typed is never repeated here: it may have been a key. */
const change = async (keys: Keys, action: Change, typed: string, locale: Locale): Promise<string> => {
  const words = texts(locale).keys;
  const all = await keys.list();
  const [found, ...others] = withId(typed, all);
  if (!found) return words.unknown();
  if (others.length > 0) {
    const ids = [found, ...others].map((key) => `\`${key.id}\``).join(', ');
    return words.ambiguous({ ids });
  }
  const outcome = await {
    disable: () => keys.setActive(found.id, false),
    enable: () => keys.setActive(found.id, true),
    remove: () => keys.remove(found.id),
    // A second time takes it back.
    prefer: () => keys.setPreferred(found.id, !found.isPreferred),
  }[action]();
  if (outcome === 'unknown') return words.unknown();
  if (outcome === 'fixed') return words.fixed({ id: found.id, source: words.sources[found.source] });
  const preferred = found.isPreferred ? words.unpreferred : words.preferred;
  return { disable: words.disabled, enable: words.enabled, remove: words.removed, prefer: preferred }[action](
    found,
  );
};

const definition: CommandDefinition = {
  name: 'keys',
  aliases: ['키'],
  description: {
    ko: '모델 API 키의 상태를 보고 켜거나 끕니다',
    en: 'shows the keys of the model providers, and switches them on and off',
  },
  usage: {
    ko: '/keys [disable | enable | prefer | remove <ID>]',
    en: '/keys [disable | enable | prefer | remove <id>]',
  },
  category: 'admin',
  requiredRoles: ['admin'],
};

const personal = (content: string): CommandResult => ({ content, ephemeral: true });

export const keys = ({ keys }: KeysDeps): Command => ({
  definition,
  execute: async ([first = 'list', ...rest], { locale, isAdmin }) => {
    const words = texts(locale);
    // A role of the platform that happens to be called "admin" opens the command, but not the keys.
    if (!isAdmin) return personal(words.missingRole({ name: definition.name }));
    const action = ACTIONS.get(first.toLowerCase());
    const id = rest.join(' ').trim();
    switch (action) {
      case 'list':
        return personal(describeAll(await keys.list(), locale));
      case 'add':
        return personal([words.keys.add(), ...(id === '' ? [] : [words.keys.leaked()])].join('\n'));
      case 'disable':
      case 'enable':
      case 'remove':
      case 'prefer':
        if (id !== '') return personal(await change(keys, action, id, locale));
        break;
      case undefined:
    }
    return personal(words.helpUsage({ usage: definition.usage[locale] }));
  },
});
