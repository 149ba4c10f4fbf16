import { spawnSync } from 'node:child_process';

/** A user without a name and a home. */
export const OTHER_USER = { uid: 61_234, gid: 61_234 };

/** Only root can become it, and only where it may read this repository. */
export const canBeOtherUser =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['--version'], OTHER_USER).status === 0;
