import type { HistoryEntry } from '#test/fakes/platform/history.ts';
import type { RoundResult } from './round.ts';

const oneLine = ({ atMs, type, ...entry }: HistoryEntry): string =>
  `${String(atMs).padStart(6)}  ${type.padEnd(13)}${Object.values(entry)
    .map((value) => String(value).replaceAll(/\s+/g, ' ').slice(0, 120))
    .join(' | ')}`;

/** Everything that is needed to understand a round that went wrong, and how to run it again. */
export const describeRound = ({ plan, problems, history, rows, log }: RoundResult): string => {
  const eventOf = (id: string | null): string => rows.find((row) => row.id === id)?.event ?? '';
  return [
    `Round ${plan.seed}, mode ${plan.mode}, at most ${plan.maxPerSession} waiting. Run it again with`,
    `  FINCLAW_FAULT_SEED=${plan.seed} npm run test:faults`,
    ...problems.map((problem) => `- ${problem}`),
    'What the platform saw:',
    ...history.filter(({ type }) => type !== 'typing').map(oneLine),
    'What the inbox holds:',
    ...rows.map(({ event, sender, status, takenBy }) =>
      [event, sender, status, takenBy === null ? '' : `by ${eventOf(takenBy)}`].join('  '),
    ),
    'What the log says:',
    log,
  ].join('\n');
};
