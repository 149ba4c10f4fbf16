import { consoleKit } from '#test/support/platforms/console.ts';
import { runCases } from './run-cases.ts';

runCases(consoleKit);
