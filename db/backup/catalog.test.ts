import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { addAwkwardTables } from '../testing/backup-sample'
import { openTestDatabase } from '../testing/test-database'
import { describeTables } from './catalog'
import { orderByReferences } from './table-order'

it('describeTables returns every table except Kysely’s own, with its columns and primary key', async () => {
  const { db, close } = await openTestDatabase()
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'kysely_%'
    order by table_name collate "C"`.execute(db)
  const shapes = await describeTables(db)
  expect(shapes.map(shape => shape.name).sort()).toEqual(rows.map(row => row.name))
  expect(shapes.map(shape => shape.name)).toContain('users')
  expect(shapes.find(shape => shape.name === 'user_blocks')).toEqual({
    name: 'user_blocks',
    columns: [
      { name: 'blocker_id', type: 'bigint' },
      { name: 'blocked_id', type: 'bigint' },
      { name: 'note', type: 'text' },
      { name: 'created_at', type: 'timestamp with time zone' },
    ],
    primaryKey: ['blocker_id', 'blocked_id'],
  })
  await close()
})

it('describeTables omits generated columns', async () => {
  const { db, close } = await openTestDatabase()
  await addAwkwardTables(db)
  const nodes = (await describeTables(db)).find(shape => shape.name === 'nodes')
  expect(nodes?.columns.map(column => column.name)).not.toContain('doubled')
  await close()
})

it('orderByReferences sorts each table after the tables it references, and cycles last', () => {
  const references = [
    { from: 'keys', to: 'users' },
    { from: 'users', to: 'sources' },
    { from: 'users', to: 'users' },
    { from: 'egg', to: 'hen' },
    { from: 'hen', to: 'egg' },
    { from: 'chick', to: 'egg' },
  ]
  const tables = ['chick', 'egg', 'hen', 'keys', 'sources', 'users', 'words']
  expect(orderByReferences(tables, references)).toEqual([
    'sources',
    'words',
    'users',
    'keys',
    'chick',
    'egg',
    'hen',
  ])
})
