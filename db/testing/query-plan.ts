import type { CompiledQuery } from 'kysely'
import type { OpenDatabase } from '@/db/client'

/** A step of an executed query plan. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Runs a query again with `explain analyze` and returns all steps of its plan. */
export async function explainQuery(
  { pool }: Pick<OpenDatabase, 'pool'>,
  { sql, parameters }: CompiledQuery,
): Promise<PlanNode[]> {
  const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters])
  const [explained] = rows as { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
  return explained ? withSteps(explained['QUERY PLAN'][0].Plan) : []
}

const withSteps = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(withSteps)]

/** Returns the number of rows that these steps read, including rows removed by a filter. */
export const rowsReadBy = (nodes: readonly PlanNode[]): number =>
  nodes.reduce(
    (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    0,
  )
