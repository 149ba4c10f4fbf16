import { html } from 'hono/html';
import { formatUsd } from '#src/kernel/money.ts';
import { type DailyUsage, OTHER_PEOPLE } from '#src/kernel/operator.ts';
import { isErased } from '#src/platform/storage/accounts/person-codes.ts';
import { count, facts, note, table } from '../markup.ts';
import type { SectionId } from '../messages.ts';
import type { Html, Page, Section, View } from '../page.ts';
import { pageMessages } from './messages.ts';
import { shareOfLimit } from './overview.ts';
import { CHART_SIZES, daysIn, type NamedSums, periodIn, PERIODS, sumsBy, totalOf } from './usage-sums.ts';

/** More rows would make the page too long to read. Days are all shown. */
const MAX_ROWS = 30;

const reportIn = ({ reports, query }: View) => reports.usage(periodIn(query));

const todayIn = (timeZone: string, { now }: View): Temporal.PlainDate =>
  now.toZonedDateTimeISO(timeZone).toPlainDate();

const sumTable = (id: SectionId, name: string, shown: readonly NamedSums[], view: View): Html => {
  const t = pageMessages(view.locale);
  const isNumber = true;
  const columns = [
    { title: name },
    { title: t.cost, isNumber },
    { title: t.requests, isNumber },
    { title: t.failed, isNumber },
    { title: t.tokensIn, isNumber },
    { title: t.tokensOut, isNumber },
    { title: t.unpriced, isNumber },
  ];
  const caption = t.usageCaption({ days: t.days({ count: periodIn(view.query) }) });
  return table(
    { id, caption, columns },
    shown.map((row) => [
      row.name,
      formatUsd(row.costUsd, view.locale),
      count(row.requestCount, view),
      count(row.failedCount, view),
      count(row.inputTokens, view),
      count(row.outputTokens, view),
      count(row.unpricedCount, view),
    ]),
    view,
  );
};

const budget: Section = {
  id: 'budget',
  render: async (view) => {
    const { locale } = view;
    const t = pageMessages(locale);
    const spending = await view.reports.spending();
    const { perUserUsd } = spending.limits;
    return html`${facts([
      [t.perDay, formatUsd(spending.todayUsd, locale), shareOfLimit(spending, view)],
      [t.perUser, perUserUsd === undefined ? t.noLimit : formatUsd(perUserUsd, locale)],
    ])}`;
  },
};

const periods = (view: View): Html => {
  const t = pageMessages(view.locale);
  const current = periodIn(view.query);
  return html`<ul class="tabs" aria-label="${t.period}">
    ${PERIODS.map(
      (days) =>
        html`<li>
          <a href="/operator/usage?days=${days}" ${days === current ? html`aria-current="true"` : ''}
            >${t.days({ count: days })}</a
          >
        </li>`,
    )}
  </ul>`;
};

const NARROW_WINDOW = '(max-width: 600px)';
const DARK = '(prefers-color-scheme: dark)';

const picture = (view: View, alt: string): Html => {
  const address = (size: keyof typeof CHART_SIZES, theme: 'light' | 'dark'): string =>
    `/operator/charts/cost.svg?days=${periodIn(view.query)}&theme=${theme}&size=${size}`;
  const source = (media: string, size: keyof typeof CHART_SIZES, theme: 'light' | 'dark'): Html =>
    html`<source
      media="${media}"
      srcset="${address(size, theme)}"
      width="${CHART_SIZES[size].width}"
      height="${CHART_SIZES[size].height}"
    />`;
  const theme = view.theme === 'auto' ? 'light' : view.theme;
  const { width, height } = CHART_SIZES.wide;
  return html`<picture>
    ${view.theme === 'auto' ? source(`${NARROW_WINDOW} and ${DARK}`, 'narrow', 'dark') : ''}
    ${source(NARROW_WINDOW, 'narrow', theme)} ${view.theme === 'auto' ? source(DARK, 'wide', 'dark') : ''}
    <img src="${address('wide', theme)}" width="${width}" height="${height}" alt="${alt}"
  /></picture>`;
};

const costChart: Section = {
  id: 'cost-chart',
  render: async (view) => {
    const { locale } = view;
    const t = pageMessages(locale);
    const report = await reportIn(view);
    const days = daysIn(report, periodIn(view.query), todayIn(report.timeZone, view));
    const most = days.reduce((a, b) => (b.costUsd.greaterThan(a.costUsd) ? b : a));
    const total = formatUsd(totalOf(report.days).costUsd, locale);
    const alt = t.chartAlt({
      days: days.length,
      total,
      most: `${most.name} (${formatUsd(most.costUsd, locale)})`,
    });
    return html`${periods(view)}
      <p class="sum">${t.total}: <strong>${total}</strong></p>
      ${picture(view, alt)}${note(t.usageNote({ zone: report.timeZone }))}`;
  },
};

const byDay: Section = {
  id: 'by-day',
  render: async (view) => {
    const report = await reportIn(view);
    const days = daysIn(report, periodIn(view.query), todayIn(report.timeZone, view));
    const used = days.filter(({ requestCount }) => requestCount > 0).toReversed();
    return sumTable('by-day', pageMessages(view.locale).day, used, view);
  },
};

const by = (
  id: SectionId,
  title: (view: View) => string,
  nameOf: (usage: Pick<DailyUsage, 'model' | 'channelId' | 'person'>, view: View) => string,
): Section => ({
  id,
  render: async (view) => {
    const { days } = await reportIn(view);
    const rows = sumsBy(days, (one) => nameOf(one, view));
    const shown = rows.slice(0, MAX_ROWS);
    const left =
      shown.length < rows.length
        ? note(
            pageMessages(view.locale).shownOf({
              shown: count(shown.length, view),
              count: count(rows.length, view),
            }),
          )
        : '';
    return html`${sumTable(id, title(view), shown, view)}${left}`;
  },
});

const personName = ({ person }: Pick<DailyUsage, 'person'>, { locale }: View): string => {
  const t = pageMessages(locale);
  if (person === OTHER_PEOPLE) return t.otherPeople;
  return isErased(person) ? t.erased({ code: person.slice(person.indexOf(':') + 1) }) : person;
};

export const usage: Page = {
  id: 'usage',
  sections: [
    budget,
    costChart,
    byDay,
    by(
      'by-model',
      ({ locale }) => pageMessages(locale).model,
      ({ model }) => model,
    ),
    by(
      'by-channel',
      ({ locale }) => pageMessages(locale).channel,
      ({ channelId }) => channelId,
    ),
    by('by-person', ({ locale }) => pageMessages(locale).person, personName),
  ],
};
