import { asId, type ChannelId } from '#src/kernel/ids.ts';
import type { FeedbackCounts, PlanCounts } from '#src/kernel/operations/operator.ts';
import type { Reads } from '#src/platform/storage/schema.ts';

/** Stands for the model of an answer whose model was not recorded. */
const UNKNOWN_MODEL = 'unknown';

/** How many alerts wait and how many briefings are planned, by platform. */
export const countPlans = async (db: Reads): Promise<readonly PlanCounts[]> => {
  const alerts = await db
    .selectFrom('alerts')
    .select(({ fn }) => ['channel_id', fn.countAll().as('count')])
    .where('status', '=', 'active')
    .groupBy('channel_id')
    .execute();
  const briefings = await db
    .selectFrom('briefings')
    .select(({ fn }) => ['channel_id', fn.countAll().as('count')])
    .groupBy('channel_id')
    .execute();
  const countIn = (rows: typeof alerts, channel: string): number =>
    Number(rows.find(({ channel_id }) => channel_id === channel)?.count ?? 0);
  const channels = new Set([...alerts, ...briefings].map(({ channel_id }) => channel_id));
  return [...channels].toSorted().map((channel) => ({
    channelId: asId<ChannelId>(channel),
    alerts: countIn(alerts, channel),
    briefings: countIn(briefings, channel),
  }));
};

/** What people think of the answers of each model, the most rated first. */
export const countFeedback = async (db: Reads): Promise<readonly FeedbackCounts[]> => {
  const rows = await db
    .selectFrom('feedback')
    .select(({ fn }) => ['model', 'verdict', fn.countAll().as('count')])
    .groupBy(['model', 'verdict'])
    .execute();
  return [...Map.groupBy(rows, ({ model }) => model ?? UNKNOWN_MODEL)]
    .map(([model, found]) => ({
      model,
      counts: {
        up: Number(found.find(({ verdict }) => verdict === 'up')?.count ?? 0),
        down: Number(found.find(({ verdict }) => verdict === 'down')?.count ?? 0),
      },
    }))
    .toSorted((a, b) => b.counts.up + b.counts.down - a.counts.up - a.counts.down);
};
