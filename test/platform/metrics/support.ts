import { createMetrics, type MetricsDeps } from '#src/platform/metrics/metrics.ts';
import { onTestFinished } from 'vitest';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^(?<name>[a-z_]+)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const LABEL = /(?<label>[a-z_]+)="(?<value>(?:[^"\\]|\\.)*)"/g;

/** Reads the text as a scraper does; what is no sample and no comment is an error. */
const parseMetrics = (text: string): readonly Sample[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !/^# (?:HELP|TYPE) finclaw_[a-z_]+ \S/.test(line))
    .map((line) => {
      const { name = '', labels = '', value = '' } = SAMPLE.exec(line)?.groups ?? {};
      if (name === '') throw new Error(`This is no sample: ${line}`);
      const pairs = [...labels.matchAll(LABEL)].map(({ groups }) => [groups?.['label'], groups?.['value']]);
      return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
    });

/** The real metrics on real events. */
export const metricsOn = (deps: Partial<MetricsDeps> = {}) => {
  const { events } = recordingEvents();
  const { logger, records } = recordingLogger();
  const clock = new ManualClock();
  const metrics = createMetrics({
    events,
    build: { version: '1.2.3', commit: 'abcdef12', date: '2026-11-19T06:21:31Z' },
    channels: () => [],
    queue: () => ({ sessions: 0, running: 0, waiting: 0 }),
    lanes: () => [],
    inbox: async () => ({ pending: 0, suspended: 0 }),
    breakers: () => [],
    clock,
    logger,
    ...deps,
  });
  onTestFinished(metrics.stop);
  const samples = async (name?: string): Promise<readonly Sample[]> =>
    parseMetrics(await metrics.render()).filter(
      (sample) => name === undefined || sample.name === `finclaw_${name}`,
    );
  /** Of one metric: `a=1 b=2` to its value, or the value by itself where it has no labels. */
  const values = async (name: string): Promise<Readonly<Record<string, number>>> =>
    Object.fromEntries(
      (await samples(name)).map(({ labels, value }) => [
        Object.entries(labels)
          .map(([label, of]) => `${label}=${of}`)
          .join(' '),
        value,
      ]),
    );
  return { metrics, events, clock, records, samples, values };
};
