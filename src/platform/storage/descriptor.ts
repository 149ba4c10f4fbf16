import { type RawBuilder, sql, type Transaction } from 'kysely';
import { counted } from '#src/kernel/locale.ts';
import type { ChannelId, OwnerId, PersonRef, SessionKey } from '#src/kernel/ids.ts';
import type { CountLabel } from '#src/kernel/people/privacy.ts';
import type { TableForm } from './columns.ts';
import type { Write } from './group-commit.ts';
import type { PersonCodes } from './person-codes.ts';
import { type Database, type Reads, toStoredTime } from './schema.ts';

export type Tx = Transaction<Database>;
export type Condition = RawBuilder<boolean>;

/** A write that is committed with another one or not at all. */
export type Alongside = (tx: Tx) => Promise<void>;

/** One identity on a platform, with everything needed to find its rows. */
export interface Account extends PersonRef {
  /** Linked identities have the same owner. */
  readonly ownerId: OwnerId;
  /** The identity's direct conversations. */
  readonly sessions: readonly SessionKey[];
  readonly codes: PersonCodes;
}

/** On `/link`, the rows of `from` become rows of `to`; `platform` is where `from` comes from. */
export type LinkRule = (tx: Tx, from: OwnerId, to: OwnerId, platform: ChannelId) => Promise<unknown>;

/** On `/link off`, `person` leaves the owner `from` and gets `to` as their own owner again. */
export type UnlinkRule = (tx: Tx, person: PersonRef, from: OwnerId, to: OwnerId) => Promise<unknown>;

/** A limit of rows for one person. Before a link, both people are locked and counted together. */
export interface LinkLimit {
  /** Makes others who would add a row for this owner wait until the transaction is over. */
  readonly lock: (tx: Tx, ownerId: OwnerId) => Promise<void>;
  readonly count: (tx: Tx, owners: readonly OwnerId[]) => Promise<number>;
}

/** The names of what a leaving identity takes on `/link off`, and of what it leaves to the others. */
export interface UnlinkNames {
  readonly takes: readonly string[];
  readonly leaves: readonly string[];
}

/** How the owner of a row is found. Linked identities share rows of an `account`, but not rows of an `identity`. */
export type TableOwner<Row> =
  | {
      readonly by: 'account';
      readonly column: keyof Row & string;
      readonly link: 'move' | LinkRule;
      readonly unlink: 'stays' | UnlinkRule;
      readonly linkLimit?: LinkLimit;
      /** `shared` is the owner of all linked identities, `own` the owner that the leaving one has again. */
      readonly unlinkNames?: (db: Reads, shared: OwnerId, own: OwnerId) => Promise<UnlinkNames>;
    }
  | { readonly by: 'identity'; readonly channel: keyof Row & string; readonly user: keyof Row & string }
  /** The column holds the key of a direct conversation, behind the prefix if there is one. */
  | { readonly by: 'conversation'; readonly column: keyof Row & string; readonly prefix?: string }
  /** The column holds the code of the person: `PersonCodes.person`. */
  | { readonly by: 'pseudonym'; readonly column: keyof Row & string }
  /** The row belongs to the owner of its parent row. */
  | { readonly by: 'parent' }
  | { readonly by: 'nobody'; readonly reason: string };

export type ExportRule<Row, Selected = Row> =
  | {
      /** The name in the file. Tables with the same name share one list. */
      readonly as: string;
      /** Columns that are unique together and never null, because pages are read by them. */
      readonly order: readonly (keyof Row & string)[];
      /** The selected columns. Default: all. */
      readonly select?: RawBuilder<unknown>;
      /** Of what is selected. */
      readonly row: (row: Selected) => unknown;
      readonly rowsPerPage?: number;
      /** A table with at most one row for each person: it is exported as that row or null. */
      readonly isSingle?: boolean;
    }
  | { readonly not: string };

export type EraseRule<Row> =
  | 'delete'
  | {
      /** Runs before the rows are deleted, for instance to take a lock. */
      readonly before?: (tx: Tx, account: Account) => Promise<void>;
      /** Rows that do not match stay. */
      readonly only?: (account: Account) => Condition;
      readonly after?: {
        readonly columns: readonly (keyof Row & string)[];
        readonly run: (tx: Tx, rows: readonly Row[], account: Account, at: Temporal.Instant) => Promise<void>;
      };
    }
  /** Changes the rows so that they no longer name the person; gives their number. */
  | { readonly anonymize: (tx: Tx, account: Account) => Promise<number> }
  | { readonly not: string };

export interface PurgeTimes {
  readonly now: Temporal.Instant;
  /** Data that is older may be removed. */
  readonly limit: Temporal.Instant;
}

/** Removes a few rows; gives the number for each table, and whether there may be more. */
export type PurgeStep = () => Promise<{
  readonly removed: Readonly<Record<string, number>>;
  readonly hasMore: boolean;
}>;

export interface PurgeStorage {
  readonly db: Reads;
  readonly write: Write;
}

export type KeepRule =
  | 'forever'
  | 'with its parent'
  /** Matching rows are removed, a batch at a time. */
  | { readonly until: (times: PurgeTimes) => Condition }
  /** A custom step that removes rows of the children too. */
  | {
      readonly step: (
        storage: PurgeStorage,
        times: PurgeTimes,
        children: readonly TableDescriptor[],
      ) => PurgeStep;
    };

/**
 * Describes a table so that its rows can be counted, exported, moved, erased and purged. A test checks that every table of
 * the database has a descriptor.
 */
export interface TableDescriptor<Row = never, Selected = Row>
  extends TableForm<Row>, TableRules<Row, Selected> {}

interface TableRules<Row, Selected = Row> {
  readonly owner: TableOwner<Row>;
  readonly parent?: { readonly table: TableDescriptor; readonly column: keyof Row & string };
  /** The rows open something, so a restore leaves them out. */
  readonly isSecret?: true;
  /** Other columns that name a person, or look as if they did, with the reason why they are not searched. */
  readonly mentions?: Readonly<Partial<Record<keyof Row & string, string>>>;
  /** The column with keys of conversations, by which a person's own conversations are found. */
  readonly conversations?: keyof Row & string;
  /** Selects the stored payloads, as `payload`, whose files are removed before the rows of a person are erased. */
  readonly payloads?: (person: PersonRef) => RawBuilder<{ readonly payload: string }>;
  /** The name of the row count in `/privacy`, `/link` and the audit trail. */
  readonly counted?: { readonly as: string; readonly only?: Condition };
  /** The texts of counts, in the order of `/privacy`. */
  readonly labels?: readonly CountLabel[];
  readonly exported: ExportRule<Row, Selected>;
  readonly erased: EraseRule<Row>;
  readonly kept: KeepRule;
}

/** Checks the columns that the rules name against the type of the rows. */
export const table = <Row, Selected = Row>(
  form: TableForm<Row>,
  rules: TableRules<Row, Selected>,
): TableDescriptor => {
  const described: TableDescriptor<Row, Selected> = { ...form, ...rules };
  return described;
};

/** A table whose rows are about no person. */
export const ownerless = <Row>(
  form: TableForm<Row>,
  reason: string,
  kept: KeepRule = 'forever',
  mentions?: Readonly<Partial<Record<keyof Row & string, string>>>,
): TableDescriptor =>
  table(form, {
    owner: { by: 'nobody', reason },
    ...(mentions ? { mentions } : {}),
    exported: { not: reason },
    erased: { not: reason },
    kept,
  });

/** A count as people read it. */
export const shownCount = {
  en: (count: number): string => count.toLocaleString('en-US'),
  ko: (count: number): string => count.toLocaleString('ko-KR'),
};

/** `Alerts: 3`, `3 alerts`; `가격 알림: 3개`, `가격 알림 3개`. */
export const countLabel = (
  of: string,
  en: { readonly title: string; readonly one: string; readonly many?: string },
  ko: { readonly title: string; readonly unit: string },
): CountLabel => ({
  of,
  en: {
    line: (count) => `${en.title}: ${shownCount.en(count)}`,
    amount: (count) => counted(count, en.one, en.many),
  },
  ko: {
    line: (count) => `${ko.title}: ${shownCount.ko(count)}${ko.unit}`,
    amount: (count) => `${ko.title} ${shownCount.ko(count)}${ko.unit}`,
  },
});

const isIn = (column: string, values: readonly unknown[]): Condition =>
  values.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`;

const parentOf = ({ name, parent }: TableDescriptor): NonNullable<TableDescriptor['parent']> => {
  if (!parent) throw new TypeError(`The table ${name} has no parent`);
  return parent;
};

/** Whether a row of this table belongs to the account. */
export const isOf = (table: TableDescriptor, account: Account): Condition => {
  const { owner } = table;
  const { channelId, userId, ownerId, sessions, codes } = account;
  switch (owner.by) {
    case 'account':
      return sql<boolean>`${sql.ref(owner.column)} = ${ownerId}`;
    case 'identity':
      return sql<boolean>`${sql.ref(owner.channel)} = ${channelId} and ${sql.ref(owner.user)} = ${userId}`;
    case 'conversation':
      return isIn(
        owner.column,
        sessions.map((key) => `${owner.prefix ?? ''}${key}`),
      );
    case 'pseudonym':
      return sql<boolean>`${sql.ref(owner.column)} = ${codes.person(account)}`;
    case 'parent': {
      const { table: of, column } = parentOf(table);
      return sql<boolean>`${sql.ref(column)} in (select ${sql.ref(keyOf(of))} from ${sql.table(of.name)} where ${isOf(of, account)})`;
    }
    case 'nobody':
      return sql<boolean>`1 = 0`;
  }
  return owner satisfies never;
};

/** The column by which children refer to a table. */
export const keyOf = ({ key: [first], name }: TableDescriptor): string => {
  if (first === undefined) throw new TypeError(`The table ${name} has no key`);
  return first;
};

export const childrenOf = (
  tables: readonly TableDescriptor[],
  parent: TableDescriptor,
): readonly TableDescriptor[] => tables.filter((one) => one.parent?.table === parent);

/** Whether a row belongs to one of these rows of its parent. */
export const isChildOf = (table: TableDescriptor, ids: readonly unknown[]): Condition =>
  isIn(parentOf(table).column, ids);

/** Rows whose time in this column is before the retention limit. */
export const olderThanLimit = (column: string) => ({
  until: ({ limit }: PurgeTimes) => sql<boolean>`${sql.ref(column)} < ${toStoredTime(limit)}`,
});

/** Rows whose time in this column has passed, by so many hours. */
export const past = (column: string, hours = 0) => ({
  until: ({ now }: PurgeTimes) => sql<boolean>`${sql.ref(column)} < ${toStoredTime(now.subtract({ hours }))}`,
});

type Plain = Readonly<Record<string, unknown>>;

/** The chat of a reply target, without the key that answers an interaction. */
const placeIn = (target: Plain): Plain => ({
  channelId: target['channelId'],
  chatId: target['chatId'],
  ...(target['threadId'] ? { threadId: target['threadId'] } : {}),
  isDirect: target['isDirect'] === true,
});

/** Stored JSON for an export: amounts stay text, and a reply target becomes a place without its keys. */
export const exportedDetails = (text: string): Plain => {
  const { target, ...details } = JSON.parse(text) as Plain & { readonly target?: Plain };
  return { ...details, ...(target ? { place: placeIn(target) } : {}) };
};
