import { type CreateTableBuilder, type Generated, type Kysely, sql, SqliteAdapter } from 'kysely';

type ColumnType = 'text' | 'integer' | 'bigint' | 'bytea';

/** A column that holds values of a type. */
interface Column<Value> {
  readonly type: ColumnType;
  readonly isNullable?: true;
  readonly isUnique?: true;
  readonly fallback?: string | number;
  /** For the compiler alone: what a query reads and writes. */
  readonly value?: Value;
}

export const text = <Value extends string = string>(): Column<Value> => ({ type: 'text' });
export const integer = (): Column<number> => ({ type: 'integer' });
export const bigint = <Value>(): Column<Value> => ({ type: 'bigint' });
export const bytes = (): Column<Uint8Array> => ({ type: 'bytea' });

export const nullable = <Value>(column: Column<Value>): Column<Value | null> => ({
  ...column,
  isNullable: true,
});
export const unique = <Value>(column: Column<Value>): Column<Value> => ({ ...column, isUnique: true });
/** A row that is written without the column gets this value. */
export const withDefault = <Value extends string | number>(
  column: Column<Value>,
  fallback: Value,
): Column<Generated<Value>> => ({ type: column.type, fallback });

type Columns = Readonly<Record<string, Column<unknown>>>;

interface Keys<Name> {
  /** The primary key. Children refer to its first column. */
  readonly key: readonly Name[];
  readonly unique?: Readonly<Record<string, readonly Name[]>>;
  readonly indexes?: Readonly<Record<string, readonly Name[]>>;
  /** Indexes of the rows in which a column is not null. */
  readonly partialIndexes?: Readonly<
    Record<string, { readonly columns: readonly Name[]; readonly present: Name }>
  >;
  /** SQLite then stores the rows by their key, so those that are read together lie together. */
  readonly isStoredByKey?: true;
}

/** The form of a table: the type of its rows and the statements that make it come from here. */
export interface TableForm<Row = never> extends Keys<keyof Row & string> {
  readonly name: string;
  readonly columns: Columns;
  /** For the compiler alone. */
  readonly accepts?: (row: Row) => void;
}

type RowOfColumns<Shape extends Columns> = {
  -readonly [Name in keyof Shape]: Shape[Name] extends Column<infer Value> ? Value : never;
};

/** What a query reads and writes of a table. */
export type RowOf<Form> = Form extends TableForm<infer Row> ? Row : never;

export const defineTable = <Shape extends Columns>(
  name: string,
  columns: Shape,
  keys: Keys<keyof Shape & string>,
): TableForm<RowOfColumns<Shape>> => ({ name, columns, ...keys });

type Making = Pick<Kysely<unknown>, 'getExecutor' | 'schema'>;

const addTable = async (db: Making, form: TableForm): Promise<void> => {
  const { name, columns, unique: constraints = {}, indexes = {}, partialIndexes = {} } = form;
  const key: readonly string[] = form.key;
  let table: CreateTableBuilder<string, string> = db.schema.createTable(name);
  for (const [column, { type, isNullable, isUnique, fallback }] of Object.entries(columns))
    table = table.addColumn(column, type, (added) => {
      if (key.length === 1 && key[0] === column) return added.primaryKey();
      const made = isNullable ? added : added.notNull();
      const defaulted = fallback === undefined ? made : made.defaultTo(fallback);
      return isUnique ? defaulted.unique() : defaulted;
    });
  if (key.length > 1) table = table.addPrimaryKeyConstraint(`${name}_pk`, [...key]);
  for (const [constraint, of] of Object.entries<readonly string[]>(constraints))
    table = table.addUniqueConstraint(constraint, [...of]);
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await (isSqlite && form.isStoredByKey ? table.modifyEnd(sql`without rowid`) : table).execute();

  for (const [index, of] of Object.entries<readonly string[]>(indexes))
    await db.schema
      .createIndex(index)
      .on(name)
      .columns([...of])
      .execute();
  for (const [index, of] of Object.entries(partialIndexes))
    await db.schema
      .createIndex(index)
      .on(name)
      .columns([...of.columns])
      .where(sql.ref(of.present), 'is not', null)
      .execute();
};

/** Makes tables with their indexes, in this order. */
export const createTables = async (db: Making, forms: readonly TableForm[]): Promise<void> => {
  for (const form of forms) await addTable(db, form);
};
