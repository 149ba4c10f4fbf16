import { z } from 'zod';
import type { FinanceContextProvider } from '#src/kernel/market/finance.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { modelUsageTexts } from '#src/kernel/agent/texts/usage.ts';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import { modelTexts } from '#src/kernel/agent/texts/models.ts';
import type { ChannelId, Timestamp, UserId } from '#src/kernel/ids.ts';
import { Decimal, formatCount } from '#src/kernel/money.ts';
import type { Conversations } from '#src/kernel/agent/conversations.ts';
import type { UsagePeriod, UsageReports, UsageScope, UsageSnapshot } from '#src/kernel/agent/usage.ts';
import { defineTool, type Tool, type ToolExecutionContext, toolInput } from '#src/kernel/agent/tool.ts';
import type { Uses } from '#src/platform/services.ts';
import { describeLocalTime } from './local-time.ts';

/** Unrounded, because people who request their data get the stored values. */
const exactUsd = (value: Decimal): string => `${value.toFixed()} USD`;

/** Says what the sum leaves out, so that a partial cost does not look complete. */
const describeCost = ({ costUsd, unpricedCount }: UsageSnapshot, locale: Locale): string => {
  if (unpricedCount === 0) return exactUsd(costUsd);
  if (costUsd.isZero()) return modelTexts(locale).priceUnknown();
  return `${exactUsd(costUsd)} (${modelUsageTexts(locale).unpriced({ count: unpricedCount })})`;
};

const describeSnapshot = (usage: UsageSnapshot, locale: Locale): string => {
  const t = modelUsageTexts(locale);
  const failed = usage.failedCount > 0 ? ` (${t.failed({ count: usage.failedCount })})` : '';
  const inputTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return [
    describeCost(usage, locale),
    t.requests({ count: usage.requestCount }) + failed,
    t.tokensIn({ tokens: formatCount(inputTokens, locale) }),
    t.tokensOut({ tokens: formatCount(usage.outputTokens, locale) }),
  ].join(' · ');
};

const describePeriod = (title: string, { total, byModel }: UsagePeriod, locale: Locale): string => {
  if (total.requestCount === 0) return `${title}: ${modelUsageTexts(locale).nothingToday()}`;
  return [
    `${title}: ${describeSnapshot(total, locale)}`,
    ...byModel.map(({ model, usage }) => `- ${model}: ${describeSnapshot(usage, locale)}`),
  ].join('\n');
};

/** Shows only the size of the common limit: the remainder would reveal the usage of others. */
const describeLimits = (
  { perUserUsd, perDayUsd }: UsageReports['limits'],
  usedTodayUsd: Decimal,
  locale: Locale,
): readonly string[] => {
  const t = modelUsageTexts(locale);
  const own = perUserUsd && {
    limit: exactUsd(perUserUsd),
    left: exactUsd(Decimal.max(perUserUsd.minus(usedTodayUsd), 0)),
  };
  return [
    ...(own ? [t.limit(own)] : []),
    ...(perDayUsd ? [t.limitShared({ limit: exactUsd(perDayUsd) })] : []),
  ];
};

/** One person's usage in exact numbers. `now` is in the zone of the ledger's days and months. */
const describeUsage = async (
  usage: Pick<UsageReports, 'today' | 'month' | 'limits'>,
  scope: UsageScope,
  now: Temporal.ZonedDateTime,
  locale: Locale,
): Promise<string> => {
  const t = modelUsageTexts(locale);
  const [today, month] = await Promise.all([usage.today(scope), usage.month(scope)]);
  const day = `${t.today()} (${now.toPlainDate().toString()}, ${now.timeZoneId})`;
  const wholeMonth = `${t.month()} (${now.toPlainDate().toPlainYearMonth().toString()}, ${now.timeZoneId})`;
  return [
    describePeriod(day, today, locale),
    describePeriod(wholeMonth, month, locale),
    ...describeLimits(usage.limits, today.total.costUsd, locale),
  ].join('\n');
};

export interface QueryMyDataDeps extends Uses<'clock' | 'usage.today' | 'usage.month' | 'usage.limits'> {
  /** The bot's zone, whose days and months the usage is counted by. */
  readonly timeZone: string;
  readonly alerts: NonNullable<FinanceContextProvider['getActiveAlerts']>;
  readonly conversation: Conversations['summary'];
  /** Reminders that have not been sent yet. */
  readonly reminders: (
    channelId: ChannelId,
    userId: UserId,
  ) => Promise<readonly { readonly text: string; readonly at: Timestamp }[]>;
}

const KINDS = ['usage', 'alerts', 'conversation', 'reminders'] as const;

const WORDS = {
  ko: {
    noAlerts: '설정된 알림 조건이 없습니다.',
    alerts: (count: number) => `설정된 알림 조건 ${count}개:`,
    noReminders: '예약된 알림이 없습니다.',
    reminders: (count: number) => `예약된 알림 ${count}개:`,
    noConversation: '이 대화에는 아직 저장된 메시지가 없습니다.',
    conversation: (count: number, since: string) => `이 대화: 메시지 ${count}개, ${since}부터`,
    describe: (what: (typeof KINDS)[number]) =>
      `봇에 저장된 내 데이터 읽기: ${{ usage: '사용량', alerts: '알림 조건', conversation: '이 대화', reminders: '예약된 알림' }[what]}`,
  },
  en: {
    noAlerts: 'No alerts are set up.',
    alerts: (count: number) => `Alerts that are set up: ${count}`,
    noReminders: 'No reminders are waiting.',
    reminders: (count: number) => `Reminders that are waiting: ${count}`,
    noConversation: 'Nothing is stored of this conversation yet.',
    conversation: (count: number, since: string) => `This conversation: ${count} messages since ${since}`,
    describe: (what: (typeof KINDS)[number]) => `Read what the bot stores about you: ${what}`,
  },
} as const;

type Answer = (context: ToolExecutionContext, signal: AbortSignal) => Promise<string>;

const localTime = (at: Timestamp, { timeZone, locale }: ToolExecutionContext): string =>
  `${describeLocalTime(at.toZonedDateTimeISO(timeZone), locale)}, ${timeZone}`;

const answersFrom = (deps: QueryMyDataDeps): Readonly<Record<(typeof KINDS)[number], Answer>> => ({
  usage: ({ channelId, userId, locale }) => {
    const now = deps.clock.now().toZonedDateTimeISO(deps.timeZone);
    return describeUsage(deps.usage, { channelId, userId }, now, locale);
  },
  alerts: async ({ channelId, userId, locale }, signal) => {
    const alerts = await deps.alerts({ channelId, userId }, signal);
    const words = WORDS[locale];
    if (alerts.length === 0) return words.noAlerts;
    return [
      words.alerts(alerts.length),
      ...alerts.map(({ instrument, condition }) => `- ${instrument.symbol}: ${condition}`),
    ].join('\n');
  },
  conversation: async (context) => {
    const found = await deps.conversation(context.sessionKey);
    const words = WORDS[context.locale];
    if (!found || found.messageCount === 0) return words.noConversation;
    return words.conversation(found.messageCount, localTime(found.since, context));
  },
  reminders: async (context) => {
    const pending = await deps.reminders(context.channelId, context.userId);
    const words = WORDS[context.locale];
    if (pending.length === 0) return words.noReminders;
    const inOrder = pending.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at));
    return [
      words.reminders(pending.length),
      ...inOrder.map(({ text, at }) => `- ${localTime(at, context)}: ${text}`),
    ].join('\n');
  },
});

const input = toolInput(() => z.object({ what: z.enum(KINDS).describe('Which of the data') }));

export const queryMyData = (deps: QueryMyDataDeps): Tool => {
  const answers = answersFrom(deps);
  return defineTool({
    name: 'query_my_data',
    description: [
      'Get what this bot stores about the user who asks, and about nobody else: model usage and its cost with',
      'the daily limit, alerts, how long this conversation is, and reminders that are waiting. It works in',
      'direct chats only. Give the numbers exactly as they come, with their period and currency.',
    ].join(' '),
    group: 'data',
    accessesSensitiveData: true,
    input,
    describe: ({ what }, locale) => WORDS[locale].describe(what),
    progress: (_input, locale) => liveTexts(locale).ownData(),
    run: async ({ what }, context, signal) => {
      // The policy denies this too; should it be misconfigured, a group still sees no personal data.
      if (context.chatType !== 'direct')
        return {
          content:
            'Personal data is given in direct chats only: ask the user to write to you in a direct message.',
          isError: true,
        };
      return { content: await answers[what](context, signal), isError: false };
    },
  });
};
