import type { CompiledQuery } from 'kysely'
import type { OpenDatabase } from '@/db/client'

/** A step of an executed query plan. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Parent Relationship'?: string
  Plans?: PlanNode[]
}

/**
 * Runs a query again with `explain analyze` and returns all steps of its plan, except those that `omit` selects and
 * the steps below them.
 */
export async function explainQuery(
  { pool }: Pick<OpenDatabase, 'pool'>,
  { sql, parameters }: CompiledQuery,
  omit: (node: PlanNode) => boolean = () => false,
): Promise<PlanNode[]> {
  const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters])
  const [explained] = rows as { 'QUERY PLAN': [{ Plan: PlanNode }] }[]
  const withSteps = (node: PlanNode): PlanNode[] =>
    omit(node) ? [] : [node, ...(node.Plans ?? []).flatMap(withSteps)]
  return explained ? withSteps(explained['QUERY PLAN'][0].Plan) : []
}

/** Whether a step counts something for a column that is the same in all rows, such as the total of a list. */
export const isTotal = (node: PlanNode): boolean =>
  node['Parent Relationship'] === 'InitPlan' && node['Node Type'] === 'Aggregate'

/** Returns the number of rows that these steps read, including rows removed by a filter. */
export const rowsReadBy = (nodes: readonly PlanNode[]): number =>
  nodes.reduce(
    (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    0,
  )
