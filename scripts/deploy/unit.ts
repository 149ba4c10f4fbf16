import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the unit expects the program. */
const INSTALLED = '/opt/finclaw';
/** Of 100, by what `systemd-analyze security` counts; services without any protection have 96. */
const MAX_EXPOSURE = 20;

/** Settings that nothing else here would miss. */
const NEEDED: readonly (readonly [setting: RegExp, why: string])[] = [
  [/^Restart=on-failure$/m, 'a process that failed is not started again'],
  [/^TimeoutStopSec=30$/m, 'running answers may be cut off'],
  [/^EnvironmentFile=\//m, 'it gets no tokens'],
  // V8 could not compile: Node would end at once.
  [/^MemoryDenyWriteExecute=no$/m, 'V8 needs memory that is written and executed'],
  [/^StateDirectory=finclaw$/m, 'it has no place for data'],
  [
    /^RestrictAddressFamilies=(?=.*\bAF_UNIX\b)(?=.*\bAF_INET\b)(?=.*\bAF_INET6\b)/m,
    'it cannot reach the network',
  ],
];

interface UnitVerdict {
  readonly problems: readonly string[];
  /** False where this machine has no systemd. */
  readonly isAnalysed: boolean;
}

/** What is wrong with the unit of systemd; the program is the one at `root`. */
export const checkUnit = (text: string, root: string, folder: string): UnitVerdict => {
  const problems = NEEDED.filter(([setting]) => !setting.test(text)).map(
    ([setting, why]) => `finclaw.service: ${setting.source} is not there: ${why}`,
  );
  const path = join(folder, 'finclaw.service');
  writeFileSync(path, text.replaceAll(INSTALLED, root));
  const analyse = (...parameters: readonly string[]) =>
    spawnSync('systemd-analyze', ['--no-pager', ...parameters, path], { encoding: 'utf8' });
  const verified = analyse('verify', '--man=no');
  if (verified.error) return { problems, isAnalysed: false };
  // Units of the machine may have problems of their own.
  const lines = verified.stderr.split('\n').filter((line) => line.includes('finclaw'));
  const secured = analyse('security', '--offline=yes', `--threshold=${MAX_EXPOSURE}`);
  return {
    problems: [
      ...problems,
      ...lines,
      ...(secured.status === 0 ? [] : [`finclaw.service: ${secured.stdout.trim().split('\n').at(-1) ?? ''}`]),
    ],
    isAnalysed: true,
  };
};
