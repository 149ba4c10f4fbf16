import { html } from 'hono/html';
import type { Locale } from '#src/kernel/locale.ts';
import { formatDuration } from '#src/kernel/time.ts';
import { Decimal, formatFinancialNumber, formatUsd } from '#src/kernel/money.ts';
import type { Spending } from '#src/kernel/operations/operator.ts';
import { badge, count, facts, note, table, time } from '../markup.ts';
import type { Page, Section, View } from '../page.ts';
import { pageTexts } from './texts.ts';

const MEGABYTE = 1_000_000;
const SHORT_ID = 8;

/** How much of a limit is used. */
export const percentOf = (used: Decimal, limit: Decimal, locale: Locale): string =>
  formatFinancialNumber(limit.isZero() ? new Decimal(1) : used.dividedBy(limit), {
    locale,
    isPercent: true,
    maximumFractionDigits: 0,
  });

/** The share of the daily limit that is used, as `42 %` of it. */
export const shareOfLimit = (
  { todayUsd, limits: { perDayUsd } }: Spending,
  { locale }: Pick<View, 'locale'>,
): string => {
  const t = pageTexts(locale);
  if (perDayUsd === undefined) return t.noLimit;
  return t.of({
    limit: formatUsd(perDayUsd, locale),
    share: percentOf(todayUsd, perDayUsd, locale),
  });
};

const state: Section = {
  id: 'state',
  isLive: true,
  render: async (view) => {
    const { locale, reports } = view;
    const t = pageTexts(locale);
    const [status, spending, approvals] = await Promise.all([
      reports.status(),
      reports.spending(),
      reports.approvals(view.operator),
    ]);
    return facts([
      [t.waiting, count(status.inbox.pending, view), t.waitingNote],
      [
        t.deadLetters,
        html`<a href="/operator/dead-letters">${count(status.deadLetters.count, view)}</a>`,
        t.allProcesses,
      ],
      [
        t.approvalsWaiting,
        html`<a href="/operator/approvals">${count(approvals.length, view)}</a>`,
        t.allProcesses,
      ],
      [
        t.spentToday,
        html`<a href="/operator/usage">${formatUsd(spending.todayUsd, locale)}</a>`,
        shareOfLimit(spending, view),
      ],
      [t.uptime, formatDuration(status.uptimeMs, locale)],
      [t.memory, `${count(status.memoryBytes / MEGABYTE, view)} MB`],
      [t.version, status.version],
    ]);
  },
};

const channels: Section = {
  id: 'channels',
  isLive: true,
  isOfThisProcess: true,
  render: async (view) => {
    const t = pageTexts(view.locale);
    const { channels: list } = await view.reports.status();
    return table(
      {
        id: 'channels',
        caption: t.channelsCaption,
        columns: [{ title: t.channel }, { title: t.connection }],
      },
      list.map(({ id, isConnected }) => [
        id,
        isConnected ? badge(t.connected, 'good') : badge(t.disconnected, 'bad'),
      ]),
      view,
    );
  },
};

const processes: Section = {
  id: 'processes',
  isLive: true,
  render: async (view) => {
    const t = pageTexts(view.locale);
    const { processes: list } = await view.reports.status();
    if (list.length === 0) return note(t.onlyProcess);
    return table(
      {
        id: 'processes',
        caption: t.processesCaption,
        columns: [
          { title: t.process },
          { title: t.role },
          { title: t.version },
          { title: t.channels },
          { title: t.sessions, isNumber: true },
          { title: t.startedAt },
        ],
      },
      list.map((process) => [
        html`${process.id.slice(0, SHORT_ID)}${process.isSelf ? html` ${badge(t.self, 'plain')}` : ''}${process.isLeading ? html` ${badge(t.leads, 'plain')}` : ''}`,
        process.role,
        process.version,
        process.channels.join(', '),
        count(process.sessions, view),
        time(process.startedAt, view),
      ]),
      view,
    );
  },
};

const plugins: Section = {
  id: 'plugins',
  isOfThisProcess: true,
  render: async (view) => {
    const t = pageTexts(view.locale);
    const { plugins: list } = await view.reports.status();
    return table(
      { id: 'plugins', caption: t.pluginsCaption, columns: [{ title: t.plugin }, { title: t.state }] },
      list.map((plugin) => {
        if ('file' in plugin) return [plugin.file, badge(t.pluginRefused({ reason: plugin.reason }), 'bad')];
        const { name, failures } = plugin;
        return [
          name,
          failures === 0
            ? badge(t.pluginLoaded, 'good')
            : badge(t.pluginFailures({ count: failures }), 'warn'),
        ];
      }),
      view,
    );
  },
};

export const overview: Page = { id: 'overview', sections: [state, channels, processes, plugins] };
