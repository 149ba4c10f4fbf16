import type { Finding } from '#src/platform/channel-definition.ts';
import { errorMessage } from '#src/kernel/errors.ts';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';

export const ok = (text: string): Finding => ({ status: 'ok', text });
export const note = (text: string, advice?: string): Finding => ({
  status: 'note',
  text,
  ...(advice !== undefined && { advice }),
});
export const bad = (text: string, advice?: string): Finding => ({ ...note(text, advice), status: 'bad' });

/** What a check found. */
export interface CheckFinding extends Finding {
  /** Of a check that looks at several subjects: instead of its own id. */
  readonly id?: string;
}

/** One subject that the doctor looks at. All checks run at once, so none may wait for its turn. */
export interface Check {
  /** Stable, for programs that read the report. */
  readonly id: string;
  readonly run: () => readonly CheckFinding[] | Promise<readonly CheckFinding[]>;
  /** For this one instead of the usual five seconds. */
  readonly limitMs?: number;
}

const LIMIT_MS = 5_000;

/** Never throws and never takes longer than its limit. What is late goes on, and is ignored. */
export const runCheck = async ({ id, run, limitMs = LIMIT_MS }: Check): Promise<readonly CheckFinding[]> => {
  try {
    const findings = await waitAtMost((async () => run())(), limitMs, systemClock);
    return (
      findings ?? [bad(`The check "${id}" did not end within ${limitMs / 1_000} s`, 'Check the network.')]
    );
  } catch (error) {
    return [bad(errorMessage(error))];
  }
};
