import { SessionLostError } from '#src/platform/storage/fences.ts';
import { withRequestCheck } from '#src/platform/net/http-transport.ts';

/** Work on a session that another process takes over at some point. */
export const losableWork = () => {
  let isLost = false;
  const check = (): void => {
    if (isLost) throw new SessionLostError();
  };
  return {
    run: <T>(work: () => T): T => withRequestCheck(check, work),
    lose: (): void => {
      isLost = true;
    },
  };
};
