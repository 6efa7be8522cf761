import { wireTime } from '@/server/kernel/wire'
import type { ActionVariable, Secret } from './schema'
import type { VariableRow } from './store'

export const viewSecret = (row: VariableRow): Secret => ({ name: row.name, ...commonOf(row) })

export const viewVariable = (row: VariableRow): ActionVariable => ({
  owner_id: row.owner_id ?? 0,
  repo_id: row.repository_id ?? 0,
  name: row.name,
  data: row.value ?? '',
  ...commonOf(row),
})

const commonOf = ({ description, created_at, updated_at }: VariableRow) => ({
  description,
  created_at: wireTime(created_at),
  updated_at: wireTime(updated_at),
})
