import type { Compilable, CompiledQuery, Kysely, QueryExecutorProvider, QueryResult } from 'kysely';
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

/**
 * A query that runs for every message. It is built and compiled once for each database, which takes several times as
 * long as running it. Values must be given through `value`.
 */
export const prepared = <Values extends object>() => {
  const value = ((name: string) => new Placeholder(name)) as unknown as ValueOf<Values>;
  return <Row>(
    build: (db: Kysely<Database>, value: ValueOf<Values>) => Compilable<Row>,
  ): Prepared<Values, Row> => {
    const compiled = new WeakMap<object, CompiledQuery<Row>>();
    const run = async (db: Executor, values: Values): Promise<QueryResult<Row>> => {
      const executor = db.getExecutor();
      // The transactions of a database have its adapter.
      const { adapter } = executor;
      let query = compiled.get(adapter);
      if (!query) {
        query = build(db as Kysely<Database>, value).compile();
        compiled.set(adapter, query);
      }
      const parameters = query.parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
      );
      const done =
        adapter instanceof DirectSqliteAdapter
          ? adapter.run<Row>({ sql: query.sql, parameters }, db.isTransaction)
          : undefined;
      return done ?? executor.executeQuery({ ...query, parameters });
    };
    return {
      run,
      first: async (db, values) => (await run(db, values)).rows[0],
      all: async (db, values) => (await run(db, values)).rows,
    };
  };
};
