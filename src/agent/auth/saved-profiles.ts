import type { KeyedProvider } from '#src/core/ports.ts';
import type { FinClawLogger } from '#src/infra/logger.ts';
import type { AuthProfileRow, AuthProfileRows } from '#src/storage/auth-profiles.ts';
import type { SecretBox } from '#src/infra/secret-box.ts';

export interface SavedProfile {
  readonly row: AuthProfileRow;
  readonly provider: KeyedProvider;
  readonly apiKey: string;
}

interface SavedProfileDeps {
  readonly rows: AuthProfileRows;
  readonly secretBox: SecretBox | undefined;
  readonly logger: FinClawLogger;
}

const isKeyedProvider = (provider: string): provider is KeyedProvider =>
  provider === 'anthropic' || provider === 'openai';

/**
 * The saved keys, opened; what an old secret key opened is sealed anew with the current one. Without a secret
 * key they stay closed and untouched. Throws `SECRET_KEY_WRONG`.
 */
export const loadSavedProfiles = async (deps: SavedProfileDeps): Promise<readonly SavedProfile[]> => {
  const { rows, secretBox, logger } = deps;
  const all = await rows.list();
  if (!secretBox) {
    if (all.length > 0) {
      logger.warn('Saved keys stay closed: FINCLAW_SECRET_KEY is not set', { count: all.length });
    }
    return [];
  }
  const known = all.flatMap((row) =>
    isKeyedProvider(row.provider) ? [{ row, provider: row.provider }] : [],
  );
  if (known.length < all.length) {
    const count = all.length - known.length;
    logger.warn('Saved keys of providers that this version does not know are left alone', { count });
  }
  // All are opened before anything is written: a secret key that opens only some of them changes nothing.
  const opened = known.map((found) => ({ ...found, ...secretBox.open(found.row.id, found.row.sealedKey) }));
  for (const { row, plaintext, isCurrent } of opened) {
    if (!isCurrent) await rows.update(row.id, { sealedKey: secretBox.seal(row.id, plaintext) });
  }
  return opened.map(({ row, provider, plaintext }) => ({ row, provider, apiKey: plaintext }));
};
