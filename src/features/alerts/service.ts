import type { AlertRecord, AlertService } from '#src/kernel/people/alerts.ts';
import { alertTexts } from './texts.ts';
import { type Audience, emptyAnswer, type MarketAnswer } from '#src/kernel/chat/answer.ts';
import type { CardField } from '#src/kernel/chat/card.ts';
import type { Choice } from '#src/kernel/chat/message.ts';
import type { Requester } from '#src/kernel/people/requester.ts';
import {
  alertFacts,
  alertSubject,
  alertTitle,
  deleteLabel,
  describeCondition,
  describeTerms,
  shortAlertTitle,
} from './conditions/describe-condition.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { type AlertId, asId } from '#src/kernel/ids.ts';
import { MAX_NAME_WORDS } from '#src/reading/name-scan.ts';
import { endsAtMidnight, writeMoment } from '#src/kernel/time.ts';
import { pageControls } from '#src/markets/answers/controls.ts';
import { pageLink } from '#src/markets/answers/instrument-page.ts';
import { echo } from '#src/markets/answers/resolve-names.ts';
import { readUntil } from './conditions/read-options.ts';
import { type AlertServiceDeps, setAnswer } from './set-answer.ts';

/** One delete button for each alert of a page. */
const PAGE_SIZE = 8;

/** A delete button for each alert, up to a limit. The list without it takes the place of the list. */
const deleteChoices = (
  alerts: readonly AlertRecord[],
  { locale }: Audience,
  page: number,
): readonly Choice[] =>
  alerts.slice(0, PAGE_SIZE).map((alert) => ({
    label: deleteLabel(alert, locale),
    command: `/alert delete ${alert.id} --page=${page}`,
    effect: 'replaces',
    isDestructive: true,
  }));

/** `- `id` Apple Inc. (AAPL, NASDAQ): at $200.00 or above · once`. */
const alertLine = (alert: AlertRecord, audience: Audience, now: Temporal.Instant): string =>
  `- \`${alert.id}\` ${alertTitle(alert, audience.locale)} · ${describeTerms(alert, audience, now)}`;

const alertField = (alert: AlertRecord, audience: Audience, now: Temporal.Instant): CardField => {
  const { locale } = audience;
  const { instrument, id } = alert;
  return {
    name: alertSubject(alert, locale),
    value: [
      describeCondition(alert, locale, true),
      `${describeTerms(alert, audience, now)} · ${alertTexts(locale).listId({ id })}`,
    ].join('\n'),
    ...pageLink(instrument, locale),
    isWide: true,
  };
};

/** The person's active alerts, the oldest first. Without a page: all of them. */
const listAnswer =
  ({ store, owners, maxAlerts, clock }: AlertServiceDeps): AlertService['list'] =>
  async ({ page: asked }, requester) => {
    const t = alertTexts(requester.locale);
    const all = await store.listOf(await owners.ownerOf(requester));
    if (all.length === 0) return { content: t.listEmpty(), facts: [], found: 1 };
    const now = clock.now();
    const pages = Math.ceil(all.length / PAGE_SIZE);
    const page = Math.min(Math.max(1, asked ?? 1), pages);
    const alerts = asked === undefined ? all : all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
    const title = t.listTitle({ count: all.length, limit: maxAlerts });
    return {
      content: [title, ...alerts.map((alert) => alertLine(alert, requester, now)), '', t.listHow()].join(
        '\n',
      ),
      facts: alerts.flatMap((alert) => alertFacts(alert)),
      found: alerts.length,
      cards: {
        items: [
          {
            title,
            headline: '',
            fields: alerts.map((alert) => alertField(alert, requester, now)),
            footer: '',
            tone: 'flat',
          },
        ],
        // Only text gets the commands of a platform: in a footer they would not work.
        text: t.listHow(),
      },
      choices: [
        ...deleteChoices(alerts, requester, page),
        ...(asked === undefined
          ? []
          : pageControls({ page, pages }, (to) => `/alerts --page=${to}`, requester.locale)),
      ],
    };
  };

const ALL: ReadonlySet<string> = new Set(['all', 'everything', '전부', '모두', '전체', '다']);
const isAll = (which: string): boolean => ALL.has(which.toLowerCase());
const DEFAULT_SPAN = '1h';
const MAX_SNOOZE = { hours: 366 * 24 } as const;

const done = (content: string): MarketAnswer => ({ content, facts: [], found: 1 });

/** Reads an id as people type it: with or without `#`, in any case. */
const idOf = (which: string): AlertId => asId<AlertId>(which.replace(/^#/, '').toLowerCase());

/** Finds alerts by id, or all alerts on the named instrument. */
const findAlerts = (
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

/** Asks which of several alerts is meant. */
const askWhich = (
  alerts: readonly AlertRecord[],
  requester: Requester,
  now: Temporal.Instant,
): MarketAnswer => {
  const t = alertTexts(requester.locale);
  const names = new Set(alerts.map((alert) => alertSubject(alert, requester.locale)));
  return {
    ...emptyAnswer(
      [
        t.whichOne({ name: [...names].join(', ') }),
        ...alerts.map((alert) => alertLine(alert, requester, now)),
      ].join('\n'),
    ),
    facts: alerts.flatMap((alert) => alertFacts(alert)),
    choices: deleteChoices(alerts, requester, 1),
  };
};

const removeAnswer =
  (deps: AlertServiceDeps): AlertService['remove'] =>
  async ({ which: typed, isSure = false }, requester) => {
    const { locale } = requester;
    const t = alertTexts(locale);
    const which = typed.trim();
    if (which === '') return emptyAnswer(t.whichMissing());
    const ownerId = await deps.owners.ownerOf(requester);
    // Only the person's own alerts are searched, so nobody learns of another person's.
    const alerts = await deps.store.listOf(ownerId);
    if (isAll(which)) {
      if (!isSure && alerts.length > 0)
        return {
          ...done(t.confirmRemoveAll({ count: alerts.length })),
          typed: commandTexts(locale).goOn({ command: '/alert delete all --yes' }),
          choices: [
            { label: t.removeAll, command: '/alert delete all --yes', answers: 'yes', isDestructive: true },
            { label: t.keep, command: '/alerts', answers: 'no' },
          ],
        };
      const count = await deps.store.remove(
        ownerId,
        alerts.map(({ id }) => id),
      );
      return count === 0 ? emptyAnswer(t.listEmpty()) : done(t.removedAll({ count }));
    }
    const [alert, ...others] = findAlerts(alerts, which, deps.symbols);
    if (alert && others.length > 0) return askWhich([alert, ...others], requester, deps.clock.now());
    // A button below a fired alert still names it, although it is no longer listed.
    const count = await deps.store.remove(ownerId, [alert?.id ?? idOf(which)]);
    if (count === 0) return emptyAnswer(t.notFound({ name: echo(which) }));
    const text = t.removed({ what: alert ? alertTitle(alert, locale) : `\`${idOf(which)}\`` });
    return {
      ...done(text),
      facts: alert ? alertFacts(alert) : [],
      receipt: { effect: 'removed', text },
    };
  };

/** The outcome above the list that the alert was picked from. */
const aboveList = (outcome: MarketAnswer, list: MarketAnswer): MarketAnswer => ({
  ...list,
  content: `${outcome.content}\n\n${list.content}`,
  facts: [...outcome.facts, ...list.facts],
  ...(list.cards && { cards: { ...list.cards, text: outcome.content, isAnswer: false } }),
});

const removeFromList =
  (deps: AlertServiceDeps): AlertService['remove'] =>
  async (request, requester, signal) => {
    const outcome = await removeAnswer(deps)(request, requester, signal);
    const { page } = request;
    if (page === undefined) return outcome;
    return aboveList(outcome, await listAnswer(deps)({ page }, requester, signal));
  };

interface SnoozeRequest {
  readonly which: string;
  /** Empty where no span was typed. */
  readonly span: string;
  readonly alerts: readonly AlertRecord[];
}

/** Reads `SK hynix until Friday`: the longest name of one of their alerts, and then the span. */
const readSnooze = (
  typed: string,
  own: readonly AlertRecord[],
  isSpan: (text: string) => boolean,
  symbols: AlertServiceDeps['symbols'],
): SnoozeRequest => {
  const words = typed.split(/\s+/u);
  const cutAt = (count: number) => ({
    which: words.slice(0, count).join(' '),
    span: words.slice(count).join(' '),
  });
  for (let count = Math.min(words.length, MAX_NAME_WORDS); count > 0; count -= 1) {
    const { which, span } = cutAt(count);
    const alerts = isAll(which) ? own : findAlerts(own, which, symbols);
    if (alerts.length > 0) return { which, span, alerts };
  }
  // No listed alert matches. A button below a fired alert still names it, with a span.
  const count = words.findIndex((_, index) => index > 0 && isSpan(cutAt(index).span));
  return { ...(count > 0 ? cutAt(count) : { which: typed, span: '' }), alerts: [] };
};

const snoozeAnswer =
  (deps: AlertServiceDeps): AlertService['snooze'] =>
  async ({ which: typed, span: given = '' }, requester) => {
    const { locale, timeZone } = requester;
    const t = alertTexts(locale);
    const text = `${typed} ${given}`.trim();
    if (typed.trim() === '') return emptyAnswer(t.whichToSnooze());
    const ownerId = await deps.owners.ownerOf(requester);
    const own = await deps.store.listOf(ownerId);
    const now = deps.clock.now();
    const endOf = (span: string) => {
      const until = readUntil(span, now, timeZone);
      return until && Temporal.Instant.compare(until, now.add(MAX_SNOOZE)) <= 0 ? until : undefined;
    };
    const isSpan = (span: string): boolean => endOf(span) !== undefined;
    const { which, span, alerts } = readSnooze(text, own, isSpan, deps.symbols);
    const until = endOf(span === '' ? DEFAULT_SPAN : span);
    if (!until) return emptyAnswer(t.problems.span({ typed: echo(span) }));
    if (alerts.length > 1 && !isAll(which)) return { ...askWhich(alerts, requester, now), choices: [] };
    const ids = alerts.length > 0 ? alerts.map(({ id }) => id) : [idOf(which)];
    const snoozed = await Promise.all(ids.map((id) => deps.store.snooze(ownerId, id, until)));
    const [alert, ...others] = snoozed.filter((each) => each !== undefined);
    if (!alert) return emptyAnswer(isAll(which) ? t.listEmpty() : t.notFound({ name: echo(which) }));
    deps.changed();
    const at = writeMoment(until, timeZone);
    return {
      ...done(
        others.length > 0
          ? t.snoozedAll({ count: others.length + 1, at })
          : t.snoozedNow({ what: shortAlertTitle(alert, locale), at }),
      ),
      facts: alertFacts(alert),
      dependsOnZone: endsAtMidnight(until, timeZone),
    };
  };

export const createAlertService = (deps: AlertServiceDeps): AlertService => ({
  set: setAnswer(deps),
  list: listAnswer(deps),
  remove: removeFromList(deps),
  snooze: snoozeAnswer(deps),
});
