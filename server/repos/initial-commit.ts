import type { Account } from '@/server/kernel/auth/account'
import { anonymous } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { viewUser } from '@/server/users'
import type { FirstCommit } from './git'
import type { CreateRepoOption } from './schema'

/**
 * What a new repository begins with; undefined for an empty one, of which templates are ignored.
 * Throws invalid for a template that this site does not have: the only one is the default readme.
 */
export function initialCommit(ctx: UserCtx, input: CreateRepoOption): FirstCommit | undefined {
  if (!input.auto_init) return undefined
  if (input.readme && input.readme !== 'Default') {
    throw invalid('readme template does not exist, available templates: [Default]', { field: 'readme' })
  }
  for (const field of ['license', 'gitignores'] as const) {
    if (input[field]) {
      throw invalid(`${field} template does not exist: this site has none, leave it empty`, { field })
    }
  }
  return {
    message: 'Initial commit\n',
    author: { ...authorOf(ctx.caller.user, ctx.config.baseUrl), date: ctx.clock.now() },
    files: { 'README.md': readme(input) },
  }
}

const readme = ({ name, description }: CreateRepoOption): string =>
  description ? `# ${name}\n\n${description}\n` : `# ${name}\n`

// A commit is there for everybody to read, and an address the person hides must not get out that way.
function authorOf(user: Account, baseUrl: string): { name: string; email: string } {
  const email = user.hide_email ? viewUser(user, anonymous, baseUrl).email : user.email
  return { name: user.full_name || user.name, email }
}
