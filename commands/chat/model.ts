import type { Command, CommandResult } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { modelTexts } from '#src/kernel/agent/texts/models.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { PROVIDER_NAMES } from '#src/kernel/agent/model.ts';
import { formatCount, formatUsd } from '#src/kernel/money.ts';
import type { ModelInfo, Models } from '#src/kernel/agent/models.ts';
import { agentOf } from '#src/kernel/agent/agent-settings.ts';
import { shortened } from '#src/kernel/text.ts';

const LIST: ReadonlySet<string> = new Set(['list', '목록']);
const DEFAULT: ReadonlySet<string> = new Set(['default', '기본']);

const codes = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** `⚠️ deprecated, end of life 2026-12-31`; empty without a warning. */
const marks = (model: ModelInfo, locale: Locale): readonly string[] => {
  const t = modelTexts(locale);
  const found = [
    ...(model.isDeprecated ? [t.deprecated()] : []),
    ...(model.endOfLife === undefined ? [] : [t.endOfLife({ date: model.endOfLife })]),
  ];
  return found.length > 0 ? [`⚠️ ${found.join(', ')}`] : [];
};

const noKey = (model: ModelInfo, locale: Locale): string =>
  modelTexts(locale).noKey({ name: model.displayName, provider: PROVIDER_NAMES[model.provider] });

/** The offline model is free, although it has no price. */
const withoutPrice = (model: ModelInfo, locale: Locale): string => {
  const t = modelTexts(locale);
  return model.provider === 'offline' ? t.free() : t.priceUnknown();
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const describeCurrent = async (models: Models, { sessionKey, locale }: TurnContext): Promise<string> => {
  const t = modelTexts(locale);
  const { model, isChosen, fallbacks } = await models.current(sessionKey);
  const usd = model.priceUsd;
  const isLastResort = model.provider === 'offline' && !isChosen;
  const whyThisOne = isChosen ? t.chosen() : isLastResort ? t.noneUsable() : t.configured();
  return [
    `${t.current({ name: model.displayName, id: model.id })} ${whyThisOne}`,
    usd
      ? t.price({
          input: formatUsd(usd.input, locale),
          output: formatUsd(usd.output, locale),
          asOf: usd.asOf,
        })
      : capitalized(withoutPrice(model, locale)),
    ...(fallbacks.length > 0 ? [t.fallbacks({ names: codes(fallbacks) })] : []),
    ...marks(model, locale),
    ...(model.isUsable ? [] : [`⚠️ ${noKey(model, locale)}`]),
    t.hint(),
  ].join('\n');
};

const listLine = (model: ModelInfo, currentId: string, locale: Locale): string => {
  const t = modelTexts(locale);
  const price = model.priceUsd
    ? `${formatUsd(model.priceUsd.input, locale)} / ${formatUsd(model.priceUsd.output, locale)}`
    : withoutPrice(model, locale);
  const facts = [
    t.contextWindow({ tokens: formatCount(model.contextWindow, locale) }),
    // The offline model does not calculate; its tools do.
    ...(model.provider === 'offline' ? [] : [t.numbers[model.numericalReasoningTier]]),
    price,
    ...marks(model, locale),
    ...(model.id === currentId ? [`◀ ${t.inUse()}`] : []),
  ];
  const names = model.aliases.length > 0 ? model.aliases : [model.id];
  return `- **${model.displayName}** (${codes(names)}) · ${facts.join(' · ')}`;
};

/** The date of the prices, or the first and the last date if they differ. */
const datesOf = (models: readonly ModelInfo[]): string => {
  const dates = models.flatMap(({ priceUsd }) => (priceUsd ? [priceUsd.asOf] : [])).toSorted();
  return [...new Set([...dates.slice(0, 1), ...dates.slice(-1)])].join(' – ');
};

const describeList = async (models: Models, ctx: TurnContext): Promise<string> => {
  const { sessionKey, locale } = ctx;
  const t = modelTexts(locale);
  const all = models.list(ctx, agentOf(sessionKey));
  const { model: current } = await models.current(sessionKey);
  const group = (title: string, members: readonly ModelInfo[]): readonly string[] =>
    members.length > 0
      ? [`${title}\n${members.map((model) => listLine(model, current.id, locale)).join('\n')}`]
      : [];
  const dates = datesOf(all);
  return [
    t.listTitle(),
    ...group(
      t.usable(),
      all.filter(({ isUsable }) => isUsable),
    ),
    ...group(
      t.unusable(),
      all.filter(({ isUsable }) => !isUsable),
    ),
    ...(dates === '' ? [] : [t.pricesAsOf({ dates })]),
  ].join('\n\n');
};

/** Everybody in the conversation sees a change; only the requester sees a refusal. */
const choose = async (models: Models, name: string, ctx: TurnContext): Promise<CommandResult> => {
  const { sessionKey, locale } = ctx;
  const t = modelTexts(locale);
  if (ctx.chatType !== 'direct' && !ctx.isAdmin) return { content: t.adminsOnly(), ephemeral: true };
  if (DEFAULT.has(name.toLowerCase())) {
    const model = await models.useDefault(sessionKey);
    return { content: t.backToDefault({ name: model.displayName }), ephemeral: false };
  }
  const outcome = await models.switchTo(sessionKey, name, ctx);
  if (outcome.status === 'not-allowed') {
    const { displayName } = outcome.model;
    const content = t.notAllowed({ name: displayName, choices: codes(outcome.choices) });
    return { content, ephemeral: true };
  }
  if (outcome.status === 'too-small') {
    const { displayName, contextWindow } = outcome.model;
    const tokens = formatCount(contextWindow, locale);
    return { content: t.tooSmall({ name: displayName, tokens }), ephemeral: true };
  }
  if (outcome.status === 'no-key') return { content: noKey(outcome.model, locale), ephemeral: true };
  if (outcome.status === 'switched') {
    const lines = [t.switched({ name: outcome.model.displayName }), ...marks(outcome.model, locale)];
    return { content: lines.join('\n'), ephemeral: false };
  }
  const typed = shortened(name);
  const content =
    outcome.near.length > 0
      ? t.suggest({ name: typed, choices: codes(outcome.near) })
      : t.unknown({ name: typed });
  return { content, ephemeral: true };
};

export const modelDefinition: CommandDefinition = {
  name: 'model',
  aliases: ['모델'],
  description: {
    ko: '이 대화에서 답변하는 모델을 보거나 바꿉니다',
    en: 'the model that answers',
  },
  usage: { ko: '/model [list | <모델 이름> | default]', en: '/model [list | <name> | default]' },
  category: 'general',
  isOfConversation: true,
  isHarmless: true,
  options: [
    {
      name: 'name',
      nameKo: '이름',
      description: {
        ko: '바꿀 모델의 이름, 또는 list나 default',
        en: 'the model to change to, or list, or default',
      },
      type: 'text',
      suggest: 'model',
    },
  ],
};

export const model = ({ models }: { readonly models: Models }): Command => ({
  definition: modelDefinition,
  execute: async (args, ctx) => {
    const name = args.join(' ').trim();
    if (name === '') return { content: await describeCurrent(models, ctx), ephemeral: true };
    if (LIST.has(name.toLowerCase())) return { content: await describeList(models, ctx), ephemeral: true };
    return choose(models, name, ctx);
  },
});
