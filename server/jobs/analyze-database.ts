import { sql } from 'kysely'
import { defineJob } from '@/server/kernel/jobs'

// A database server collects planner statistics automatically; the embedded database does not.
export const analyzeDatabaseJob = defineJob({
  name: 'database.analyze',
  database: 'embedded',
  run: async ({ db }) => void (await sql`analyze`.execute(db)),
})
