import type {
  Compilable,
  CompiledQuery,
  Kysely,
  QueryExecutorProvider,
  QueryResult,
  SqliteStatement,
} from 'kysely';
import type { WarmUp } from '#src/kernel/operations/warm-up.ts';
import type { Database } from './schema.ts';
import { DirectSqliteAdapter } from './sqlite.ts';

/** Stands for a value that is given at every run. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type ValueOf<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name];

/** A transaction, or a database outside of one. */
type Executor = QueryExecutorProvider & Pick<Kysely<Database>, 'isTransaction'>;

interface Prepared<Values, Row> {
  readonly run: (db: Executor, values: Values) => Promise<QueryResult<Row>>;
  /** The first row; undefined if there is none. */
  readonly first: (db: Executor, values: Values) => Promise<Row | undefined>;
  readonly all: (db: Executor, values: Values) => Promise<readonly Row[]>;
}

interface Compiled<Row> {
  readonly query: CompiledQuery<Row>;
  /** On SQLite. */
  readonly direct: { readonly adapter: DirectSqliteAdapter; readonly statement: SqliteStatement } | undefined;
}

/** All queries of the program: every module that defines one adds it here when it is loaded. */
const queries: ((db: Executor) => void)[] = [];

/** Compiles the queries below before their first run. */
export const preparedWarmUp = (db: Executor): WarmUp => ({
  name: 'database queries',
  run: async function* () {
    for (const prepare of queries) {
      prepare(db);
      yield;
    }
  },
});

/**
 * A query that runs for every message. It is built and compiled once for each database, which takes several times as
 * long as running it. Values must be given through `value`.
 */
export const prepared = <Values extends object>() => {
  const value = ((name: string) => new Placeholder(name)) as unknown as ValueOf<Values>;
  return <Row>(
    build: (db: Kysely<Database>, value: ValueOf<Values>) => Compilable<Row>,
  ): Prepared<Values, Row> => {
    const compiled = new WeakMap<object, Compiled<Row>>();
    const compile = (db: Executor): Compiled<Row> => {
      // The transactions of a database have its adapter.
      const { adapter } = db.getExecutor();
      return compiled.getOrInsertComputed(adapter, () => {
        const query = build(db as Kysely<Database>, value).compile();
        if (!(adapter instanceof DirectSqliteAdapter)) return { query, direct: undefined };
        return { query, direct: { adapter, statement: adapter.prepare(query.sql) } };
      });
    };
    queries.push(compile);
    const run = async (db: Executor, values: Values): Promise<QueryResult<Row>> => {
      const { query, direct } = compile(db);
      const parameters = query.parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
      );
      const done = direct?.adapter.run<Row>(direct.statement, parameters, db.isTransaction);
      return done ?? db.getExecutor().executeQuery({ ...query, parameters });
    };
    return {
      run,
      first: async (db, values) => (await run(db, values)).rows[0],
      all: async (db, values) => (await run(db, values)).rows,
    };
  };
};
