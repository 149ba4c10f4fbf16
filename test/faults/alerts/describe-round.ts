import type { AlertRoundResult } from './round.ts';

const oneLine = (values: readonly unknown[]): string =>
  values.map((value) => String(value).replaceAll(/\s+/g, ' ').slice(0, 140)).join(' | ');

/** Everything that is needed to understand a round that went wrong, and how to run it again. */
export const describeAlertRound = ({ plan, problems, facts, notes, log }: AlertRoundResult): string =>
  [
    `Round ${plan.seed} on ${plan.platform}. Run it again with`,
    `  FINCLAW_FAULT_PLATFORM=${plan.platform} FINCLAW_FAULT_SEED=${plan.seed} npx vitest run test/faults/alerts/rounds.test.ts`,
    ...problems.map((problem) => `- ${problem}`),
    `Trouble: ${plan.trouble.kind} in life ${plan.trouble.inLife}`,
    'What happened to the processes:',
    ...notes.map((note) => oneLine(Object.values(note))),
    'What was set:',
    ...facts.alerts.map(({ id, chat, isTold }, index) => {
      const { symbol, condition, side, hindrance = '' } = plan.alerts[index] ?? {};
      return oneLine([id, chat, isTold ? 'told' : 'not told', symbol, condition?.kind, side, hindrance]);
    }),
    'What the platform shows:',
    ...facts.messages.map(({ chat, deliveryId, text }) => oneLine([chat, deliveryId, text])),
    'What the bot recorded:',
    ...facts.firings.map(({ id, alertId }) => oneLine(['firing', id, alertId])),
    ...facts.notifications.map(({ id, status }) => oneLine(['notification', id, status])),
    'What the log says:',
    log,
  ].join('\n');
