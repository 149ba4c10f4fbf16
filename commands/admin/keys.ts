import type { Command, CommandForm, CommandResult } from '#src/kernel/command.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { keyMessages } from '#commands/admin/messages/keys.ts';
import { channelMessages } from '#src/kernel/messages/channels.ts';
import { keyEntryMessages } from '#src/kernel/messages/key-entry.ts';
import { KEYED_PROVIDERS, type KeyedProvider, PROVIDER_NAMES } from '#src/kernel/model.ts';
import type { Keys, KeyStatus } from '#src/kernel/ports.ts';
import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { commandMessages } from '#src/kernel/messages/commands.ts';
import { helpMessages } from '#commands/chat/messages/help.ts';

const ADD: ReadonlySet<string> = new Set(['add', '추가']);
const MAX_KEY_CHARS = 500;
const MAX_NAME_CHARS = 40;

const providerOf = (typed: string): KeyedProvider | undefined =>
  KEYED_PROVIDERS.find((id) => id === typed.toLowerCase());

/** `/keys add anthropic`: the key is filled in where it cannot become a message. */
const keyForm = (keys: Pick<Keys, 'add'>): CommandForm => ({
  open: ([action = '', typed = ''], locale) => {
    const provider = providerOf(typed);
    if (!ADD.has(action.toLowerCase()) || !provider) return undefined;
    const t = keyMessages(locale).form;
    return {
      id: provider,
      title: t.title({ provider: PROVIDER_NAMES[provider] }),
      submitLabel: t.submit(),
      fields: [
        { id: 'key', label: t.key(), isRequired: true, maxLength: MAX_KEY_CHARS },
        { id: 'name', label: t.name(), isRequired: false, maxLength: MAX_NAME_CHARS },
      ],
    };
  },

  submit: async (formId, { key = '', name = '' }, locale) => {
    const provider = providerOf(formId);
    if (!provider) return channelMessages(locale).formGone();
    try {
      const { masked, name: shown, isSaved } = await keys.add(provider, key.trim(), name.trim() || undefined);
      return keyEntryMessages(locale).added({ provider, name: shown, masked, isSaved });
    } catch (error) {
      if (error instanceof FinClawError && error.code === 'KEY_INVALID')
        return keyEntryMessages(locale).invalid({ provider });
      throw error;
    }
  },
});

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

/** Nothing, or a provider: it cannot have been a key. */
const isProvider = (typed: string): boolean => ['', ...KEYED_PROVIDERS].includes(typed.toLowerCase());

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
  const t = keyMessages(locale);
  const facts = [
    t.sources[key.source],
    ...(key.source === 'profile' ? [key.isSaved ? t.saved() : t.unsaved()] : []),
    ...(key.isPreferred ? [t.first()] : []),
    key.isActive ? t.health[key.health] : t.off(),
    ...(key.cooldownMs > 0 ? [t.cooldown({ left: formatLeft(key.cooldownMs, locale) })] : []),
  ];
  // A key that lies in a vault is not known until it is used: then there is nothing to mask.
  const names = [key.id, key.name.replaceAll('`', '').slice(0, MAX_NAME_LENGTH), key.masked]
    .filter((name) => name !== '')
    .map((name) => `\`${name}\``);
  return `- ${[...names, ...facts].join(' · ')}`;
};

const describeAll = (all: readonly KeyStatus[], locale: Locale): string => {
  const t = keyMessages(locale);
  if (all.length === 0) return t.none();
  const groups = KEYED_PROVIDERS.flatMap((provider) => {
    const lines = all.filter((key) => key.provider === provider).map((key) => describeKey(key, locale));
    return lines.length > 0 ? [`${PROVIDER_NAMES[provider]}\n${lines.join('\n')}`] : [];
  });
  return [t.title(), ...groups, t.hint()].join('\n\n');
};

/** What was typed is never repeated here: it may have been a key. */
const change = async (keys: Keys, action: Change, typed: string, locale: Locale): Promise<string> => {
  const t = keyMessages(locale);
  const all = await keys.list();
  const [found, ...others] = withId(typed, all);
  if (!found) return t.unknown();
  if (others.length > 0) {
    const ids = [found, ...others].map((key) => `\`${key.id}\``).join(', ');
    return t.ambiguous({ ids });
  }
  const outcome = await {
    disable: () => keys.setActive(found.id, false),
    enable: () => keys.setActive(found.id, true),
    remove: () => keys.remove(found.id),
    // A second time takes it back.
    prefer: () => keys.setPreferred(found.id, !found.isPreferred),
  }[action]();
  if (outcome === 'unknown') return t.unknown();
  if (outcome === 'fixed') return t.fixed({ id: found.id, source: t.sources[found.source] });
  const preferred = found.isPreferred ? t.unpreferred : t.preferred;
  return { disable: t.disabled, enable: t.enabled, remove: t.removed, prefer: preferred }[action](found);
};

export const keysDefinition: CommandDefinition = {
  name: 'keys',
  aliases: ['키'],
  description: {
    ko: '모델 API 키의 상태를 보고 켜거나 끕니다',
    en: 'shows the API keys of the model providers and turns them on and off',
  },
  usage: {
    ko: '/keys [add <제공자> | disable | enable | prefer | remove <ID>]',
    en: '/keys [add <provider> | disable | enable | prefer | remove <id>]',
  },
  category: 'admin',
  requiredRoles: ['admin'],
  options: [
    {
      name: 'action',
      nameKo: '작업',
      description: { ko: '무엇을 할지 고릅니다', en: 'what to do' },
      type: 'text',
      choices: [
        { value: 'list', label: { ko: '목록 보기', en: 'list the keys' } },
        { value: 'add', label: { ko: '키 추가', en: 'add a key' } },
        { value: 'disable', label: { ko: '끄기', en: 'switch a key off' } },
        { value: 'enable', label: { ko: '켜기', en: 'switch a key on' } },
        { value: 'prefer', label: { ko: '먼저 쓰기', en: 'use a key first' } },
        { value: 'remove', label: { ko: '삭제', en: 'remove a key' } },
      ],
    },
    {
      name: 'target',
      nameKo: '대상',
      description: {
        ko: '추가할 때는 anthropic 또는 openai, 나머지는 키의 ID (키 자체는 적지 마세요)',
        en: 'anthropic or openai to add one, otherwise the id of a key; never the key itself',
      },
      type: 'text',
    },
  ],
  isPrivate: true,
};

const personal = (content: string): CommandResult => ({ content, ephemeral: true });

export const keys = ({ keys }: KeysDeps): Command => ({
  definition: keysDefinition,
  form: keyForm(keys),
  execute: async ([first = 'list', ...rest], { locale, isAdmin }) => {
    // A role of the platform that happens to be called "admin" opens the command, but not the keys.
    if (!isAdmin) return personal(commandMessages(locale).missingRole({ name: keysDefinition.name }));
    const action = ACTIONS.get(first.toLowerCase());
    const id = rest.join(' ').trim();
    switch (action) {
      case 'list':
        return personal(describeAll(await keys.list(), locale));
      case 'add':
        return personal(
          [keyMessages(locale).add(), ...(isProvider(id) ? [] : [keyMessages(locale).leaked()])].join('\n'),
        );
      case 'disable':
      case 'enable':
      case 'remove':
      case 'prefer':
        if (id !== '') return personal(await change(keys, action, id, locale));
        break;
      case undefined:
    }
    return personal(helpMessages(locale).usage({ usage: keysDefinition.usage[locale] }));
  },
});
