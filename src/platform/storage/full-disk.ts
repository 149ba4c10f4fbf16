const SQLITE_FULL = 13;

/** The disk is full, or what this user may have of it. */
export const isFull = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code, errcode = 0 } = error as { readonly code?: unknown; readonly errcode?: number };
  return code === 'ENOSPC' || code === 'EDQUOT' || (errcode & 0xff) === SQLITE_FULL || isFull(error.cause);
};

const ONE_EPISODE_MS = 60_000;

/** Tells of a full disk once, and again only after a minute without such an error. */
export const createFullDiskWatch = (onFull: ((error: unknown) => void) | undefined) => {
  let lastMs = -Infinity;
  return (error: unknown): void => {
    if (!isFull(error)) return;
    const now = performance.now();
    if (now - lastMs > ONE_EPISODE_MS) onFull?.(error);
    lastMs = now;
  };
};
