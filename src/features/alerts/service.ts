import type { AlertRecord } from '#src/kernel/alert.ts';
import { alertMessages } from './messages.ts';
import type { Audience, MarketAnswer } from '#src/kernel/market-queries.ts';
import type { Choice } from '#src/kernel/message.ts';
import type { AlertService, Requester } from '#src/kernel/account-services.ts';
import { alertFacts, type AlertServiceDeps, refused } from './alert-answers.ts';
import { alertTitle, describeCondition, describeTerms } from './describe-condition.ts';
import { commandMessages } from '#src/kernel/messages/commands.ts';
import { type AlertId, asId } from '#src/kernel/ids.ts';
import { MAX_NAME_WORDS } from '#src/language/name-scan.ts';
import { endsAtMidnight, writeMoment } from '#src/kernel/moment.ts';
import { instrumentLabel } from '#src/markets/answers/quote-text.ts';
import { shownTo } from '#src/markets/answers/rate-line.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { readUntil } from './read-options.ts';
import { setAnswer } from './set-answer.ts';

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

const ALL: ReadonlySet<string> = new Set(['all', 'everything', '전부', '모두', '전체', '다']);
const isAll = (which: string): boolean => ALL.has(which.toLowerCase());
const DEFAULT_SPAN = '1h';
const MAX_SNOOZE = { hours: 366 * 24 } as const;

const done = (content: string): MarketAnswer => ({ content, facts: [], found: 1 });

/** As a person types an id: with a sign before it, in any case. */
const idOf = (which: string): AlertId => asId<AlertId>(which.replace(/^#/, '').toLowerCase());

/** By id, or all on what is called so. */
const meantIn = (
  alerts: readonly AlertRecord[],
  which: string,
  symbols: AlertServiceDeps['symbols'],
): readonly AlertRecord[] => {
  const byId = alerts.filter(({ id }) => id === idOf(which));
  if (byId.length > 0) return byId;
  const match = symbols.resolve(which);
  if (match.status === 'unknown') return [];
  const wanted = new Set(
    (match.status === 'found' ? [match.instrument] : match.choices).map(({ symbol }) => symbol),
  );
  return alerts.filter(({ instrument }) => wanted.has(instrument.symbol));
};

/** Several fit: which one is a question. */
const askWhich = (
  alerts: readonly AlertRecord[],
  requester: Requester,
  now: Temporal.Instant,
): MarketAnswer => {
  const t = alertMessages(requester.locale);
  const names = new Set(
    alerts.map(({ instrument }) =>
      instrumentLabel(shownTo(instrument, requester.locale).instrument, requester.locale),
    ),
  );
  return {
    ...refused(
      [
        t.whichOne({ name: [...names].join(', ') }),
        ...alerts.map((alert) => alertLine(alert, requester, now)),
      ].join('\n'),
    ),
    choices: deleteChoices(alerts, requester),
  };
};

export const removeAnswer =
  (deps: AlertServiceDeps): AlertService['remove'] =>
  async ({ which: typed, isSure = false }, requester) => {
    const { locale } = requester;
    const t = alertMessages(locale);
    const which = typed.trim();
    if (which === '') return refused(t.whichMissing());
    const ownerId = await deps.owners.ownerOf(requester);
    // Only theirs: those of somebody else are as if they were not there.
    const alerts = await deps.store.listOf(ownerId);
    if (isAll(which)) {
      if (!isSure && alerts.length > 0)
        return {
          ...done(t.confirmRemoveAll({ count: alerts.length })),
          typed: commandMessages(locale).goOn({ command: '/alert delete all --yes' }),
          choices: [
            { label: t.removeAll, command: '/alert delete all --yes', answers: 'yes' },
            { label: t.keep, command: '/alerts', answers: 'no' },
          ],
        };
      const count = await deps.store.remove(
        ownerId,
        alerts.map(({ id }) => id),
      );
      return count === 0 ? refused(t.listEmpty()) : done(t.removedAll({ count }));
    }
    const [alert, ...others] = meantIn(alerts, which, deps.symbols);
    if (alert && others.length > 0) return askWhich([alert, ...others], requester, deps.clock.now());
    // The button below one that has come true points at it, too: it is no longer listed.
    const count = await deps.store.remove(ownerId, [alert?.id ?? idOf(which)]);
    if (count === 0) return refused(t.notFound({ name: echo(which) }));
    return done(t.removed({ what: alert ? alertTitle(alert, locale) : `\`${idOf(which)}\`` }));
  };

interface Wish {
  readonly which: string;
  /** Empty where it was not said. */
  readonly span: string;
  readonly alerts: readonly AlertRecord[];
}

/** `SK hynix until Friday`: the most words that name something of theirs, and then for how long. */
const readWish = (
  typed: string,
  own: readonly AlertRecord[],
  isSpan: (text: string) => boolean,
  symbols: AlertServiceDeps['symbols'],
): Wish => {
  const words = typed.split(/\s+/u);
  const cutAt = (count: number) => ({
    which: words.slice(0, count).join(' '),
    span: words.slice(count).join(' '),
  });
  for (let count = Math.min(words.length, MAX_NAME_WORDS); count > 0; count -= 1) {
    const { which, span } = cutAt(count);
    const alerts = isAll(which) ? own : meantIn(own, which, symbols);
    if (alerts.length > 0) return { which, span, alerts };
  }
  // Nothing of the sort is listed. The button below one that has come true still points at it, with a span.
  const count = words.findIndex((_, index) => index > 0 && isSpan(cutAt(index).span));
  return { ...(count > 0 ? cutAt(count) : { which: typed, span: '' }), alerts: [] };
};

export const snoozeAnswer =
  (deps: AlertServiceDeps): AlertService['snooze'] =>
  async ({ which: typed, span: given = '' }, requester) => {
    const { locale, timeZone } = requester;
    const t = alertMessages(locale);
    const text = `${typed} ${given}`.trim();
    if (typed.trim() === '') return refused(t.whichToSnooze());
    const ownerId = await deps.owners.ownerOf(requester);
    const own = await deps.store.listOf(ownerId);
    const now = deps.clock.now();
    const endOf = (span: string) => {
      const until = readUntil(span, now, timeZone);
      return until && Temporal.Instant.compare(until, now.add(MAX_SNOOZE)) <= 0 ? until : undefined;
    };
    const isSpan = (span: string): boolean => endOf(span) !== undefined;
    const { which, span, alerts } = readWish(text, own, isSpan, deps.symbols);
    const until = endOf(span === '' ? DEFAULT_SPAN : span);
    if (!until) return refused(t.problems.span({ typed: echo(span) }));
    if (alerts.length > 1 && !isAll(which)) return { ...askWhich(alerts, requester, now), choices: [] };
    const ids = alerts.length > 0 ? alerts.map(({ id }) => id) : [idOf(which)];
    const snoozed = await Promise.all(ids.map((id) => deps.store.snooze(ownerId, id, until)));
    const [alert, ...others] = snoozed.filter((each) => each !== undefined);
    if (!alert) return refused(isAll(which) ? t.listEmpty() : t.notFound({ name: echo(which) }));
    deps.changed();
    const at = writeMoment(until, timeZone);
    return {
      ...done(
        others.length > 0
          ? t.snoozedAll({ count: others.length + 1, at })
          : t.snoozedNow({ what: alertTitle(alert, locale), at }),
      ),
      dependsOnZone: endsAtMidnight(until, timeZone),
    };
  };

export const createAlertService = (deps: AlertServiceDeps): AlertService => ({
  set: setAnswer(deps),
  list: listAnswer(deps),
  remove: removeAnswer(deps),
  snooze: snoozeAnswer(deps),
});
