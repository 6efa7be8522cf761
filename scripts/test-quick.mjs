import { findPostgresBinaries } from '../testing/programs.mjs'
import { run } from './run.mjs'

// What a change mostly breaks: the unit tests and one contract lane.
const lane = (await findPostgresBinaries()) ? 'contract: PostgreSQL' : 'contract: front door'
const projects = ['unit', lane].flatMap(name => ['--project', name])
process.exit(await run('vitest', ['run', ...projects]))
