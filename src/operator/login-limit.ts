import { isIPv4, isIPv6 } from 'node:net';
import type { Clock } from '#src/platform/concurrency/clock.ts';

/** Wrong tries to log in, counted for this process. */
interface LoginLimit {
  /** 0 if another try is allowed now. */
  readonly waitSeconds: (address: string) => number;
  /** Counts a try. The returned function takes it back. */
  readonly count: (address: string) => () => void;
}

const WINDOW_MS = 60_000;
const MAX_PER_CLASS = 5;
/** Behind a proxy, all have the same address. Without one, a stranger may have many. */
const MAX_TOGETHER = 20;

/** Addresses that one person may have together: a /24 of IPv4, a /64 of IPv6. */
export const addressClass = (address: string): string => {
  const plain = address.replace(/^::ffff:/i, '');
  if (isIPv4(plain)) return plain.split('.').slice(0, 3).join('.');
  if (!isIPv6(plain)) return '';
  const [head = '', tail = ''] = plain.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail.split(':').filter((group) => group !== '');
  const zeros = plain.includes('::')
    ? Array.from({ length: 8 - groups.length - rest.length }, () => '0')
    : [];
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
};

interface Try {
  readonly from: string;
  readonly atMs: number;
}

/** Never holds more than 20 tries, because a try that is refused is not counted. */
export const createLoginLimit = (clock: Clock): LoginLimit => {
  let tries: readonly Try[] = [];

  return {
    waitSeconds: (address) => {
      const nowMs = clock.monotonicMs();
      tries = tries.filter(({ atMs }) => nowMs - atMs < WINDOW_MS);
      const from = addressClass(address);
      const own = tries.filter((one) => one.from === from);
      const [oldest] = own.length >= MAX_PER_CLASS ? own : tries.length >= MAX_TOGETHER ? tries : [];
      return oldest ? Math.max(1, Math.ceil((oldest.atMs + WINDOW_MS - nowMs) / 1_000)) : 0;
    },
    count: (address) => {
      const counted = { from: addressClass(address), atMs: clock.monotonicMs() };
      tries = [...tries, counted];
      return () => {
        tries = tries.filter((one) => one !== counted);
      };
    },
  };
};
