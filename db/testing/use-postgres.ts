import { inject } from 'vitest'

process.env.GUILDHALL_TEST_DATABASE_URL = inject('postgresUrl')
