import { asId, type UserId } from '#src/kernel/ids.ts';
import type { AlertRecord } from '#src/kernel/people/alerts.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import { systemClock as clock } from '#src/platform/concurrency/clock.ts';
import { createAccountStores, type AccountStores } from '#src/features/open/account-stores.ts';
import { copyDatabaseTo, openStorage } from '#test/support/database.ts';
import { symbols } from '#test/support/sample-market.ts';
import type { AlertPlan, PlannedAlert } from './plan.ts';
import type { AlertStage } from './stage.ts';

/** An alert that stands in the store, and what the plan says about it. */
export interface SetAlert {
  readonly id: string;
  readonly chat: string;
  readonly toldFromLife: number | undefined;
}

const LIMIT = 100;
const TIME_ZONE = 'Asia/Seoul';
const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;

const instrumentOf = (symbol: string): AlertRecord['instrument'] => {
  const found = symbols.resolve(symbol);
  if (found.status !== 'found') throw new Error(`There is no ${symbol}`);
  return found.instrument;
};

const setAlert = async (
  { alerts, owners }: AccountStores,
  stage: AlertStage,
  plan: PlannedAlert,
  requestId: string,
): Promise<SetAlert> => {
  const target = stage.targetOf(plan.person);
  const setBy: PersonRef = { channelId: target.channelId, userId: asId<UserId>(target.recipientId) };
  const now = clock.now();
  const added = await alerts.add(
    {
      ownerId: await owners.ownerOf(setBy),
      instrument: instrumentOf(plan.symbol),
      condition: plan.condition,
      isRepeating: plan.isRepeating,
      cooldownMinutes: 60,
      usesExtendedHours: false,
      ...(plan.hindrance === 'expired' && { expiresAt: now.subtract({ seconds: 1 }) }),
      target,
      setByName: plan.person.name,
      locale: 'en',
      timeZone: TIME_ZONE,
    },
    setBy,
    requestId,
    LIMIT,
  );
  if (added.status !== 'added') throw new Error(`The alert is ${added.status}`);
  const { alert } = added;
  if (plan.side !== 'unknown')
    await alerts.saveObservations([{ alert, side: plan.side, memory: alert.memory }]);
  if (plan.hindrance === 'snoozed') await alerts.snooze(alert.ownerId, alert.id, now.add({ hours: 1 }));
  return { id: alert.id, chat: stage.placeOf(plan.person), toldFromLife: plan.toldFromLife };
};

/** Was due a minute ago; the next one is a day away. */
const setBriefing = async (
  { briefings, owners }: AccountStores,
  stage: AlertStage,
  person: AlertPlan['briefingFor'],
): Promise<void> => {
  const target = stage.targetOf(person);
  const setBy: PersonRef = { channelId: target.channelId, userId: asId<UserId>(target.recipientId) };
  const nextAt = clock.now().subtract({ minutes: 1 });
  const { hour, minute } = nextAt.toZonedDateTimeISO(TIME_ZONE);
  const briefing = {
    ownerId: await owners.ownerOf(setBy),
    time: new Temporal.PlainTime(hour, minute),
    days: DAYS,
    timeZone: TIME_ZONE,
    locale: 'en',
    target,
    isPrivate: target.isDirect ?? false,
    instruments: [instrumentOf('BTC-KRW')],
    nextAt,
  } as const;
  const { status } = await briefings.add(briefing, setBy, 'briefing', LIMIT);
  if (status !== 'added') throw new Error(`The briefing is ${status}`);
};

/** What people set before the round begins, through the stores that the bot itself uses. */
export const fillStore = async (
  dataDir: string,
  plan: AlertPlan,
  stage: AlertStage,
): Promise<readonly SetAlert[]> => {
  await copyDatabaseTo(dataDir);
  const storage = await openStorage({ dataDir });
  try {
    const stores = createAccountStores(storage, clock);
    const set: SetAlert[] = [];
    for (const [index, alert] of plan.alerts.entries())
      set.push(await setAlert(stores, stage, alert, `request-${index}`));
    await setBriefing(stores, stage, plan.briefingFor);
    return set;
  } finally {
    await storage.close();
  }
};
