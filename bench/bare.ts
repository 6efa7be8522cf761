import { openDatabase } from '@/db/client'
import { bareServer } from './bare-server'

const { pool } = await openDatabase({
  databaseUrl: process.env.DATABASE_URL || undefined,
  dataDir: process.env.GUILDHALL_DATA_DIR ?? '',
  migrate: false,
})
bareServer(pool).listen(Number(process.env.PORT), '127.0.0.1')
