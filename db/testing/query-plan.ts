import type { CompiledQuery } from 'kysely'
import type { OpenDatabase } from '@/db/client'

/** A step of how PostgreSQL executed a query. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Executes a query again and returns all steps of its plan. */
export async function explainQuery(
  { pool }: Pick<OpenDatabase, 'pool'>,
  { sql, parameters }: CompiledQuery,
): Promise<PlanNode[]> {
  const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters])
  const [explained] = rows as { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
  return explained ? withSteps(explained['QUERY PLAN'][0].Plan) : []
}

const withSteps = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(withSteps)]

/** The rows that these steps read, including those that a filter removed. */
export const rowsReadBy = (nodes: readonly PlanNode[]): number =>
  nodes.reduce(
    (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    0,
  )
