import type { ServiceCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { pathText } from '@/server/kernel/wire'
import { loadOrganization } from '@/server/orgs'
import { getRepository } from '@/server/repos'
import { requireTeam } from '@/server/teams'

/**
 * Checks that the organization, team, or repository at the start of a path exists and is visible to the
 * caller, before the caller is asked for credentials.
 * @throws {DomainError} notFound if it is absent or hidden; moved if it was renamed.
 */
export async function requirePathObject(ctx: ServiceCtx, template: string, path: string): Promise<void> {
  const [, , ...values] = path.split('/')
  if (/^\/orgs?\/\{org\}/.test(template)) await loadOrganization(ctx, nameIn(values[0]), 'view')
  if (template.startsWith('/teams/{id}')) await requireTeam(ctx, Number(values[0]))
  if (template.startsWith('/repos/{owner}/{repo}')) {
    await getRepository(ctx, { owner: nameIn(values[0]), repo: nameIn(values[1]) })
  }
}

function nameIn(value: string | undefined): string {
  const name = pathText.safeParse(value)
  if (!name.success) throw notFound()
  return name.data
}
