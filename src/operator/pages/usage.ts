import { html } from 'hono/html';
import type { Locale } from '#src/kernel/locale.ts';
import { type Decimal, formatUsd } from '#src/kernel/money.ts';
import { type DailyUsage, OTHER_PEOPLE } from '#src/kernel/operations/operator.ts';
import { isErased } from '#src/platform/storage/person-codes.ts';
import { count, facts, note, table } from '../markup.ts';
import type { SectionId } from '../texts.ts';
import type { Html, Page, Section, View } from '../page.ts';
import { pageTexts } from './texts.ts';
import { percentOf, shareOfLimit } from './overview.ts';
import { usageTexts } from './usage-texts.ts';
import {
  CHART_SIZES,
  costLines,
  daysIn,
  type Division,
  divisionIn,
  DIVISIONS,
  type NamedSums,
  periodIn,
  PERIODS,
  sumsBy,
  totalOf,
  type User,
} from './usage-sums.ts';

/** More rows would make the page too long to read. Days are all shown. */
const MAX_ROWS = 30;
/** More colours than these, with one for the rest, could not be told apart. */
const MAX_LINES = 5;

const textsOf = (locale: Locale) => ({ ...pageTexts(locale), ...usageTexts(locale) });

const reportIn = ({ reports, query }: View) => reports.usage(periodIn(query));

const todayIn = (timeZone: string, { now }: View): Temporal.PlainDate =>
  now.toZonedDateTimeISO(timeZone).toPlainDate();

const sumTable = (id: SectionId, name: string, shown: readonly NamedSums[], view: View): Html => {
  const t = textsOf(view.locale);
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

const personName = ({ person }: Pick<DailyUsage, 'person'>, { locale }: Pick<View, 'locale'>): string => {
  const t = textsOf(locale);
  if (person === OTHER_PEOPLE) return t.otherPeople;
  return isErased(person) ? t.erased({ code: person.slice(person.indexOf(':') + 1) }) : person;
};

/** Whoever is nearest to the limit of a person. */
const mostToday = async (limit: Decimal, view: View): Promise<string | undefined> => {
  const { days } = await view.reports.usage(1);
  const [most] = sumsBy(
    days.filter(({ person }) => person !== OTHER_PEOPLE),
    (one) => personName(one, view),
  );
  if (!most || most.costUsd.isZero()) return undefined;
  const { locale } = view;
  return textsOf(locale).mostToday({
    person: most.name,
    spent: formatUsd(most.costUsd, locale),
    share: percentOf(most.costUsd, limit, locale),
  });
};

const budget: Section = {
  id: 'budget',
  render: async (view) => {
    const { locale } = view;
    const t = textsOf(locale);
    const spending = await view.reports.spending();
    const { perUserUsd } = spending.limits;
    const most = perUserUsd && (await mostToday(perUserUsd, view));
    return html`${facts([
      [t.perDay, formatUsd(spending.todayUsd, locale), shareOfLimit(spending, view)],
      [t.perUser, perUserUsd === undefined ? t.noLimit : formatUsd(perUserUsd, locale), most],
    ])}`;
  },
};

/** Links to the same page with one choice changed. */
const tabs = <Value extends string | number>(
  title: string,
  values: readonly Value[],
  current: Value,
  link: (value: Value) => { readonly search: string; readonly label: string },
): Html =>
  html`<ul class="tabs" aria-label="${title}">
    ${values.map((value) => {
      const { search, label } = link(value);
      return html`<li>
        <a href="/operator/usage?${search}" ${value === current ? html`aria-current="true"` : ''}>${label}</a>
      </li>`;
    })}
  </ul>`;

const searchOf = (days: number, by: Division): string => `days=${days}${by === 'all' ? '' : `&by=${by}`}`;

const choices = (view: View): Html => {
  const t = textsOf(view.locale);
  const [days, by] = [periodIn(view.query), divisionIn(view.query)];
  return html`${tabs(t.period, PERIODS, days, (value) => ({
    search: searchOf(value, by),
    label: t.days({ count: value }),
  }))}${tabs(t.costBy, DIVISIONS, by, (value) => ({ search: searchOf(days, value), label: value === 'all' ? t.total : t[value] }))}`;
};

const NAMES: Readonly<Record<Division, (user: User, view: Pick<View, 'locale'>) => string>> = {
  all: () => '',
  model: ({ model }) => model,
  channel: ({ channelId }) => channelId,
  person: personName,
};

/** The bars of the chart, one series for each model, platform or person. */
export const linesIn = async (view: View) => {
  const report = await reportIn(view);
  const [period, today, by] = [periodIn(view.query), todayIn(report.timeZone, view), divisionIn(view.query)];
  const days = daysIn(report, period, today).map(({ name }) => name);
  const lines = costLines(report, period, today, (user) => NAMES[by](user, view), MAX_LINES);
  const { others } = textsOf(view.locale);
  return {
    days,
    isDivided: by !== 'all',
    lines: lines.map(({ name, costs }) => ({ name: name ?? others, costs })),
  };
};

const NARROW_WINDOW = '(max-width: 600px)';
const DARK = '(prefers-color-scheme: dark)';

const picture = (view: View, alt: string): Html => {
  const address = (size: keyof typeof CHART_SIZES, theme: 'light' | 'dark'): string =>
    `/operator/charts/cost.svg?${searchOf(periodIn(view.query), divisionIn(view.query))}&theme=${theme}&size=${size}`;
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
    const t = textsOf(locale);
    const report = await reportIn(view);
    const days = daysIn(report, periodIn(view.query), todayIn(report.timeZone, view));
    const most = days.reduce((a, b) => (b.costUsd.greaterThan(a.costUsd) ? b : a));
    const total = formatUsd(totalOf(report.days).costUsd, locale);
    const isDivided = divisionIn(view.query) !== 'all';
    const names = isDivided ? (await linesIn(view)).lines.map(({ name }) => name) : [];
    const alt = t.chartAlt({
      by: names.join(', '),
      days: days.length,
      total,
      most: `${most.name} (${formatUsd(most.costUsd, locale)})`,
    });
    return html`${choices(view)}
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
    return sumTable('by-day', textsOf(view.locale).day, used, view);
  },
};

const by = (
  id: SectionId,
  title: (view: View) => string,
  nameOf: (usage: User, view: View) => string,
): Section => ({
  id,
  render: async (view) => {
    const { days } = await reportIn(view);
    const rows = sumsBy(days, (one) => nameOf(one, view));
    const shown = rows.slice(0, MAX_ROWS);
    const left =
      shown.length < rows.length
        ? note(
            textsOf(view.locale).shownOf({
              shown: count(shown.length, view),
              count: count(rows.length, view),
            }),
          )
        : '';
    return html`${sumTable(id, title(view), shown, view)}${left}`;
  },
});

export const usage: Page = {
  id: 'usage',
  sections: [
    budget,
    costChart,
    byDay,
    by('by-model', ({ locale }) => textsOf(locale).model, NAMES.model),
    by('by-channel', ({ locale }) => textsOf(locale).channel, NAMES.channel),
    by('by-person', ({ locale }) => textsOf(locale).person, NAMES.person),
  ],
};
