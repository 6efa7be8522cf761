import { sql } from 'kysely'
import { defineJob } from '@/server/kernel/jobs'

// A server gathers the statistics that it plans queries by on its own; the embedded database would guess.
export const analyzeDatabaseJob = defineJob({
  name: 'database.analyze',
  database: 'embedded',
  run: async ({ db }) => void (await sql`analyze`.execute(db)),
})
