import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createInstruments } from '#src/platform/metrics/instruments.ts';
import { metricsOn } from '#test/platform/metrics/support.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../deploy', path), 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
}

const rules = (
  parse(read('prometheus/finclaw.rules.yml')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  }
).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(read('grafana/finclaw.json')) as Dashboard;
const targets = dashboard.panels.flatMap(({ targets: all = [] }) => all);
const expressions = [...rules.map(({ expr }) => expr), ...targets.map(({ expr }) => expr)];

interface Instrument {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

interface Known {
  readonly kind: string;
  readonly labels: readonly string[];
}

/** What Prometheus adds to every scrape, and what every series has. */
const UP: readonly [string, Known] = ['up', { kind: 'gauge', labels: [] }];
const ADDED_LABELS = ['job', 'instance', 'le'];

/** Every metric of a real scrape, with the labels that it is counted by. */
const knownMetrics = async (): Promise<ReadonlyMap<string, Known>> => {
  const scraped = await metricsOn().metrics.render();
  const kinds = [...scraped.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const labels = new Map(
    (
      Object.values(createInstruments(new Registry())) as unknown as readonly {
        name: string;
        labelNames: string[];
      }[]
    ).map(({ name, labelNames }) => [name, labelNames]),
  );
  expect(new Set(labels.keys())).toEqual(new Set(kinds.map(([, name]) => name)));
  return new Map<string, Known>([
    UP,
    ...kinds.map(([, name = '', kind = '']) => [name, { kind, labels: labels.get(name) ?? [] }] as const),
  ]);
};

const FUNCTIONS = new Set(
  'sum max min avg count rate increase changes absent histogram_quantile time vector by without on unless or and offset'.split(
    ' ',
  ),
);

/**
 * Splits PromQL into names. It is no parser, but knows all that our expressions have: strings, label matchers, ranges,
 * groupings, functions, numbers and variables of Grafana. Every other word must be a metric.
 */
const namesIn = (
  expr: string,
): { readonly metrics: readonly string[]; readonly labels: readonly string[] } => {
  const labels: string[] = [];
  const plain = expr
    .replaceAll(/\{([^}]*)\}/g, (_, matchers: string) => {
      for (const [, label = ''] of matchers.matchAll(/([a-z_]\w*)\s*(?:=~|!~|!=|=)\s*"/g)) labels.push(label);
      return ' ';
    })
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|on|without)\s*\(([^)]*)\)/g, (_, list: string) => {
      labels.push(...list.split(',').map((label) => label.trim()));
      return ' ';
    })
    .replaceAll(/\b\d+(?:\.\d+)?(?:e\d+|[smhd])?\b/g, ' ');
  const words = plain.match(/[a-zA-Z_]\w*/g) ?? [];
  return { metrics: words.filter((word) => !FUNCTIONS.has(word)), labels };
};

/** The metric that a series belongs to: a histogram has several. */
const metricOf = (series: string, known: ReadonlyMap<string, Known>): string => {
  const base = series.replace(/_(?:bucket|count|sum)$/, '');
  return known.get(base)?.kind === 'histogram' ? base : series;
};

const problemsOf = (expr: string, known: ReadonlyMap<string, Known>): readonly string[] => {
  const { metrics, labels } = namesIn(expr);
  const found = metrics.map((series) => ({ series, metric: metricOf(series, known) }));
  const allowed = new Set([
    ...ADDED_LABELS,
    ...found.flatMap(({ metric }) => known.get(metric)?.labels ?? []),
  ]);
  return [
    ...(metrics.length === 0 ? ['names no metric'] : []),
    ...found.filter(({ metric }) => !known.has(metric)).map(({ series }) => `there is no metric ${series}`),
    ...found
      .filter(({ series, metric }) => known.get(metric)?.kind === 'histogram' && series === metric)
      .map(({ series }) => `${series} is a histogram`),
    ...found
      .filter(({ series, metric }) => {
        const isCounter = known.get(metric)?.kind === 'counter' || series !== metric;
        return isCounter && !/\b(?:rate|increase)\(/.test(expr);
      })
      .map(({ series }) => `${series} only grows: it needs rate or increase`),
    ...labels.filter((label) => !allowed.has(label)).map((label) => `there is no label ${label}`),
  ];
};

describe('the alert rules and the dashboard', () => {
  it('name metrics and labels of a real scrape, and no others', async () => {
    const known = await knownMetrics();
    expect(expressions.length).toBeGreaterThan(50);
    expect(
      expressions.flatMap((expr) => problemsOf(expr, known).map((problem) => `${expr}: ${problem}`)),
    ).toEqual([]);
  });

  it.each([
    ['sum(rate(finclaw_messages_ded_total[5m]))', 'there is no metric finclaw_messages_ded_total'],
    ['finclaw_queue_waiting{lane="main"}', 'there is no label lane'],
    ['sum by (modle) (rate(finclaw_model_tokens_total[5m]))', 'there is no label modle'],
    ['finclaw_stage_duration_seconds', 'finclaw_stage_duration_seconds is a histogram'],
    ['rate(finclaw_queue_waiting_bucket[5m])', 'there is no metric finclaw_queue_waiting_bucket'],
    ['finclaw_messages_dead_total > 0', 'finclaw_messages_dead_total only grows: it needs rate or increase'],
    ['1 > 0', 'names no metric'],
  ])('would be told of a wrong one: %s', async (expr, problem) => {
    expect(problemsOf(expr, await knownMetrics())).toEqual([problem]);
  });

  it('fire at the first event that is counted by labels, although its series begins with 1', async () => {
    const known = await knownMetrics();
    const counted = rules.filter(
      ({ expr }) =>
        expr.startsWith('increase(') &&
        namesIn(expr).metrics.some((series) => (known.get(series)?.labels.length ?? 0) > 0),
    );
    expect(counted.length).toBeGreaterThan(0);
    for (const { expr } of counted) expect(expr).toMatch(/ or \((finclaw_\S+) unless \1 offset \w+\)$/);
  });

  it('leave out no metric of the program', async () => {
    const known = await knownMetrics();
    const used = new Set(
      expressions.flatMap((expr) => namesIn(expr).metrics.map((each) => metricOf(each, known))),
    );
    expect([...known.keys()].filter((name) => !used.has(name))).toEqual([]);
  });

  it('are explained: docs/observe.md has each metric with its meaning and its labels', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/observe.md'), 'utf8');
    const rows = new Map(
      [...page.matchAll(/^\| `(finclaw_\w+)` +\| ([^|]*?) *\| ([^|]*?) *\|$/gm)].map(
        ([, name, labels, meaning]) => [name, `${labels}: ${meaning}`],
      ),
    );
    const instruments = Object.values(createInstruments(new Registry())) as unknown as readonly Instrument[];
    for (const { name, labelNames, help } of instruments)
      expect(rows.get(name)).toBe(`${labelNames.map((label) => `\`${label}\``).join(', ')}: ${help}`);
  });

  it('can be imported: rules have names, severities and advice, panels a source, a place and a meaning', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations, for: period = '0m' } of rules) {
      expect(alert).toMatch(/^FinClaw[A-Z]\w+$/);
      expect(['warning', 'critical']).toContain(labels['severity']);
      expect(Object.keys(annotations)).toEqual(['summary', 'action']);
      expect(period).toMatch(/^\d+[smh]$/);
    }
    expect(dashboard.templating.list.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'datasource: datasource',
      'job: query',
      'instance: query',
    ]);
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { type, title, description = '', datasource, gridPos, targets: shown = [] } of panels) {
      expect(title).not.toBe('');
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      if (type === 'row') continue;
      expect(description).toMatch(/\.$/);
      expect(datasource?.uid).toBe('${datasource}');
      expect(shown.length).toBeGreaterThan(0);
    }
  });
});
