import type { ServiceCtx } from '@/server/kernel/ctx'
import { unseal } from '@/server/kernel/seal'
import { selectForJobs } from './store'

type Repository = { id: number; owner_id: number }

/**
 * Returns the secrets that jobs of a repository get: those of its owner and its own, which take precedence. Also
 * returns the names of secrets that the site's key cannot decrypt.
 */
export async function secretsFor(
  ctx: Pick<ServiceCtx, 'db' | 'config' | 'log'>,
  repository: Repository,
): Promise<{ secrets: Record<string, string>; sealed: string[] }> {
  const rows = await selectForJobs(ctx.db, repository, 'secret')
  const sealed: string[] = []
  const opened = rows.flatMap(({ name, value_sealed }) => {
    try {
      return value_sealed ? [[name, unseal(ctx.config, 'workflow.secret', value_sealed)]] : []
    } catch (error) {
      ctx.log.error({ err: error, repository: repository.id }, `the secret ${name} cannot be decrypted`)
      sealed.push(name)
      return []
    }
  })
  return { secrets: Object.fromEntries(opened), sealed }
}

/**
 * Returns the variables that jobs of a repository get: the site's, its owner's and its own. Of several with the same
 * name, the last one takes precedence.
 */
export async function variablesFor(
  ctx: Pick<ServiceCtx, 'db'>,
  repository: Repository,
): Promise<Record<string, string>> {
  const rows = await selectForJobs(ctx.db, repository, 'variable')
  return Object.fromEntries(rows.map(({ name, value }) => [name, value ?? '']))
}
