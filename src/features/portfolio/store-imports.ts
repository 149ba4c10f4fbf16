import { FinClawError } from '#src/kernel/errors.ts';
import { asId, type PortfolioId } from '#src/kernel/ids.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { Storage } from '#src/platform/storage/database.ts';
import type { PortfolioStore } from './store-types.ts';
import { toStoredTime } from '#src/platform/storage/schema.ts';
import { cleanShortCode, newShortCode } from '#src/platform/storage/short-codes.ts';

const CODE_LENGTH = 6;
const MAX_TRIES = 5;
/** Of one owner. Each holds the rows of a whole file: a new one takes the place of the oldest. */
const MAX_KEPT = 5;

/** What was read from a file, and waits for the person's word. */
export const createPendingImports = (
  { db, write }: Pick<Storage, 'db' | 'write'>,
  clock: Clock,
): Pick<PortfolioStore, 'keepImport' | 'pendingImport' | 'dropImport'> => ({
  keepImport: async (ownerId, id, content, expiresAt) => {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const code = newShortCode(CODE_LENGTH);
      const { numInsertedOrUpdatedRows } = await write(async (tx) => {
        await tx
          .deleteFrom('pending_imports')
          .where('owner_id', '=', ownerId)
          .where('code', 'not in', (newest) =>
            newest
              .selectFrom('pending_imports')
              .select('code')
              .where('owner_id', '=', ownerId)
              .orderBy('expires_at', 'desc')
              .orderBy('code')
              .limit(MAX_KEPT - 1),
          )
          .execute();
        return tx
          .insertInto('pending_imports')
          .values({
            code,
            owner_id: ownerId,
            portfolio_id: id ?? null,
            content,
            expires_at: toStoredTime(expiresAt),
          })
          .onConflict((conflict) => conflict.column('code').doNothing())
          .executeTakeFirstOrThrow();
      });
      if (numInsertedOrUpdatedRows) return code;
    }
    throw new FinClawError('No free code for an import was found', 'NO_FREE_CODE');
  },

  pendingImport: async (ownerId, code) => {
    const row = await db
      .selectFrom('pending_imports')
      .select(['portfolio_id', 'content'])
      .where('code', '=', cleanShortCode(code))
      .where('owner_id', '=', ownerId)
      .where('expires_at', '>', toStoredTime(clock.now()))
      .executeTakeFirst();
    if (!row) return undefined;
    const { portfolio_id: id, content } = row;
    return { portfolioId: id === null ? undefined : asId<PortfolioId>(id), content };
  },

  dropImport: async (ownerId, code) => {
    await write((tx) =>
      tx
        .deleteFrom('pending_imports')
        .where('code', '=', cleanShortCode(code))
        .where('owner_id', '=', ownerId)
        .execute(),
    );
  },
});
