import { findPostgresBinaries } from '../testing/programs.mjs'
import { run } from './run.mjs'

// Runs the tests that changes are most likely to break: the unit tests and one project of contract tests.
const lane = (await findPostgresBinaries()) ? 'contract: PostgreSQL' : 'contract: embedded'
const projects = ['unit', lane].flatMap(name => ['--project', name])
process.exit(await run('vitest', ['run', ...projects]))
