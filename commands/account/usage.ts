import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { modelUsageTexts } from '#src/kernel/agent/texts/usage.ts';
import { modelTexts } from '#src/kernel/agent/texts/models.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { PROVIDER_NAMES } from '#src/kernel/agent/model.ts';
import { Decimal, formatCount, formatFinancialNumber, formatUsd } from '#src/kernel/money.ts';
import type { UsagePeriod, UsageReports, UsageScope, UsageSnapshot } from '#src/kernel/agent/usage.ts';
import { ephemeral, usageOf } from '../shared/results.ts';

const ALL: ReadonlySet<string> = new Set(['all', '전체']);

/** Names requests without a known price, so that an incomplete sum does not look complete. */
const describeCost = (usage: UsageSnapshot, locale: Locale): string => {
  if (usage.unpricedCount === 0) return formatUsd(usage.costUsd, locale);
  if (usage.costUsd.isZero()) return modelTexts(locale).priceUnknown();
  return `${formatUsd(usage.costUsd, locale)} (${modelUsageTexts(locale).unpriced({ count: usage.unpricedCount })})`;
};

const describeRequests = (usage: UsageSnapshot, locale: Locale): string => {
  const t = modelUsageTexts(locale);
  const failed = usage.failedCount > 0 ? ` (${t.failed({ count: usage.failedCount })})` : '';
  return t.requests({ count: usage.requestCount }) + failed;
};

const share = (part: number, whole: number, locale: Locale): string => {
  const percent = new Decimal(part).dividedBy(whole).times(100);
  return `${formatFinancialNumber(percent, { locale, maximumFractionDigits: 0 })}%`;
};

const describeTokens = (usage: UsageSnapshot, locale: Locale): string => {
  const t = modelUsageTexts(locale);
  const input = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const cached =
    usage.cacheReadTokens > 0
      ? ` (${t.fromCache({ share: share(usage.cacheReadTokens, input, locale) })})`
      : '';
  return [
    t.tokensIn({ tokens: formatCount(input, locale) }) + cached,
    t.tokensOut({ tokens: formatCount(usage.outputTokens, locale) }),
  ].join(' · ');
};

const describePeriod = (title: string, { total, byModel }: UsagePeriod, locale: Locale): string => {
  if (total.requestCount === 0) return `**${title}** — ${modelUsageTexts(locale).nothingToday()}`;
  return [
    `**${title}** — ${describeCost(total, locale)}`,
    `${describeRequests(total, locale)} · ${describeTokens(total, locale)}`,
    ...byModel.map(
      ({ model, usage }) =>
        `- \`${model}\` — ${describeCost(usage, locale)} · ${describeRequests(usage, locale)}`,
    ),
  ].join('\n');
};

/**
 * Shows what is left of the limit of the shown scope. A person sees only the amount of the common limit, because its
 * rest would reveal the usage of others.
 */
const describeLimits = (
  { perUserUsd, perDayUsd }: UsageReports['limits'],
  scope: UsageScope,
  today: UsagePeriod,
  locale: Locale,
): readonly string[] => {
  const t = modelUsageTexts(locale);
  const budget = (limit: Decimal) => ({
    limit: formatUsd(limit, locale),
    left: formatUsd(Decimal.max(limit.minus(today.total.costUsd), 0), locale),
  });
  if (scope === 'all') return perDayUsd ? [t.limitAll(budget(perDayUsd))] : [];
  return [
    ...(perUserUsd ? [t.limit(budget(perUserUsd))] : []),
    ...(perDayUsd ? [t.limitShared({ limit: formatUsd(perDayUsd, locale) })] : []),
  ];
};

const describeProviders = async (usage: UsageReports, locale: Locale): Promise<string> =>
  (await usage.monthByProvider())
    .map(
      ({ provider, usage: used }) =>
        `- ${PROVIDER_NAMES[provider]} — ${describeCost(used, locale)} · ${describeRequests(used, locale)}`,
    )
    .join('\n');

/** The cost of this conversation, in direct chats only. */
const describeConversation = async (
  usage: UsageReports,
  { chatType, sessionKey, locale }: TurnContext,
): Promise<string> => {
  if (chatType !== 'direct') return '';
  const used = await usage.conversation(sessionKey);
  if (used.requestCount === 0) return '';
  const title = modelUsageTexts(locale).conversation();
  return `**${title}** — ${describeCost(used, locale)} · ${describeRequests(used, locale)}`;
};

const report = async (usage: UsageReports, scope: UsageScope, ctx: TurnContext): Promise<string> => {
  const { locale } = ctx;
  const t = modelUsageTexts(locale);
  const [today, month, detail] = await Promise.all([
    usage.today(scope),
    usage.month(scope),
    scope === 'all' ? describeProviders(usage, locale) : describeConversation(usage, ctx),
  ]);
  const periods =
    month.total.requestCount === 0
      ? [t.nothing()]
      : [describePeriod(t.today(), today, locale), describePeriod(t.month(), month, locale)];
  const limits = describeLimits(usage.limits, scope, today, locale);
  return [
    scope === 'all' ? t.titleAll() : t.title(),
    ...periods,
    detail,
    ...(limits.length > 0 ? [limits.join('\n')] : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

export const usageDefinition: CommandDefinition = {
  name: 'usage',
  aliases: ['사용량'],
  description: {
    ko: '모델 사용량과 비용을 보여 줍니다',
    en: 'your model usage and its cost',
  },
  usage: { ko: '/usage [all]', en: '/usage [all]' },
  category: 'general',
  options: [
    {
      name: 'whose',
      nameKo: '누구',
      description: { ko: '비워 두면 내 사용량을 보여 줍니다', en: 'leave it out for your own' },
      type: 'text',
      choices: [
        { value: 'all', label: { ko: '모두의 사용량 (관리자)', en: 'what everybody used (administrators)' } },
      ],
    },
  ],
  isPrivate: true,
};

export const usage = ({ usage }: { readonly usage: UsageReports }): Command => ({
  definition: usageDefinition,
  execute: async (args, ctx) => {
    const { channelId, senderId, isAdmin, locale } = ctx;
    const which = args.join(' ').trim().toLowerCase();
    if (which === '') return ephemeral(await report(usage, { channelId, userId: senderId }, ctx));
    if (!ALL.has(which)) return usageOf(usageDefinition, locale);
    if (!isAdmin) return ephemeral(commandTexts(locale).missingRole({ name: `${usageDefinition.name} all` }));
    return ephemeral(await report(usage, 'all', ctx));
  },
});
