import { DatabaseSync, type StatementSync } from 'node:sqlite';

/**
 * The program of `platform-bot-process.ts`, which kills itself as soon as its conversation has LAST_LINE entries in the
 * database: right behind the commit, before anything else of the program runs.
 */
const { LAST_LINE } = process.env;
const lastLine = Number(LAST_LINE);
// oxlint-disable-next-line typescript/unbound-method -- called with its database below
const { prepare } = DatabaseSync.prototype;

const COUNT = `select count(*) as entries from transcript_entries where state = 'current'`;

const isFull = (database: DatabaseSync): boolean =>
  Number(prepare.call(database, COUNT).get()?.['entries']) >= lastLine;

/** Runs `after` behind every run of this statement. */
const followedBy = (statement: StatementSync, after: () => void): StatementSync => {
  const run = statement.run.bind(statement) as (...values: unknown[]) => ReturnType<StatementSync['run']>;
  statement.run = (...values: unknown[]) => {
    const result = run(...values);
    after();
    return result;
  };
  return statement;
};

if (LAST_LINE !== undefined)
  DatabaseSync.prototype.prepare = function prepareDying(this: DatabaseSync, sql, ...rest) {
    const statement = prepare.call(this, sql, ...rest);
    if (!/^\s*commit\b/i.test(sql)) return statement;
    return followedBy(statement, () => {
      if (isFull(this)) process.kill(process.pid, 'SIGKILL');
    });
  };

await import('./platform-bot-process.ts');
