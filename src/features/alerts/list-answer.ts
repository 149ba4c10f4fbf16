import type { AlertRecord } from '#src/kernel/alert.ts';
import { alertMessages } from './messages.ts';
import type { Audience } from '#src/kernel/market-queries.ts';
import type { Choice } from '#src/kernel/message.ts';
import type { AlertService } from '#src/kernel/account-services.ts';
import { type AlertServiceDeps, alertFacts } from './alert-answers.ts';
import { alertTitle, describeCondition, describeTerms } from './describe-condition.ts';

const MAX_CHOICES = 8;
const MAX_LABEL = 60;

const short = (text: string): string => {
  const letters = Array.from(text);
  return letters.length <= MAX_LABEL ? text : `${letters.slice(0, MAX_LABEL - 1).join('')}…`;
};

/** One to press for each; not all where there are many. */
export const deleteChoices = (alerts: readonly AlertRecord[], { locale }: Audience): readonly Choice[] =>
  alerts.slice(0, MAX_CHOICES).map((alert) => {
    const what = `${alert.instrument.ticker}: ${describeCondition(alert, locale)}`;
    return {
      label: short(alertMessages(locale).deleteChoice({ what })),
      command: `/alert delete ${alert.id}`,
    };
  });

/** `- `id` Apple Inc. (AAPL, NASDAQ): at $200.00 or above · once`. */
export const alertLine = (alert: AlertRecord, audience: Audience, now: Temporal.Instant): string =>
  `- \`${alert.id}\` ${alertTitle(alert, audience.locale)} · ${describeTerms(alert, audience, now)}`;

/** Everything that a person waits for, the oldest first. */
export const listAnswer =
  ({ store, owners, maxAlerts, clock }: AlertServiceDeps): AlertService['list'] =>
  async (_request, requester) => {
    const t = alertMessages(requester.locale);
    const alerts = await store.listOf(await owners.ownerOf(requester));
    if (alerts.length === 0) return { content: t.listEmpty(), facts: [], found: 1 };
    const now = clock.now();
    return {
      content: [
        t.listTitle({ count: alerts.length, limit: maxAlerts }),
        ...alerts.map((alert) => alertLine(alert, requester, now)),
        '',
        t.listHow(),
      ].join('\n'),
      facts: alerts.flatMap((alert) => alertFacts(alert)),
      found: alerts.length,
      choices: deleteChoices(alerts, requester),
    };
  };
