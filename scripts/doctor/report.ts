import type { Finding } from '#src/platform/channel-definition.ts';
import { onOneLine } from '#src/platform/logging/log-entry.ts';
import type { CheckFinding } from './check.ts';

/** Receives findings in the order of the checks, each as soon as it is known. */
export interface Report {
  /** A finding with an id of its own has that instead. */
  readonly add: (id: string, findings: readonly CheckFinding[]) => void;
  readonly end: () => void;
  readonly hasFailed: () => boolean;
}

/** Masks secrets; those that a check comes across are known only later. */
type Mask = (text: string) => string;

const SIGNS = { ok: '✔', note: '•', bad: '✖' };
const LEVELS = { ok: 'ok', note: 'warn', bad: 'fail' } as const;

const lineOf = ({ status, text, advice }: Finding): string =>
  [`${SIGNS[status]} ${text}`, ...(advice === undefined ? [] : [advice])].join(
    /[.?!]$/.test(text) ? ' ' : '. ',
  );

/** A server may put codes for the terminal into its words. An invalid configuration takes several lines. */
const withoutCodes = (text: string): string => text.split('\n').map(onOneLine).join('\n');

/** One line for each finding, for people. */
export const createLines = (print: (line: string) => void, mask: Mask): Report => {
  let failed = false;
  return {
    add: (_id, findings) => {
      for (const finding of findings) {
        failed ||= finding.status === 'bad';
        print(withoutCodes(mask(lineOf(finding))));
      }
    },
    end: () => undefined,
    hasFailed: () => failed,
  };
};

/** One JSON document at the end, for programs. */
export const createJson = (print: (text: string) => void, mask: Mask): Report => {
  const checks: {
    readonly id: string;
    readonly level: string;
    readonly message: string;
    readonly advice: string | null;
  }[] = [];
  const has = (level: string): boolean => checks.some((check) => check.level === level);
  return {
    add: (id, findings) => {
      for (const { id: own = id, status, text, advice } of findings)
        checks.push({
          id: own,
          level: LEVELS[status],
          message: mask(text),
          advice: advice === undefined ? null : mask(advice),
        });
    },
    end: () => {
      const level = ['fail', 'warn'].find(has) ?? 'ok';
      print(JSON.stringify({ level, checks }, null, 2));
    },
    hasFailed: () => has('fail'),
  };
};
