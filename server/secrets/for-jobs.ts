import type { ServiceCtx } from '@/server/kernel/ctx'
import { unseal } from '@/server/kernel/seal'
import { selectForJobs } from './store'

type Repository = { id: number; owner_id: number }

/**
 * Returns the secrets that jobs of a repository are given: its owner's, and its own, which win. One that the site's key no longer
 * opens is left out.
 */
export async function secretsFor(
  ctx: Pick<ServiceCtx, 'db' | 'config' | 'log'>,
  repository: Repository,
): Promise<Record<string, string>> {
  const rows = await selectForJobs(ctx.db, repository, 'secret')
  const opened = rows.flatMap(({ name, value_sealed }) => {
    try {
      return value_sealed ? [[name, unseal(ctx.config, 'workflow.secret', value_sealed)]] : []
    } catch (error) {
      ctx.log.error({ err: error, repository: repository.id }, `the secret ${name} cannot be opened`)
      return []
    }
  })
  return Object.fromEntries(opened)
}

/** Returns the variables that jobs of a repository are given: the site's, its owner's, and its own; the last of a name wins. */
export async function variablesFor(
  ctx: Pick<ServiceCtx, 'db'>,
  repository: Repository,
): Promise<Record<string, string>> {
  const rows = await selectForJobs(ctx.db, repository, 'variable')
  return Object.fromEntries(rows.map(({ name, value }) => [name, value ?? '']))
}
