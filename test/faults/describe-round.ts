import type { HistoryEntry } from '#test/fakes/platform/history.ts';
import type { RoundResult } from './round.ts';

const oneLine = ({ atMs, type, ...entry }: HistoryEntry): string =>
  `${String(atMs).padStart(6)}  ${type.padEnd(13)}${Object.values(entry)
    .map((value) => String(value).replaceAll(/\s+/g, ' ').slice(0, 120))
    .join(' | ')}`;

/** Everything that is needed to understand a round that went wrong, and how to run it again. */
export const describeRound = ({ plan, problems, history, rows, log }: RoundResult): string => {
  const eventOf = (id: string | null): string => rows.find((row) => row.id === id)?.event ?? '';
  const { platform, seed, mode, maxPerSession } = plan;
  const [file, only] = platform
    ? ['platforms/rounds.test.ts', `FINCLAW_FAULT_PLATFORM=${platform} `]
    : ['rounds.test.ts', ''];
  return [
    `Round ${seed}${platform ? ` on ${platform}` : ''}, mode ${mode}, at most ${maxPerSession} waiting. Run it again with`,
    `  ${only}FINCLAW_FAULT_SEED=${seed} npx vitest run test/faults/${file}`,
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
