import type { Command, TypedForm } from '#src/kernel/chat/command.ts';
import { FinClawError } from '#src/kernel/errors.ts';
import { keyTexts } from '#commands/admin/texts.ts';
import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import { keyEntryTexts } from '#src/kernel/agent/texts/key-entry.ts';
import { cooldownReasonTexts } from '#src/kernel/agent/texts/key-cooldowns.ts';
import { KEYED_PROVIDERS, type KeyedProvider, PROVIDER_NAMES } from '#src/kernel/agent/model.ts';
import type { Keys, KeyStatus } from '#src/kernel/agent/keys.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { adminCommand, ephemeral, usageOf } from '../shared/results.ts';

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

const MAX_KEY_CHARS = 500;
const MAX_NAME_CHARS = 40;

const providerOf = (typed: string): KeyedProvider | undefined =>
  KEYED_PROVIDERS.find((id) => id === typed.toLowerCase());

/** The form of `/keys add anthropic`, so that the key never becomes a message. */
const keyForm = (keys: Pick<Keys, 'add'>): TypedForm => ({
  open: ([action = '', typed = ''], locale) => {
    const provider = providerOf(typed);
    if (ACTIONS.get(action.toLowerCase()) !== 'add' || !provider) return undefined;
    const t = keyTexts(locale).form;
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
    if (!provider) return channelTexts(locale).formGone();
    try {
      const { masked, name: shown, isSaved } = await keys.add(provider, key.trim(), name.trim() || undefined);
      return keyEntryTexts(locale).added({ provider, name: shown, masked, isSaved });
    } catch (error) {
      if (error instanceof FinClawError && error.code === 'KEY_INVALID')
        return keyEntryTexts(locale).invalid({ provider });
      throw error;
    }
  },
});

/** False for anything that may be a key. */
const isProvider = (typed: string): boolean => ['', ...KEYED_PROVIDERS].includes(typed.toLowerCase());

/** A complete id takes precedence over longer ids that begin with it. */
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
  const t = keyTexts(locale);
  const why = key.cooldownReason && cooldownReasonTexts(locale)[key.cooldownReason];
  const facts = [
    t.sources[key.source],
    ...(key.source === 'profile' ? [key.isSaved ? t.saved() : t.unsaved()] : []),
    ...(key.isPreferred ? [t.first()] : []),
    key.isActive ? t.health[key.health] : t.off(),
    ...(key.cooldownMs > 0 ? [t.cooldown({ left: formatLeft(key.cooldownMs, locale), why })] : []),
  ];
  // A key in a vault is unknown until its first use, so `masked` may be empty.
  const names = [key.id, key.name.replaceAll('`', '').slice(0, MAX_NAME_CHARS), key.masked]
    .filter((name) => name !== '')
    .map((name) => `\`${name}\``);
  return `- ${[...names, ...facts].join(' · ')}`;
};

const describeAll = (all: readonly KeyStatus[], locale: Locale): string => {
  const t = keyTexts(locale);
  if (all.length === 0) return t.none();
  const groups = KEYED_PROVIDERS.flatMap((provider) => {
    const lines = all.filter((key) => key.provider === provider).map((key) => describeKey(key, locale));
    return lines.length > 0 ? [`${PROVIDER_NAMES[provider]}\n${lines.join('\n')}`] : [];
  });
  return [t.title(), ...groups, t.hint()].join('\n\n');
};

/** The answer never quotes the typed text, which may be a key. */
type ManagedKeys = Omit<Keys, 'pause'>;

const change = async (keys: ManagedKeys, action: Change, typed: string, locale: Locale): Promise<string> => {
  const t = keyTexts(locale);
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
    // A second call undoes the first.
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
    en: 'model API keys, on and off',
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

export const keys = ({ keys }: { readonly keys: ManagedKeys }): Command => ({
  ...adminCommand(keysDefinition, async ([first = 'list', ...rest], { locale }) => {
    const t = keyTexts(locale);
    const action = ACTIONS.get(first.toLowerCase());
    const id = rest.join(' ').trim();
    if (action === 'list') return ephemeral(describeAll(await keys.list(), locale));
    if (action === 'add') return ephemeral([t.add(), ...(isProvider(id) ? [] : [t.leaked()])].join('\n'));
    return action && id !== ''
      ? ephemeral(await change(keys, action, id, locale))
      : usageOf(keysDefinition, locale);
  }),
  form: keyForm(keys),
});
